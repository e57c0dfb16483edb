package txflow

import (
	"go/constant"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/pgsql"
)

// isolations are the names that libraries and the SQL standard give the levels.
var isolations = map[string]pgsql.Isolation{
	"serializable":     pgsql.Serializable,
	"repeatable read":  pgsql.RepeatableRead,
	"read committed":   pgsql.ReadCommitted,
	"read uncommitted": pgsql.ReadUncommitted,
}

// sqlLevels are the values of database/sql.IsolationLevel. PostgreSQL's
// drivers run LevelSnapshot as REPEATABLE READ and LevelLinearizable not at all.
//
// Source: https://pkg.go.dev/database/sql#IsolationLevel
var sqlLevels = map[string]pgsql.Isolation{
	"0": pgsql.IsolationDefault, "1": pgsql.ReadUncommitted, "2": pgsql.ReadCommitted, "3": pgsql.ReadCommitted,
	"4": pgsql.RepeatableRead, "5": pgsql.RepeatableRead, "6": pgsql.Serializable, "7": pgsql.Serializable,
}

// mode reads the transaction options v: a struct of database/sql or pgx, a
// pointer to one, the slice of a variadic call, or a value that settings
// functions made (go-transaction-manager).
func (e *engine) mode(v ssa.Value) Mode { return e.modeOf(v, 0) }

func (e *engine) modeOf(v ssa.Value, depth int) Mode {
	if v == nil || isNil(v) {
		return Mode{}
	}
	if depth > 6 {
		return Mode{Unknown: true}
	}
	if els := variadic(v); els != nil {
		var m Mode
		for _, el := range els {
			if el != nil {
				m = m.merge(e.modeOf(el, depth+1))
			}
		}
		return m
	}
	v = unwrap(v)
	var m Mode
	found := false
	for _, field := range []string{".Isolation", ".IsoLevel"} {
		if fieldType(deref(v.Type()), field) == nil && fieldType(v.Type(), field) == nil {
			continue
		}
		found = true
		switch got := e.eval(v, field); got.Kind {
		case Constant:
			m.Isolation = levelOf(got.Const)
		case Symbolic:
			m.level = &got
		case Unknown:
			if _, zero := got.Base.(*ssa.Alloc); !zero {
				m.Unknown = true
			}
		default:
			m.Unknown = true
		}
	}
	if found {
		for _, field := range []string{".ReadOnly", ".AccessMode"} {
			if got := e.eval(v, field); got.Kind == Constant && (got.Const == "true" || unquote(got.Const) == "read only") {
				m.ReadOnly = true
			}
		}
		if got := e.eval(v, ".DeferrableMode"); got.Kind == Constant && unquote(got.Const) == "deferrable" {
			m.Deferrable = true
		}
		return m.merge(e.beginText(v))
	}
	for _, src := range e.settings(v, depth) {
		m = m.merge(e.modeOf(src, depth+1))
		found = true
	}
	if !found {
		m.Unknown = true
	}
	return m
}

// beginText is what the text says with which pgx is told to begin, in place of what
// the other options say.
func (e *engine) beginText(v ssa.Value) Mode {
	if fieldType(deref(v.Type()), ".BeginQuery") == nil && fieldType(v.Type(), ".BeginQuery") == nil {
		return Mode{}
	}
	got := e.eval(v, ".BeginQuery")
	if got.Kind != Constant {
		return Mode{}
	}
	for _, st := range pgsql.Parse(pgsql.Source{Text: unquote(got.Const)}) {
		if st.Kind == pgsql.Begin {
			return Mode{Isolation: st.Tx.Isolation, ReadOnly: st.Tx.ReadOnly, Deferrable: st.Tx.Deferrable}
		}
	}
	return Mode{}
}

// mayNotice reports whether the transaction notices that another one has changed
// what it read, or may do so for all that is known.
func (m Mode) mayNotice() bool {
	return m.Isolation >= pgsql.RepeatableRead || m.Unknown || m.level != nil
}

// levelOf reads the constant of an isolation level.
func levelOf(k string) pgsql.Isolation {
	if iso, ok := sqlLevels[k]; ok {
		return iso
	}
	return isolations[strings.ToLower(unquote(k))]
}

// substitute puts a level that a parameter decides into a caller's terms.
func (m Mode) substitute(sub func(Value) Value) Mode {
	m.Here = false
	if m.level == nil {
		return m
	}
	switch got := sub(*m.level); got.Kind {
	case Constant:
		m.Isolation, m.level, m.Here = levelOf(got.Const), nil, true
	case Symbolic:
		m.level = &got
	default:
		m.Unknown, m.level = got.Kind != None, nil
	}
	return m
}

// settings returns the options that go into the value v of a settings function.
func (e *engine) settings(v ssa.Value, depth int) []ssa.Value {
	switch x := v.(type) {
	case *ssa.UnOp:
		if g, ok := x.X.(*ssa.Global); ok {
			return e.globalStores[g]
		}
		if a, ok := x.X.(*ssa.Alloc); ok {
			return e.stores(a)
		}
	case *ssa.Extract:
		if call, ok := x.Tuple.(*ssa.Call); ok {
			return []ssa.Value{call}
		}
	case *ssa.Call:
		var out []ssa.Value
		for _, c := range e.callees(x.Common()) {
			if f := c.api(); f != nil && f.Role == dbapi.Settings {
				for _, a := range c.args {
					if a != nil {
						out = append(out, a)
					}
				}
			} else if c.fn != nil {
				for _, b := range c.fn.Blocks {
					if ret, ok := lastInstr(b).(*ssa.Return); ok && len(ret.Results) > 0 {
						out = append(out, ret.Results[0])
					}
				}
			}
		}
		return out
	}
	return nil
}

func (m Mode) merge(n Mode) Mode {
	if n.Isolation != pgsql.IsolationDefault {
		m.Isolation = n.Isolation
	}
	m.ReadOnly = m.ReadOnly || n.ReadOnly
	m.Deferrable = m.Deferrable || n.Deferrable
	return m
}

func unquote(s string) string {
	v := constant.MakeFromLiteral(s, token.STRING, 0)
	if v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	return s
}
