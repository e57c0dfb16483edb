package good

import (
	"github.com/jmoiron/sqlx"
)

type Bench struct{ db *sqlx.DB }

func (b *Bench) Run() (ms []int64, err error) {
	tx := b.db.MustBegin()
	defer tx.Rollback()
	tx.MustExec("SET LOCAL enable_nestloop = off")
	if err = tx.Select(&ms, "SELECT ms FROM bench ORDER BY id"); err != nil {
		return nil, err
	}
	return ms, tx.Commit()
}
