package txflow

import (
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

// A tellKind is what a branch tells about an error.
type tellKind uint8

const (
	tellsNothing     tellKind = iota
	tellsNil                  // it is nil
	tellsSet                  // it is not
	tellsNoRows               // it says that there is no row
	tellsOtherThan            // it is set or not, but does not say that
	tellsState                // it has an SQLSTATE that does not ask for another try
	tellsConflict             // its SQLSTATE asks for another try
	tellsNoConflict           // it does not
	tellsDriver               // PostgreSQL sent it
	tellsNoDriver             // it did not
	tellsSentinel             // it is the variable named
	tellsNotSentinel          // it is not
	tellsOwn                  // it is of a type that no driver has, and that holds no other error
	tellsOther                // something that is not understood
)

// A tell is what one edge of a branch tells about an error.
type tell struct {
	kind tellKind
	v    ssa.Value // the error that is tested, where it is compared
	name string    // the variable it is compared with
}

// tellOf says what the j-th edge out of b tells about an error that holds is
// true for.
func (e *engine) tellOf(b *ssa.BasicBlock, j int, holds func(ssa.Value) bool) tell {
	br, ok := lastInstr(b).(*ssa.If)
	if !ok {
		return tell{}
	}
	return e.tellOfCond(br.Cond, j == 0, holds, 0)
}

func (e *engine) tellOfCond(v ssa.Value, truth bool, holds func(ssa.Value) bool, depth int) tell {
	if depth > 4 {
		return tell{}
	}
	switch c := v.(type) {
	case *ssa.UnOp:
		if c.Op == token.NOT {
			return e.tellOfCond(c.X, !truth, holds, depth+1)
		}
	case *ssa.Phi:
		// a && b that was kept in a variable: where it is true, b is.
		var last ssa.Value
		for _, edge := range c.Edges {
			if k, ok := edge.(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.Bool && constant.BoolVal(k.Value) != truth {
				continue
			}
			if last != nil {
				return tell{}
			}
			last = edge
		}
		if last != nil {
			return e.tellOfCond(last, truth, holds, depth+1)
		}
	case *ssa.BinOp:
		if c.Op == token.EQL || c.Op == token.NEQ {
			return tellOfComparison(c, truth == (c.Op == token.EQL), holds)
		}
	case *ssa.Extract:
		return e.tellOfOK(c, truth, holds)
	case *ssa.Call:
		return e.tellOfCall(c, truth, holds)
	}
	return tell{}
}

func tellOfComparison(c *ssa.BinOp, equal bool, holds func(ssa.Value) bool) tell {
	for _, p := range [][2]ssa.Value{{c.X, c.Y}, {c.Y, c.X}} {
		v, w := p[0], p[1]
		if k, ok := w.(*ssa.Const); ok && k.Value != nil {
			if t := tellOfCode(k, equal); t.kind != tellsNothing && isCode(v) {
				return t
			}
			continue
		}
		if !holds(v) {
			continue
		}
		switch {
		case isNil(w):
			return tell{kind: either(equal, tellsNil, tellsSet), v: v}
		case sentinelName(w) != "":
			return tellOfSentinel(w, equal)
		}
		return tell{kind: tellsOther}
	}
	return tell{}
}

// isCode reports whether v is a code that was read from an error.
func isCode(v ssa.Value) bool {
	name := ""
	switch v := unwrap(v).(type) {
	case *ssa.UnOp:
		if fa, ok := v.X.(*ssa.FieldAddr); ok {
			name = structOf(fa.X.Type()).Field(fa.Field).Name()
		}
	case *ssa.Field:
		name = structOf(v.X.Type()).Field(v.Field).Name()
	case *ssa.Call:
		if m := v.Common().Method; m != nil {
			name = m.Name()
		} else if fn := v.Common().StaticCallee(); fn != nil {
			name = fn.Name()
		}
	case *ssa.Parameter:
		name = v.Name()
	}
	name = strings.ToLower(name)
	return strings.Contains(name, "code") || strings.Contains(name, "state") || name == "name"
}

func either(is bool, yes, no tellKind) tellKind {
	if is {
		return yes
	}
	return no
}

// tellOfCode says what it tells that an SQLSTATE is, or is not, the constant.
func tellOfCode(k *ssa.Const, equal bool) tell {
	switch {
	case isRetryCode(k):
		return tell{kind: either(equal, tellsConflict, tellsNoConflict)}
	case isSQLState(k) && equal:
		return tell{kind: tellsState}
	}
	return tell{}
}

func tellOfSentinel(v ssa.Value, is bool) tell {
	if isNoRows(v) {
		return tell{kind: either(is, tellsNoRows, tellsOtherThan)}
	}
	name := sentinelName(v)
	if codeOfVariable(name) != "" {
		if is {
			return tell{kind: tellsState}
		}
		return tell{}
	}
	if name == "" {
		return tell{kind: tellsOther}
	}
	return tell{kind: either(is, tellsSentinel, tellsNotSentinel), name: name}
}

// tellOfOK reads the boolean of errors.AsType and of type assertions.
func (e *engine) tellOfOK(x *ssa.Extract, truth bool, holds func(ssa.Value) bool) tell {
	if x.Index != 1 {
		return tell{}
	}
	var typ types.Type
	switch t := x.Tuple.(type) {
	case *ssa.TypeAssert:
		if !holds(t.X) {
			return tell{}
		}
		typ = t.AssertedType
	case *ssa.Call:
		if fn := t.Common().StaticCallee(); fn == nil || !strings.HasPrefix(fn.Name(), "AsType") || len(t.Common().Args) == 0 || !holds(t.Common().Args[0]) {
			return tell{}
		}
		typ = t.Common().Signature().Results().At(0).Type()
	default:
		return tell{}
	}
	return tellOfType(typ, truth)
}

// tellOfType says what it tells that an error is, or is not, of a type.
func tellOfType(t types.Type, is bool) tell {
	switch {
	case driverErrors[typeName(t)]:
		return tell{kind: either(is, tellsDriver, tellsNoDriver)}
	case ownError(t):
		return tell{kind: either(is, tellsOwn, tellsNothing)}
	}
	return tell{kind: either(is, tellsOther, tellsNothing)}
}

// ownError reports whether an error of the type is none that a server has sent: it
// is a type of the user's that has no place for another error.
func ownError(t types.Type) bool {
	n, ok := types.Unalias(derefPtr(t)).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || dbapi.Known(n.Obj().Pkg().Path()) {
		return false
	}
	st, ok := n.Underlying().(*types.Struct)
	if !ok || types.NewMethodSet(types.NewPointer(n)).Lookup(nil, "Unwrap") != nil {
		return false
	}
	for f := range st.Fields() {
		if types.IsInterface(f.Type()) || f.Embedded() {
			return false
		}
	}
	return true
}

// testsOwnType reports whether a predicate does nothing but ask whether an error is
// of a type that no driver has.
func (e *engine) testsOwnType(fn *ssa.Function) bool {
	if len(fn.Blocks) != 1 || len(fn.Params) != 1 || !isError(fn.Params[0].Type()) {
		return false
	}
	ret, ok := lastInstr(fn.Blocks[0]).(*ssa.Return)
	if !ok || len(ret.Results) != 1 {
		return false
	}
	t := e.tellOfCond(ret.Results[0], true, func(v ssa.Value) bool { return v == fn.Params[0] }, 0)
	return t.kind == tellsOwn
}

// tellOfCall reads a function that tests an error.
func (e *engine) tellOfCall(c *ssa.Call, truth bool, holds func(ssa.Value) bool) tell {
	args := c.Common().Args
	tested := slices.ContainsFunc(args, func(a ssa.Value) bool {
		return holds(unwrap(a)) || driverErrors[typeName(unwrap(a).Type())] || holds(messageOf(a))
	})
	for _, callee := range e.callees(c.Common()) {
		if f := callee.api(); f != nil && f.Role == dbapi.TestCode {
			if f.Clause == "norows" {
				return tell{kind: either(truth, tellsNoRows, tellsOtherThan)}
			}
			if slices.ContainsFunc(f.Codes, func(code string) bool { return strings.HasPrefix(code, "40") }) {
				return tell{kind: either(truth, tellsConflict, tellsNoConflict)}
			}
			return tell{kind: either(truth, tellsState, tellsNothing)}
		}
		if !tested {
			continue
		}
		switch callee.name {
		case "errors.Is", "github.com/pkg/errors.Is":
			return tellOfSentinel(args[len(args)-1], truth)
		case "errors.As", "github.com/pkg/errors.As":
			return tellOfType(derefPtr(unwrap(args[len(args)-1]).Type()), truth)
		case "strings.Contains":
			if k, ok := args[len(args)-1].(*ssa.Const); ok {
				return tellOfCode(k, truth)
			}
		}
		codes, states := e.testsOf(&callee)
		switch {
		case codes:
			return tell{kind: either(truth, tellsConflict, tellsNoConflict)}
		case states:
			return tell{kind: either(truth, tellsState, tellsNothing)}
		case e.ownTypeTested(&callee):
			return tell{kind: either(truth, tellsOwn, tellsNothing)}
		}
	}
	if tested {
		return tell{kind: tellsOther}
	}
	return tell{}
}

// testsOf says whether a predicate tests for the SQLSTATEs that ask for another
// try, or for others.
func (e *engine) testsOf(c *callee) (codes, states bool) {
	switch {
	case c.fn != nil:
		return e.testsCode(c.fn, 0), e.testsSQLState(c.fn)
	case c.foreign != nil:
		return c.foreign.testsCode, c.foreign.testsState
	}
	return false, false
}

// ownTypeTested reports whether a predicate is [engine.testsOwnType].
func (e *engine) ownTypeTested(c *callee) bool {
	if c.fn != nil {
		return e.testsOwnType(c.fn)
	}
	return c.foreign != nil && c.foreign.testsOwn
}

// messageOf returns the error whose text v is: err in err.Error(). It returns v
// when it is no such text.
func messageOf(v ssa.Value) ssa.Value {
	if call, ok := v.(*ssa.Call); ok && call.Common().IsInvoke() && call.Common().Method.Name() == "Error" {
		return call.Common().Value
	}
	return v
}

// noRowsNames are the variables that say that a query returned no row.
var noRowsNames = map[string]bool{"ErrNoRows": true, "ErrRecordNotFound": true}

func isNoRows(v ssa.Value) bool {
	if ld, ok := unwrap(v).(*ssa.UnOp); ok && ld.Op == token.MUL {
		if g, ok := ld.X.(*ssa.Global); ok {
			return noRowsNames[g.Name()]
		}
	}
	return false
}

// codeOfVariable returns the SQLSTATE for which a library's error variable stands.
func codeOfVariable(name string) string {
	for _, lib := range dbapi.Libraries() {
		if code := lib.Codes[name]; code != "" {
			return code
		}
	}
	return ""
}

// driverErrors are the types of the errors that carry an SQLSTATE.
var driverErrors = map[string]bool{
	"*github.com/jackc/pgx/v5/pgconn.PgError": true,
	"*github.com/jackc/pgconn.PgError":        true,
	"*github.com/lib/pq.Error":                true,
	"github.com/go-pg/pg/v10.Error":           true,
}

// sqlState matches an SQLSTATE and the names and messages of the class of
// violated constraints. All SQLSTATEs of that are met have a digit.
var sqlState = regexp.MustCompile(`^([0-9A-Z][0-9][0-9A-Z]{3}|[0-9A-Z]{2}[0-9]{3}|[a-z_]+_violation|.*duplicate key.*|.*violates [a-z-]+ constraint.*)$`)

func isSQLState(k *ssa.Const) bool {
	return k.Value != nil && k.Value.Kind() == constant.String && sqlState.MatchString(constant.StringVal(k.Value))
}

// testsSQLState reports whether a predicate compares with an SQLSTATE.
func (e *engine) testsSQLState(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.BinOp:
				if in.Op != token.EQL && in.Op != token.NEQ {
					continue
				}
				for _, v := range []ssa.Value{in.X, in.Y} {
					if k, ok := v.(*ssa.Const); ok && isSQLState(k) {
						return true
					}
				}
			case *ssa.Call:
				for _, c := range e.callees(in.Common()) {
					if f := c.api(); f != nil && f.Role == dbapi.TestCode && f.Clause != "norows" {
						return true
					}
					if args := in.Common().Args; c.name == "strings.Contains" && len(args) == 2 {
						if k, ok := args[1].(*ssa.Const); ok && isSQLState(k) {
							return true
						}
					}
				}
			}
		}
	}
	return false
}
