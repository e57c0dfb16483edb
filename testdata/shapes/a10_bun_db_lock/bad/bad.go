package bad

import (
	"context"
	"github.com/uptrace/bun"
	"log"
)

type Importer struct{ db *bun.DB }

func (i *Importer) Run(ctx context.Context) error {
	if _, err := i.db.NewRaw("SELECT pg_advisory_lock(?)", 900).Exec(ctx); err != nil { // expect: advisorypool
		return err
	}
	defer func() {
		if _, err := i.db.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(?)", 900); err != nil { // also: advisorypool
			log.Println(err)
		}
	}()
	_, err := i.db.NewRaw("CALL import_feed()").Exec(ctx)
	return err
}
