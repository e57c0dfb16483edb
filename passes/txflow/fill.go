package txflow

import (
	"go/types"
	"reflect"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

// A fill is a variable that a call fills: with the columns of a row, or with
// something that it decodes.
type fill struct {
	dst ssa.Value // a pointer
	at  func(path string) sources
}

// fills returns the variables that a call of a library fills.
func (e *engine) fills(call ssa.CallInstruction) []fill {
	if got, ok := e.filled[call]; ok {
		return got
	}
	if e.filled == nil {
		e.filled = map[ssa.CallInstruction][]fill{}
	}
	e.filled[call] = nil // in recursion
	var out []fill
	for _, c := range e.callees(call.Common()) {
		if f := c.api(); f != nil {
			out = append(out, e.fillsOfAPI(call, &c, f)...)
			continue
		}
		if c.fn == nil && c.foreign == nil && decodes(c.name) && len(c.args) >= 2 {
			src, dst := c.args[0], c.args[len(c.args)-1]
			out = append(out, fill{unwrap(dst), func(string) sources { return e.origin(src, "", call).computed() }})
		}
	}
	e.filled[call] = out
	return out
}

// decodes reports whether a function decodes its first argument into its last.
func decodes(name string) bool {
	name = name[strings.LastIndexByte(name, '.')+1:]
	return strings.HasPrefix(name, "Unmarshal") || strings.HasPrefix(name, "Decode")
}

func (e *engine) fillsOfAPI(call ssa.CallInstruction, c *callee, f *dbapi.Func) []fill {
	var rows func() sources
	switch f.Role {
	case dbapi.Scan, dbapi.Collect:
		from := c.arg(f.From)
		if from == nil {
			return nil
		}
		rows = func() sources { return e.origin(unwrap(from), "", call) }
	case dbapi.Run, dbapi.RunStmt, dbapi.Finish:
		rows = func() sources { return sources{{base: callKey{call: call}}} }
	default:
		return nil
	}
	var out []fill
	scans := f.Role == dbapi.Scan || fillsModel[f.Clause] && f.Role == dbapi.Finish && f.Dst == 0
	if els := variadic(c.arg(f.Args)); scans && len(els) > 0 {
		for i, el := range els {
			if el == nil {
				continue
			}
			dst := unwrap(el)
			if structOf(dst.Type()) != nil && len(els) == 1 && f.Role == dbapi.Finish {
				out = append(out, byName(dst, rows))
				continue
			}
			col := "[" + strconv.Itoa(i) + "]"
			// A NullString's String is the column, as the NullString is.
			out = append(out, fill{dst, func(string) sources { return rows().below(col) }})
		}
		return out
	}
	if dst := c.arg(f.Dst); dst != nil {
		return append(out, e.fillOfDst(unwrap(onlyOne(dst)), f, rows))
	}
	if scans {
		// bun and go-pg: into the model.
		if m := e.modelOf(c, f); m != nil {
			return append(out, byName(m, rows))
		}
	}
	return out
}

// fillsModel are the calls that end a chain and, where they have no other
// destination, fill its model.
var fillsModel = map[string]bool{"scan": true, "select": true, "selectandcount": true, "first": true, "last": true}

// modelOf returns the model that a chain was given, where it is a pointer to a
// variable.
func (e *engine) modelOf(c *callee, f *dbapi.Func) ssa.Value {
	a := c.arg(f.Handle)
	if a == nil {
		return nil
	}
	var model ssa.Value
	for _, chain := range e.chains(a, 0) {
		for _, l := range chain {
			if l.api.Clause == "model" {
				if a := l.c.arg(l.api.Value); a != nil {
					model = unwrap(onlyOne(a))
				}
			}
		}
	}
	return model
}

// fillOfDst is the fill of a destination that columns are read into by name, or
// by position where it is no struct.
func (e *engine) fillOfDst(dst ssa.Value, f *dbapi.Func, rows func() sources) fill {
	scalar := f.Clause == "count" || f.Clause == "pluck"
	t := elementType(dst.Type())
	if _, ok := t.Underlying().(*types.Struct); !ok || scalar || isScalarStruct(t) {
		if _, iface := t.Underlying().(*types.Interface); !iface {
			return fill{dst, func(path string) sources { return rows().below("[0]") }}
		}
	}
	return byName(dst, rows)
}

func byName(dst ssa.Value, rows func() sources) fill {
	t := elementType(dst.Type())
	return fill{dst, func(path string) sources {
		if path == "" {
			return rows()
		}
		return rows().below(columnPath(t, path))
	}}
}

// isScalarStruct reports whether a struct type is one column: a time, a
// sql.NullString.
func isScalarStruct(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	switch n.Obj().Pkg().Path() {
	case "time", "database/sql", "github.com/jackc/pgx/v5/pgtype", "github.com/jackc/pgtype", "github.com/shopspring/decimal", "github.com/google/uuid":
		return true
	}
	ms := types.NewMethodSet(types.NewPointer(t))
	return ms.Lookup(nil, "Scan") != nil
}

// columnPath returns, as a path, the column that the field at path of a struct
// of type t is read from.
func columnPath(t types.Type, path string) string {
	if path == "" {
		return ""
	}
	if name := columnOfField(t, path); name != "" {
		return "{" + name + "}"
	}
	return path
}

// columnTags are the keys of the struct tags in which libraries look for a
// column's name.
var columnTags = []string{"db", "bun", "pg", "gorm", "xorm", "sql", "boil"}

// columnOfField returns the column of the field at path of a struct, in the form
// of [normal].
func columnOfField(t types.Type, path string) string {
	prefix := ""
	for path != "" {
		st := structOf(t)
		if st == nil {
			break
		}
		_, rest := splitPath(path)
		f := fieldIndex(t, path)
		if f < 0 {
			break
		}
		field := st.Field(f)
		ft := field.Type()
		if inner := structOf(ft); inner != nil && rest != "" && !isScalarStruct(derefPtr(ft)) {
			t, path = ft, rest // embedded, or a relation
			if name, _, _ := strings.Cut(reflect.StructTag(st.Tag(f)).Get("db"), ","); name != "" {
				prefix += name + "." // sqlx, scany
			}
			continue
		}
		return normal(prefix + columnName(st, f))
	}
	last := path[strings.LastIndexByte(path, '.')+1:]
	return normal(last)
}

// columnName returns the column that the tags of a field give it, or the field's
// own name.
func columnName(st *types.Struct, i int) string {
	tag := reflect.StructTag(st.Tag(i))
	for _, key := range columnTags {
		v := tag.Get(key)
		if v == "" {
			continue
		}
		if key == "gorm" {
			for part := range strings.SplitSeq(v, ";") {
				if k, name, ok := strings.Cut(strings.TrimSpace(part), ":"); ok && strings.EqualFold(k, "column") {
					return name
				}
			}
			continue
		}
		if key == "xorm" {
			if name := xormColumn(tag); name != "" {
				return name
			}
			continue
		}
		name, _, _ := strings.Cut(v, ",")
		if name != "" && !strings.Contains(name, ":") && name != "primary_key" { // which Jet's models say
			return name
		}
	}
	return snake(st.Field(i).Name())
}

// normal is a column's name as libraries compare it with a field's: lower case
// and without underscores.
func normal(name string) string {
	return strings.ReplaceAll(strings.ToLower(strings.Trim(name, `"`)), "_", "")
}

// SameColumn reports whether two names are one column's, as libraries compare a
// column with a field: without regard to case, quotes and underscores.
func SameColumn(a, b string) bool { return normal(a) == normal(b) }
