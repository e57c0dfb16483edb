package good

import (
	"context"
	"database/sql"
	_ "github.com/go-sql-driver/mysql"
	"time"
)

type Poller struct {
	db       *sql.DB
	interval time.Duration
}

func Open(dsn string) (*Poller, error) {
	db, err := sql.Open("mysql", dsn)
	return &Poller{db: db, interval: time.Minute}, err
}

// poll uses MySQL's own locks.
func (p *Poller) poll(ctx context.Context) error {
	var ok sql.NullBool
	if err := p.db.QueryRowContext(ctx, "SELECT GET_LOCK('poll', 0)").Scan(&ok); err != nil || !ok.Bool {
		return err
	}
	defer p.db.Exec("SELECT RELEASE_LOCK('poll')")
	_, err := p.db.ExecContext(ctx, "UPDATE feeds SET polled_at = now()")
	return err
}
