package txflow

import (
	"go/constant"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

// opensAlien reports whether a call opens a pool with the driver of another
// database system: sql.Open("sqlserver", dsn).
func opensAlien(call ssa.CallInstruction) bool {
	args := call.Common().Args
	if len(args) == 0 {
		return false
	}
	name, ok := args[0].(*ssa.Const)
	if !ok || name.Value == nil || name.Value.Kind() != constant.String {
		return false
	}
	system := dbapi.DriverDialect(constant.StringVal(name.Value))
	return system != "" && system != "postgres"
}

// alien reports whether a handle is one of another database system, or was begun
// on one or taken from one.
func (e *engine) alien(h Value) bool {
	return e.resolve(h.Root()).Alien
}
