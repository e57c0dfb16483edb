// Package unhandled40001 defines the rule that reports transactions at
// REPEATABLE READ or SERIALIZABLE that nobody runs again.
package unhandled40001

import "honnef.co/go/tools/analysis/lint"

var doc = &lint.RawDocumentation{
	Title: `Serialization failure that nobody handles`,
	Text: `At REPEATABLE READ and SERIALIZABLE, PostgreSQL resolves conflicts by aborting
one of the transactions with SQLSTATE 40001, at any statement and also at COMMIT.
That is no fault of the program: the whole transaction has to be run again. Where
nobody does, the error goes to the user, and more often the busier the system is.

The rule reports where such a transaction is begun (by options, by the text of
SET TRANSACTION, by the settings of a transaction manager) when neither the
function nor any of its callers runs it again after looking at the code; and a
retry loop or runner that stands inside the transaction, where every statement
after the failure gets 25P02. Where the transaction is run again, it reports what
keeps the code from the one who asks for it: an error of which only the text is
left (errors.New(err.Error()), %v), a COMMIT whose error nobody looks at, and a
body that returns nil after an error.

Not reported: REPEATABLE READ transactions that only read or are opened read-only,
and SERIALIZABLE READ ONLY DEFERRABLE ones, which cannot fail this way; loops and
runners that test the code, also through helpers; levels that are not known.

PostgreSQL documentation: Transaction Isolation; Serialization Failure Handling.`,
	Before: `tx, err := s.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.Serializable})
if err != nil {
	return err
}
defer tx.Rollback(ctx)
if err := s.transfer(ctx, tx, from, to); err != nil {
	return err
}
return tx.Commit(ctx)`,
	After: `for {
	err := s.try(ctx, from, to) // begins, transfers, commits
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) && pgErr.Code == "40001" && ctx.Err() == nil {
		continue
	}
	return err
}`,
	Since:    "0.2.0",
	Severity: lint.SeverityWarning,
}
