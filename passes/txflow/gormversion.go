package txflow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// heldVersion returns the column by which an UPDATE of a model of gorm tells
// whether somebody else has changed the row: gorm lets the type of a field add
// clauses to an UPDATE (schema.UpdateClausesInterface), and a type that adds
// some there alone, and not to DELETE and SELECT as a soft delete does, keeps a
// version, as gorm.io/plugin/optimisticlock and its copies do. Nil if there is none, or
// nothing compares it: because the model is a new value, is Unscoped, or goes through
// Save, which inserts the row again, over the other's change, where the UPDATE has
// met none.
func (r *renderer) heldVersion(model ssa.Value) *modelColumn {
	if model == nil || r.last("unscoped") != nil || r.finish.api.Clause == "save" && r.last("select") == nil {
		return nil
	}
	v := unwrap(model)
	for _, c := range modelColumns(v.Type()) {
		if addsToUpdates(c.field.Type()) && brings(v, c.name) {
			return &c
		}
	}
	return nil
}

// addsToUpdates reports whether gorm asks a field's type for clauses of UPDATE,
// and of no other statement that looks for rows.
func addsToUpdates(t types.Type) bool {
	if _, named := types.Unalias(derefPtr(t)).(*types.Named); !named {
		return false
	}
	ms := types.NewMethodSet(types.NewPointer(derefPtr(t)))
	has := func(name string) bool { return ms.Lookup(nil, name) != nil }
	return has("UpdateClauses") && !has("QueryClauses") && !has("DeleteClauses")
}

// isVersion reports whether a column that adds to updates is a version by its name
// or its type's.
func (c *modelColumn) isVersion() bool {
	name := typeName(derefPtr(c.field.Type()))
	return strings.Contains(strings.ToLower(name[strings.LastIndexByte(name, '.')+1:]+" "+c.name), "version")
}

// nextVersion writes the assignment of the version.
func (r *renderer) nextVersion(c *modelColumn) {
	if c != nil && c.isVersion() {
		r.lit(`, "` + c.name + `" = "` + c.name + `" + 1`)
	}
}

// sameVersion writes the condition on the version, or a hole if the column may
// be something else.
func (r *renderer) sameVersion(model ssa.Value, c *modelColumn) {
	switch {
	case c == nil:
	case c.isVersion():
		r.and()
		r.lit(`"` + c.name + `" = `)
		r.placeholder(unwrap(model), c.path)
	default:
		r.and()
		r.hole(sqltext.Unknown)
	}
}
