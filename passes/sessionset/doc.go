// Package sessionset defines the rule that reports session state set on pooled
// connections.
package sessionset

import "honnef.co/go/tools/analysis/lint"

var doc = &lint.RawDocumentation{
	Title: `Session state set on a pooled connection`,
	Text: `\'SET\', \'SET ROLE\', \'set_config(…, false)\', \'SET SESSION CHARACTERISTICS\', a textual
\'BEGIN\', \'LISTEN\', \'CREATE TEMP TABLE\' and \'PREPARE\' change the session that runs
them, until it ends. On a pool that is whichever session came first: the next
statement of this code runs on another one, without the setting, and the next
borrower of this one inherits it: a lock timeout, a role, a tenant.

The rule reports such a statement on a pool; in a transaction without \'LOCAL\'
(the setting survives the commit and goes back to the pool); and on an acquired
session that is given back without \'RESET\', \'DISCARD ALL\' or the inverse \'SET\' on
every path.

Not reported: connection hooks (\'AfterConnect\', \'BeforeAcquire\', …); a session
that is closed or hijacked and not given back; a pool of exactly one connection;
a connection of \'pgx.Connect\'; migrations.

PostgreSQL documentation: SET, System Administration Functions (set_config), LISTEN.`,
	Before: `if _, err := tx.Exec(ctx, "SET lock_timeout = '2s'"); err != nil {
	return err
}`,
	After: `if _, err := tx.Exec(ctx, "SET LOCAL lock_timeout = '2s'"); err != nil {
	return err
}`,
	Since:    "0.1.0",
	Severity: lint.SeverityError,
}
