// Package app runs statements of another package on the pool.
package app

import (
	"context"
	"database/sql"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/s34_variables_of_other_packages/bad/stmts"
)

func Claim(ctx context.Context, db *sql.DB) (id int64, err error) {
	if err = db.QueryRowContext(ctx, stmts.Claim).Scan(&id); err != nil { // expect: lockoutsidetx
		return 0, err
	}
	_, err = db.ExecContext(ctx, "UPDATE tickets SET state = 'taken' WHERE id = $1", id)
	return id, err
}

func Prepare(ctx context.Context, db *sql.DB) error {
	if _, err := db.ExecContext(ctx, stmts.ByState["guard"]); err != nil { // expect: notxeffect
		return err
	}
	for _, name := range []string{"timeout", "guard"} {
		if _, err := db.ExecContext(ctx, stmts.ByState[name]); err != nil { // expect: notxeffect
			return err
		}
	}
	return nil
}

func Defer(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, stmts.ByState["defer"]) // expect: notxeffect
	return err
}

func locks(kind string) string { return kinds[kind] }

var kinds = map[string]string{
	"shared":    "SELECT pg_advisory_lock_shared($1)",
	"exclusive": "SELECT pg_advisory_lock($1)",
}

func Hold(ctx context.Context, db *sql.DB, kind string, id int64) error {
	_, err := db.ExecContext(ctx, locks(kind), id) // expect: advisorypool
	return err
}
