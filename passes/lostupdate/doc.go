// Package lostupdate defines the rule that reports rows that are read without a
// lock, decided on in Go, and written back.
package lostupdate

import "honnef.co/go/tools/analysis/lint"

var doc = &lint.RawDocumentation{
	Title: `Row read without a lock and written back`,
	Text: `A transaction at READ COMMITTED, PostgreSQL's default, does not keep others from
changing a row between its read and its write. When Go code reads a row without
a lock and writes what it made of it, two executions can read the same version,
and the later write erases the earlier one. No error is returned.

The rule reports three forms, each at the write:

  - a stale value: a column is set to something that was made of the same column
    as it was read, or an ORM saves all columns of a row that was read;
  - a stale decision: a condition on a column that was read decides whether the
    row is written, the write changes that column or deletes the row, and its WHERE
    does not repeat the condition;
  - check, then insert: that there is no row, or that there are not yet too many,
    decides whether one is inserted, and neither ON CONFLICT nor the handling of
    23505 or 23P01 catches a second one.

The read and the write may stand in methods of repositories that a service calls.

Not reported: a read that locks, or may lock; a lock on something else that is
taken before (the parent row, the table, an advisory lock, a mutex); a value that
is computed in SQL (\'SET n = n + $1\'); a WHERE that repeats what was read, such as
a version; REPEATABLE READ and SERIALIZABLE, which notice the conflict (then
unhandled40001 asks what happens to the error); checks of columns that the write
does not change; a mark that comes out the same twice.

PostgreSQL documentation: Transaction Isolation, Read Committed Isolation Level;
Explicit Locking, Row-Level Locks.`,
	Before: `err := tx.QueryRow(ctx, "SELECT balance FROM accounts WHERE id = $1", id).Scan(&balance)
if err != nil {
	return err
}
_, err = tx.Exec(ctx, "UPDATE accounts SET balance = $2 WHERE id = $1", id, balance-amount)`,
	After: `err := tx.QueryRow(ctx, "SELECT balance FROM accounts WHERE id = $1 FOR NO KEY UPDATE", id).Scan(&balance)
if err != nil {
	return err
}
_, err = tx.Exec(ctx, "UPDATE accounts SET balance = $2 WHERE id = $1", id, balance-amount)`,
	Since:    "0.1.0",
	Severity: lint.SeverityError,
}
