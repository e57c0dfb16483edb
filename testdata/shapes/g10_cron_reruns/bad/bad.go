package bad

import (
	"context"
	"database/sql"
	"github.com/uptrace/bun"
)

type S struct{ db *bun.DB }

var txOpts = sql.TxOptions{Isolation: sql.LevelSerializable}

// Tick comes again next minute, but loses this one.
func (s *S) Close(ctx context.Context) error {
	return s.db.RunInTx(ctx, &txOpts, func(ctx context.Context, tx bun.Tx) error { // expect: unhandled40001
		n, err := tx.NewSelect().Table("open_bills").Count(ctx)
		if err != nil || n == 0 {
			return err
		}
		_, err = tx.NewUpdate().Table("bills").Set("closed = true").Where("true").Exec(ctx)
		return err
	})
}
