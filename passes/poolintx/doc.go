// Package poolintx defines the rule that reports statements that bypass the
// transaction that is open around them.
package poolintx

import "honnef.co/go/tools/analysis/lint"

var doc = &lint.RawDocumentation{
	Title: `Statement on the pool inside a transaction`,
	Text: `A statement on the pool, or a second transaction begun on it, while this code
holds a transaction of the same database takes another connection. It does not
see what the transaction has written, it is not rolled back with it, it can wait
for a row lock that only the end of the transaction releases, and with a pool of
n connections n such callers wait for each other for ever.

The rule reports the call in the function that holds the transaction: the
statement, or the call that leads to it, with the chain in the message.

Not reported: handles that go by a name of their own (a replica, an audit log, a
second database); statements after the commit; functions that use the transaction
if the context or a parameter carries one.

PostgreSQL documentation: Transaction Isolation; pgxpool and database/sql: the
pool hands each statement to any free connection.`,
	Before: `err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, "INSERT INTO orders (id) VALUES ($1)", id); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, "INSERT INTO order_log (order_id) VALUES ($1)", id)
	return err
})`,
	After: `err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, "INSERT INTO orders (id) VALUES ($1)", id); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "INSERT INTO order_log (order_id) VALUES ($1)", id)
	return err
})`,
	Since:    "0.2.0",
	Severity: lint.SeverityError,
}
