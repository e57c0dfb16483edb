// Package advisorypool defines the rule that reports session advisory locks
// that are not held and released on one session.
package advisorypool

import "honnef.co/go/tools/analysis/lint"

var doc = &lint.RawDocumentation{
	Title: `Session advisory lock on a pooled connection`,
	Text: `\'pg_advisory_lock\', \'pg_try_advisory_lock\' and their shared forms lock for the
session, until the same session unlocks or ends. Through a pool, the lock is
taken on one session and released on another (where \'pg_advisory_unlock\' returns
false and a warning), and the session goes back to the pool with the lock: every
other worker waits, and the worker that happens to borrow that session takes the
lock a second time.

The rule reports a session lock that is taken or released through a pool; taken
in a transaction and not released in it (neither commit nor rollback releases
it); taken on an acquired session that can go back to the pool still locked, by
an early return, an error path, or an unlock with a context that may be cancelled
whose error nobody looks at; and a try-lock whose boolean nobody looks at.

Not reported: a session held for the lock's whole life and unlocked on every
path; a pool of exactly one connection, or one that a mutex keeps to one statement
at a time; a session that is destroyed
(\'Hijack\' and \'Close\', \'driver.ErrBadConn\' from \'sql.Conn.Raw\').

PostgreSQL documentation: Advisory Locks; Advisory Lock Functions.`,
	Before: `if _, err := s.pool.Exec(ctx, "SELECT pg_advisory_lock($1)", key); err != nil {
	return err
}
defer s.pool.Exec(ctx, "SELECT pg_advisory_unlock($1)", key)
return s.settle(ctx)`,
	After: `return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", key); err != nil {
		return err
	}
	return s.settle(ctx, tx)
})`,
	Since:    "0.1.0",
	Severity: lint.SeverityError,
}
