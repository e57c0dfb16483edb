// Package version is optimistic locking for GORM: a field of type Version makes
// each UPDATE of its model compare the version that was read, and raise it.
package version

import (
	"database/sql"
	"database/sql/driver"
	"reflect"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/schema"
)

// Version counts the changes of a row. One that is not valid is not compared.
type Version sql.NullInt64

// Of returns a version that is compared.
func Of(n int) Version { return Version{Int64: int64(n), Valid: true} }

// Scan implements [sql.Scanner].
func (v *Version) Scan(value any) error { return (*sql.NullInt64)(v).Scan(value) }

// Value implements [driver.Valuer].
func (v Version) Value() (driver.Value, error) { return sql.NullInt64(v).Value() }

// UpdateClauses implements [schema.UpdateClausesInterface].
func (v *Version) UpdateClauses(f *schema.Field) []clause.Interface {
	return []clause.Interface{compare{f}}
}

// compare adds the condition and the assignment to a statement.
type compare struct{ field *schema.Field }

func (c compare) Name() string               { return "" }
func (c compare) Build(clause.Builder)       {}
func (c compare) MergeClause(*clause.Clause) {}

// ModifyStatement implements [gorm.StatementModifier].
func (c compare) ModifyStatement(stmt *gorm.Statement) {
	const done = "version compared"
	if _, ok := stmt.Clauses[done]; ok || stmt.Unscoped {
		return
	}
	stmt.Clauses[done] = clause.Clause{}
	if v, zero := c.field.ValueOf(stmt.Context, stmt.ReflectValue); !zero {
		stmt.AddClause(clause.Where{Exprs: []clause.Expression{
			clause.Eq{Column: clause.Column{Table: clause.CurrentTable, Name: c.field.DBName}, Value: v},
		}})
	}
	stmt.Dest = c.columns(stmt)
	stmt.SetColumn(c.field.DBName, clause.Expr{SQL: stmt.Quote(c.field.DBName) + " + 1"}, true)
}

// columns returns what is written as a map, in which a column can be an
// expression, without the version.
func (c compare) columns(stmt *gorm.Statement) any {
	dest := reflect.ValueOf(stmt.Dest)
	if reflect.Indirect(dest).Kind() != reflect.Struct {
		return stmt.Dest
	}
	selected, restricted := stmt.SelectAndOmitColumns(false, true)
	out := map[string]any{}
	for _, f := range stmt.Schema.Fields {
		value, zero := f.ValueOf(stmt.Context, dest)
		named, told := selected[f.DBName]
		if f.DBName != "" && f != c.field && f.Updatable && (told && named || !told && !restricted && !zero) {
			out[f.DBName] = value
		}
	}
	return out
}
