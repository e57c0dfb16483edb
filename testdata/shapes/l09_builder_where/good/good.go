package good

import (
	"context"
	"fmt"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"strings"
)

type Filter struct {
	Region string
	Max    int
}

func (f Filter) sql() (string, []any) {
	var b strings.Builder
	args := []any{}
	b.WriteString("SELECT id FROM parcels WHERE state = 'ready'")
	if f.Region != "" {
		args = append(args, f.Region)
		fmt.Fprintf(&b, " AND region = $%d", len(args))
	}
	if f.Max > 0 {
		args = append(args, f.Max)
		fmt.Fprintf(&b, " LIMIT $%d", len(args))
	}
	b.WriteString(" FOR UPDATE SKIP LOCKED")
	return b.String(), args
}

func Dispatch(ctx context.Context, pool *pgxpool.Pool, f Filter) (n int, err error) {
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		q, args := f.sql()
		rows, err := tx.Query(ctx, q, args...)
		if err != nil {
			return err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `UPDATE parcels SET state = 'out' WHERE id = ANY($1)`, ids)
		n = int(tag.RowsAffected())
		return err
	})
	return n, err
}
