// Package notxeffect defines the rule that reports statements that have no
// effect outside a transaction.
package notxeffect

import "honnef.co/go/tools/analysis/lint"

var doc = &lint.RawDocumentation{
	Title: `Statement that has no effect outside a transaction`,
	Text: `\'SET LOCAL\', \'set_config(…, true)\', \'SET TRANSACTION\', \'SET CONSTRAINTS\',
the advisory locks with \'xact\' in their names, \'LOCK TABLE\', \'SAVEPOINT\' and
\'DECLARE\' last until the end of the transaction. Outside a transaction block each statement is a transaction
of its own: the setting or the lock is gone when the call returns (PostgreSQL
gives a warning that nobody reads), and \'LOCK TABLE\', \'SAVEPOINT\' and \'DECLARE\'
fail with SQLSTATE 25P01.

The rule reports such a statement on a pool, or on a session on which no
transaction was begun; where the handle comes in from a caller, the call that
passes it.

Not reported: statements in one text with those they are meant for (several
statements sent in one text run as one transaction); \'DECLARE … WITH HOLD\';
calls inside a statement that also writes.

PostgreSQL documentation: SET, Advisory Locks, SET CONSTRAINTS, LOCK, SAVEPOINT,
DECLARE.`,
	Before: `if _, err := conn.Exec(ctx, "SET LOCAL lock_timeout = '2s'"); err != nil {
	return err
}
_, err := conn.Exec(ctx, "UPDATE stock SET left_over = left_over - 1 WHERE id = $1", id)`,
	After: `err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, "SET LOCAL lock_timeout = '2s'"); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "UPDATE stock SET left_over = left_over - 1 WHERE id = $1", id)
	return err
})`,
	Since:    "0.1.0",
	Severity: lint.SeverityError,
}
