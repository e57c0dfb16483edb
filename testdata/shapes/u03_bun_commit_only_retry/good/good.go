package good

import (
	"context"
	"database/sql"
	"errors"
	"github.com/uptrace/bun"
	"strings"
	"time"
)

type Ledger struct{ db *bun.DB }

func (l *Ledger) Post(ctx context.Context, acc int64, cents int64) error {
	for i := 0; ; i++ {
		err := l.db.RunInTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable}, func(ctx context.Context, tx bun.Tx) error {
			return l.post(ctx, tx, acc, cents)
		})
		if err == nil || i == 5 || !strings.Contains(err.Error(), "SQLSTATE=40001") && !strings.Contains(err.Error(), "could not serialize access") {
			return err
		}
		time.Sleep(time.Duration(i) * 10 * time.Millisecond)
	}
}

func (l *Ledger) post(ctx context.Context, tx bun.Tx, acc, cents int64) error {
	var sum int64
	if err := tx.NewRaw("SELECT coalesce(sum(cents), 0) FROM entries WHERE acc = ?", acc).Scan(ctx, &sum); err != nil {
		return err
	}
	if sum+cents < 0 {
		return errors.New("insufficient funds")
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO entries (acc, cents) VALUES (?, ?)", acc, cents)
	return err
}
