package txflow

import (
	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// prepared returns the handle on which a prepared statement runs, and its texts.
func (e *engine) prepared(stmt Value) (Value, sqltext.Set) {
	call, handle := e.preparation(stmt)
	if call == nil {
		return Value{Kind: Unknown}, nil
	}
	for _, c := range e.callees(call.Common()) {
		f := c.api()
		if f == nil {
			continue
		}
		switch f.Role {
		case dbapi.Prepare:
			if a := c.arg(f.SQL); a != nil {
				return handle, e.text.Resolve(a)
			}
		case dbapi.Derive:
			// tx.Stmt(stmt): prepared elsewhere, run here.
			if a := c.arg(f.Stmt); a != nil {
				_, texts := e.prepared(e.eval(a, ""))
				return handle, texts
			}
		}
	}
	return handle, nil
}

// preparation returns the call that a statement came out of and the handle it
// runs on. A statement that an object keeps is the one that this package puts
// into the field, if all that it puts there is known.
func (e *engine) preparation(stmt Value) (*ssa.Call, Value) {
	if p := stmt.Parameter(); p != nil && stmt.Kind == Stmt {
		stmt = e.fieldValue(p.Type(), stmt.Path, 0)
		if stmt.From != nil {
			from := e.settleStored(*stmt.From, 0)
			stmt.From = &from
		}
	}
	call, ok := stmt.Base.(*ssa.Call)
	if stmt.Kind != Stmt || !ok || stmt.From == nil {
		return nil, Value{}
	}
	return call, *stmt.From
}
