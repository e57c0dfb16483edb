// Package lockoutsidetx defines the rule that reports row locks taken outside
// a transaction.
package lockoutsidetx

import "honnef.co/go/tools/analysis/lint"

var doc = &lint.RawDocumentation{
	Title: `Row lock taken outside a transaction`,
	Text: `A \'SELECT … FOR UPDATE\' (or \'FOR NO KEY UPDATE\', \'FOR SHARE\', \'FOR KEY SHARE\')
keeps its rows locked until the transaction ends. On a pool, or on a session
with no transaction open, the statement is a transaction of its own: the lock is
gone when the call returns, before the code has looked at the rows. Two callers
then decide on the same version of the row, and the later write erases the
earlier one.

The rule reports the statement where its handle is known to be a pool, or a
session on which no transaction was begun. Where the handle comes in from a
caller, it reports the call that passes the pool.

Not reported: a lock inside one statement that writes, such as
\'UPDATE … WHERE id = (SELECT … FOR UPDATE SKIP LOCKED)\', which is right in
autocommit; a statement whose handle is not known.

PostgreSQL documentation: Explicit Locking, Row-Level Locks.`,
	Before: `row := s.pool.QueryRow(ctx, "SELECT balance FROM accounts WHERE id = $1 FOR UPDATE", id)
if err := row.Scan(&balance); err != nil {
	return err
}
_, err := s.pool.Exec(ctx, "UPDATE accounts SET balance = $2 WHERE id = $1", id, balance-amount)
return err`,
	After: `return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
	row := tx.QueryRow(ctx, "SELECT balance FROM accounts WHERE id = $1 FOR NO KEY UPDATE", id)
	if err := row.Scan(&balance); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "UPDATE accounts SET balance = $2 WHERE id = $1", id, balance-amount)
	return err
})`,
	Since:    "0.1.0",
	Severity: lint.SeverityError,
}
