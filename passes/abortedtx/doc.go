// Package abortedtx defines the rule that reports statements in a transaction
// that an earlier failure has aborted.
package abortedtx

import "honnef.co/go/tools/analysis/lint"

var doc = &lint.RawDocumentation{
	Title: `Statement in an aborted transaction`,
	Text: `When a statement fails, PostgreSQL aborts the transaction: every further statement
gets SQLSTATE 25P02 until the transaction, or a savepoint set before the failure,
is rolled back, and COMMIT rolls back. Code that handles the error (a duplicate
key, say) and goes on in the same transaction never works.

The rule reports the next statement or the commit of the same transaction on a
path on which an earlier statement is known to have failed: its error is not nil,
a test of its SQLSTATE is true, it is the variable that a repository returns for
that SQLSTATE, or nobody looks at it at all. It reports a body that then returns
nil to what commits, and a function that keeps the failure from its caller, at the
caller's next statement. The calls may lie in other functions and packages, behind
interfaces, and the transaction in the context.

Not reported: an error that may only say that there is no row, or that may come
from other code; statements under a savepoint (a nested Begin, SAVEPOINT);
INSERT … ON CONFLICT, which does not fail.

PostgreSQL documentation: Error Codes, class 25; SAVEPOINT.`,
	Before: `_, err := tx.Exec(ctx, "INSERT INTO tags (name) VALUES ($1)", name)
if isUniqueViolation(err) {
	return tx.QueryRow(ctx, "SELECT id FROM tags WHERE name = $1", name).Scan(&id) // 25P02
}`,
	After: `_, err := tx.Exec(ctx, "INSERT INTO tags (name) VALUES ($1) ON CONFLICT DO NOTHING", name)
if err != nil {
	return err
}
return tx.QueryRow(ctx, "SELECT id FROM tags WHERE name = $1", name).Scan(&id)`,
	Since:    "0.2.0",
	Severity: lint.SeverityError,
}
