package bad

import (
	"context"
	"database/sql"
	trmsql "github.com/avito-tech/go-transaction-manager/drivers/sql/v2"
	"log"
)

type Repo struct {
	db     *sql.DB
	getter *trmsql.CtxGetter
}

func (r *Repo) LockDay(ctx context.Context, day string) error {
	_, err := r.getter.DefaultTrOrDB(ctx, r.db).ExecContext(ctx, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", day)
	return err
}

func (r *Repo) Fold(ctx context.Context, day string) error {
	_, err := r.getter.DefaultTrOrDB(ctx, r.db).ExecContext(ctx, "INSERT INTO daily SELECT $1, sum(n) FROM hits WHERE day = $1", day)
	return err
}

func (r *Repo) run(ctx context.Context, day string) error {
	if err := r.LockDay(ctx, day); err != nil { // or: notxeffect
		return err
	}
	return r.Fold(ctx, day)
}

func Nightly(r *Repo, days []string) {
	for _, d := range days {
		go func() {
			if err := r.run(context.Background(), d); err != nil { // expect: notxeffect
				log.Println(err)
			}
		}()
	}
}
