package good

import (
	"context"
	"database/sql"
	trmsql "github.com/avito-tech/go-transaction-manager/drivers/sql/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"
	"github.com/avito-tech/go-transaction-manager/trm/v2/settings"
	"log"
)

type Repo struct {
	db     *sql.DB
	getter *trmsql.CtxGetter
	tm     *manager.Manager
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
	if err := r.LockDay(ctx, day); err != nil {
		return err
	}
	return r.Fold(ctx, day)
}

func Nightly(r *Repo, days []string) {
	for _, d := range days {
		go func() {
			err := r.tm.DoWithSettings(context.Background(), trmsql.MustSettings(settings.Must()), func(ctx context.Context) error {
				return r.run(ctx, d)
			})
			if err != nil {
				log.Println(err)
			}
		}()
	}
}
