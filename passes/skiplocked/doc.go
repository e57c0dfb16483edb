// Package skiplocked defines the rule that reports queue claims that make
// workers wait for each other, or hand one row to two of them.
package skiplocked

import "honnef.co/go/tools/analysis/lint"

var doc = &lint.RawDocumentation{
	Title: `Queue claim without SKIP LOCKED`,
	Text: `A worker claims a row of a queue: it selects rows by their state with a
\'LIMIT\' or an \'ORDER BY\', and marks or deletes what it got. All workers ask the same
question, so all of them arrive at the same row.

With \'FOR UPDATE\' the first worker locks that row, and every other waits until its
transaction ends. Under READ COMMITTED each of them then looks at the row again,
finds that it no longer matches, and goes on to the next one, where the others
stand already: eight workers do the work of one. Under REPEATABLE READ a waiter
fails with 40001 instead. With \'NOWAIT\' it fails with 55P03 although other rows
are free. With no lock at all, in a subquery or in a SELECT before the UPDATE,
two workers read the same row and both get it: the UPDATE of the second waits for
the first and then finds its row by the key, which has not changed.

\'FOR UPDATE SKIP LOCKED\' passes over rows that another worker holds, so each takes
the next free one without waiting. The lock and the mark belong into one statement
or one transaction.

The rule reports the statement that picks the rows. An unlocked read counts when
what it returns goes into an UPDATE or DELETE of the same table whose \'WHERE\' does
not test the state again.

Not reported: rows looked up by a key, or the rows of one owner; a lock on the
newest row; reads that nothing is marked after; an UPDATE that tests the state
again; workers that an advisory lock, a table lock or a leader election admits one
at a time; locking clauses that may be completed by text that is not known here.

PostgreSQL documentation: SELECT, The Locking Clause; Transaction Isolation, Read
Committed Isolation Level.`,
	Before: `const next = "UPDATE jobs SET state = 'running' WHERE id = (" +
	"SELECT id FROM jobs WHERE state = 'waiting' ORDER BY id LIMIT 1 FOR UPDATE) RETURNING id"
err := s.pool.QueryRow(ctx, next).Scan(&id)`,
	After: `const next = "UPDATE jobs SET state = 'running' WHERE id = (" +
	"SELECT id FROM jobs WHERE state = 'waiting' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id"
err := s.pool.QueryRow(ctx, next).Scan(&id)`,
	Since:    "0.3.0",
	Severity: lint.SeverityWarning,
}
