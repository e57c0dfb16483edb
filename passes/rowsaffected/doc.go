// Package rowsaffected defines the rule that reports guarded writes of which
// nobody looks at how many rows they changed.
package rowsaffected

import "honnef.co/go/tools/analysis/lint"

var doc = &lint.RawDocumentation{
	Title: `Guarded write whose row count nobody looks at`,
	Text: `An \'UPDATE\' or \'DELETE\' of one row whose \'WHERE\' holds more than the row's key
(\'AND version = $2\', \'AND status = 'running'\', \'AND locked_by = $2\',
\'AND balance >= $2\') is written that way because somebody else may have changed
the row meanwhile. When that has happened the statement changes no row, and that
is no error: PostgreSQL answers \'UPDATE 0\'. Code that looks at the error only
reports success for a write that never took place.

The rule reports the call whose row count is dropped although its error is looked
at: pgx's command tag, the \'sql.Result\' of database/sql, sqlx and bun, gorm's
\'RowsAffected\', the number of a generated query. Where a function returns the
count, the call that drops it is reported; where a generated query does not return
one (sqlc's \':exec\'), the call of that query.

Guards are a version that the statement also raises, a state, a lease or an owner
that a worker holds, an amount that is reduced as long as there is enough, an old
value that is replaced, an empty field that is claimed for somebody, an expiry that
must lie ahead.

Not reported: writes by key alone, or by key and the tenant or user whose row it
is; marks that only say "not done yet" (\'SET revoked_at = now() … AND revoked_at IS
NULL\'), which are done either way; rows marked as failed or expired if they still
wait; a lease or a row that is given back; statements for many rows; \'RETURNING\'
whose row is scanned; a row that the same transaction has locked or inserted before;
a write that the function reads back; a count that is returned to callers who are
not seen, or given to another function.

PostgreSQL documentation: UPDATE, Outputs.`,
	Before: `_, err := s.pool.Exec(ctx,
	"UPDATE documents SET body = $3, version = version + 1 WHERE id = $1 AND version = $2",
	id, version, body)
return err`,
	After: `tag, err := s.pool.Exec(ctx,
	"UPDATE documents SET body = $3, version = version + 1 WHERE id = $1 AND version = $2",
	id, version, body)
if err != nil {
	return err
}
if tag.RowsAffected() == 0 {
	return ErrChanged
}
return nil`,
	Since:    "0.1.0",
	Severity: lint.SeverityError,
}
