package good

import (
	"context"
	"database/sql"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
)

type Tenants struct{ db *bun.DB }

func NewTenants(sqldb *sql.DB) *Tenants {
	return &Tenants{db: bun.NewDB(sqldb, pgdialect.New())}
}

func use(ctx context.Context, db bun.IDB, schema string) error {
	_, err := db.NewRaw("SET LOCAL search_path TO ?", bun.Ident(schema)).Exec(ctx)
	return err
}

func (t *Tenants) Count(ctx context.Context, schema string) (n int64, err error) {
	err = t.db.RunInTx(ctx, &sql.TxOptions{ReadOnly: true}, func(ctx context.Context, tx bun.Tx) error {
		if err := use(ctx, tx, schema); err != nil {
			return err
		}
		n, err = tx.NewSelect().Table("orders").Count(ctx)
		return err
	})
	return n, err
}

// Tables pins a connection and puts the path back.
func (t *Tenants) Tables(ctx context.Context, schema string) (names []string, err error) {
	conn, err := t.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "SET search_path TO ?", bun.Ident(schema)); err != nil {
		return nil, err
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), "RESET search_path")
	err = conn.NewRaw("SELECT relname FROM pg_class WHERE pg_table_is_visible(oid)").Scan(ctx, &names)
	return names, err
}
