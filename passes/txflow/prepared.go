package txflow

import (
	"go/constant"
	"regexp"
	"strings"

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

// oneWord matches a text that is no statement, unless it is one of wholeWords.
var oneWord = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.:-]*$`)

// wholeWords are the statements of one word.
var wholeWords = map[string]bool{
	"begin": true, "commit": true, "end": true, "rollback": true, "abort": true, "checkpoint": true, "vacuum": true, "analyze": true,
}

// named returns the texts of the statements that this package prepares under the
// names that texts are: pgx takes a name where it takes a statement. What a name
// of another package stands for is not known.
func (e *engine) named(texts sqltext.Set) sqltext.Set {
	var out sqltext.Set
	for _, t := range texts {
		text, holes := t.Join()
		if len(holes) > 0 || !oneWord.MatchString(text) || wholeWords[strings.ToLower(text)] {
			out = append(out, t)
			continue
		}
		prepared := e.preparedNames()[text]
		if prepared == nil {
			return nil
		}
		out = append(out, prepared...)
	}
	return out
}

// preparedNames returns the statements that this package prepares by name.
func (e *engine) preparedNames() map[string]sqltext.Set {
	if e.namesPrepared != nil {
		return e.namesPrepared
	}
	e.namesPrepared = map[string]sqltext.Set{}
	for _, fn := range e.funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(ssa.CallInstruction); ok {
					e.addPrepared(call)
				}
			}
		}
	}
	return e.namesPrepared
}

func (e *engine) addPrepared(call ssa.CallInstruction) {
	for _, c := range e.callees(call.Common()) {
		f := c.api()
		if f == nil || f.Role != dbapi.Prepare {
			continue
		}
		name, ok := c.arg(f.Stmt).(*ssa.Const)
		if sql := c.arg(f.SQL); ok && sql != nil && name.Value != nil && name.Value.Kind() == constant.String {
			k := constant.StringVal(name.Value)
			e.namesPrepared[k] = append(e.namesPrepared[k], e.text.Resolve(sql)...)
		}
	}
}
