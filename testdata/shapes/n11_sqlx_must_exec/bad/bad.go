package bad

import (
	"github.com/jmoiron/sqlx"
)

type Bench struct{ db *sqlx.DB }

func (b *Bench) Run() (ms []int64, err error) {
	b.db.MustExec("SET LOCAL enable_nestloop = off") // expect: notxeffect
	err = b.db.Select(&ms, "SELECT ms FROM bench ORDER BY id")
	return ms, err
}
