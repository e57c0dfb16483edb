// Package orders has directives in all places where they can stand. The rule
// of the test reports every statement.
package orders

import (
	"context"
	"database/sql"
)

func sameLine(ctx context.Context, db *sql.DB) {
	db.ExecContext(ctx, `DELETE FROM orders`) // want "a statement"
	db.ExecContext(ctx, `DELETE FROM orders`) //pgtxvet:ignore demo the table is a cache
}

func lineAbove(ctx context.Context, db *sql.DB) {
	//pgtxvet:ignore demo the table is a cache
	db.ExecContext(ctx, `DELETE FROM orders`)

	//pgtxvet:ignore demo a directive covers only the next line // want "this directive silences nothing: demo reports no finding here"

	db.ExecContext(ctx, `DELETE FROM orders`) // want "a statement"
}

// A directive behind code belongs to that line alone.
func behindCode(ctx context.Context, db *sql.DB) {
	n := 1                                                     //pgtxvet:ignore demo not about the next line // want "this directive silences nothing"
	db.ExecContext(ctx, `DELETE FROM orders WHERE id = $1`, n) // want "a statement"
}

func insideCall(ctx context.Context, db *sql.DB) {
	db.ExecContext(ctx, // the call has three lines
		`DELETE FROM orders`, //pgtxvet:ignore demo the table is a cache
	)
	db.ExecContext(ctx,
		//pgtxvet:ignore demo the table is a cache
		`DELETE FROM orders`,
	)
}

// Without a reason a directive silences nothing; the rule named directive says so.
func noReason(ctx context.Context, db *sql.DB) {
	db.ExecContext(ctx, `DELETE FROM orders`) //pgtxvet:ignore demo // want "a statement"
}

// Several rules stand with commas, and each is looked at by itself.
func severalRules(ctx context.Context, db *sql.DB) {
	db.ExecContext(ctx, `DELETE FROM orders`) //pgtxvet:ignore other,demo the table is a cache
	db.ExecContext(ctx, `DELETE FROM orders`) //pgtxvet:ignore demo, other the table is a cache
	_ = db                                    //pgtxvet:ignore other,demo the table is a cache // want "this directive silences nothing: demo reports no finding here"
}

// A directive for another rule is that rule's.
func otherRule(ctx context.Context, db *sql.DB) {
	db.ExecContext(ctx, `DELETE FROM orders`) //pgtxvet:ignore other for another rule // want "a statement"
}

// A directive begins its comment, without a space, and its name is whole.
func noDirective(ctx context.Context, db *sql.DB) {
	db.ExecContext(ctx, `DELETE FROM orders`) // pgtxvet:ignore demo with a space // want "a statement"
	db.ExecContext(ctx, `DELETE FROM orders`) //pgtxvet:ignored demo another word // want "a statement"
}
