package good

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
)

type Audit struct{ db *sql.DB }

// Delete clears the name before the session goes back, whatever happened.
func (a *Audit) Delete(ctx context.Context, user string, id int64) (err error) {
	conn, err := a.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer func() {
		if _, e := conn.ExecContext(context.WithoutCancel(ctx), "RESET audit.user"); e != nil {
			err = errors.Join(err, e, conn.Raw(func(any) error { return driver.ErrBadConn }))
		}
	}()
	if _, err := conn.ExecContext(ctx, "SELECT set_config('audit.user', $1, false)", user); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, "DELETE FROM contracts WHERE id = $1", id)
	return err
}
