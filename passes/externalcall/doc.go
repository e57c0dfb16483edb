// Package externalcall defines the rule that reports slow outside calls made
// while a transaction is open.
package externalcall

import "honnef.co/go/tools/analysis/lint"

var doc = &lint.RawDocumentation{
	Title: `Outside call while a transaction is open`,
	Text: `An HTTP request, a gRPC call, a mail, a message to a broker, a Redis command, a
child process or a sleep while a transaction is open keeps the transaction's row
locks and its pooled connection for as long as the other side takes. Everybody
who wants those rows waits; a slow answer uses up the pool; and what was sent
cannot be taken back when the transaction rolls back.

The rule reports the call if it stands in the function that has the transaction,
else the call that leads to it, with the chain in the message. It follows
helpers, closures, method values and runners of any shape.

Not reported: calls after the commit or the rollback; goroutines that nobody
waits for; building a request without sending it; statements on the same
database (an outbox); deferred calls.

PostgreSQL documentation: Explicit Locking (locks are held until the end of the
transaction).`,
	Before: `err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, "UPDATE orders SET paid = true WHERE id = $1", id); err != nil {
		return err
	}
	return s.receipts.Send(ctx, id) // an HTTP request
})`,
	After: `err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
	_, err := tx.Exec(ctx, "UPDATE orders SET paid = true WHERE id = $1", id)
	return err
})
if err != nil {
	return err
}
return s.receipts.Send(ctx, id)`,
	Since:    "0.2.0",
	Severity: lint.SeverityWarning,
}
