package bad

import (
	"context"
	"database/sql"
)

type Audit struct{ db *sql.DB }

// Delete tells the trigger who does it; Close gives the session back with the
// name on it.
func (a *Audit) Delete(ctx context.Context, user string, id int64) error {
	conn, err := a.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "SELECT set_config('audit.user', $1, false)", user); err != nil { // expect: sessionset
		return err
	}
	_, err = conn.ExecContext(ctx, "DELETE FROM contracts WHERE id = $1", id)
	return err
}
