package bad

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
	tx, err := l.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable}) // expect: unhandled40001
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var sum int64
	if err := tx.NewRaw("SELECT coalesce(sum(cents), 0) FROM entries WHERE acc = ?", acc).Scan(ctx, &sum); err != nil {
		return err
	}
	if sum+cents < 0 {
		return errors.New("insufficient funds")
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO entries (acc, cents) VALUES (?, ?)", acc, cents); err != nil {
		return err
	}
	for i := 0; i < 3; i++ {
		err = tx.Commit() // or: unhandled40001
		if err == nil || !strings.Contains(err.Error(), "40001") {
			break
		}
		time.Sleep(10 * time.Millisecond) // also: externalcall
	}
	return err
}
