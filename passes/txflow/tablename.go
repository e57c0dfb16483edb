package txflow

import (
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// modelTable names the table of a model's type: what its method TableName
// returns, what its tags say, or the plural of its name, as gorm and bun have it.
// It is "" where the type is no model, or its name is not a constant.
func (e *engine) modelTable(t types.Type) string {
	t = elementType(t)
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || structOf(n) == nil {
		return ""
	}
	if name, has := e.tableMethod(n); has {
		return name
	}
	if name := taggedTable(structOf(n)); name != "" {
		return name
	}
	name := plural(snake(n.Obj().Name()))
	e.guess(name)
	return name
}

// guess notes that a table has its name by convention.
func (e *engine) guess(name string) {
	if e.guessedTables == nil {
		e.guessedTables = map[string]bool{}
	}
	e.guessedTables[name] = true
}

// tableMethod returns what the method TableName of a model returns, "" where that
// is no constant.
func (e *engine) tableMethod(n *types.Named) (name string, has bool) {
	sel := types.NewMethodSet(types.NewPointer(n)).Lookup(n.Obj().Pkg(), "TableName")
	if sel == nil {
		return "", false
	}
	obj, ok := sel.Obj().(*types.Func)
	if !ok {
		return "", false
	}
	// Pop's models may be given the context.
	if p := obj.Signature().Params(); p.Len() > 1 || p.Len() == 1 && !isContext(p.At(0).Type()) {
		return "", false
	}
	var got Value
	if fn := e.prog.FuncValue(obj.Origin()); fn != nil && e.body(fn) != nil {
		got = e.returned(fn, 0, "")
	} else if f := e.foreign(obj, fullName(obj)); f != nil {
		got = f.results[resultKey{0, ""}]
	}
	v := constant.MakeFromLiteral(got.Const, token.STRING, 0)
	if got.Kind != Constant || v.Kind() != constant.String {
		return "", true
	}
	name = constant.StringVal(v)
	return name[strings.LastIndexByte(name, '.')+1:], true
}

// taggedTable returns the table that bun's base model names, or the field
// tableName of go-pg's models.
func taggedTable(st *types.Struct) string {
	for i := range st.NumFields() {
		if st.Field(i).Name() == "tableName" {
			name, _, _ := strings.Cut(reflect.StructTag(st.Tag(i)).Get("pg"), ",")
			if name != "" && !strings.ContainsAny(name, `:"?`) {
				return name[strings.LastIndexByte(name, '.')+1:]
			}
		}
		if !isBaseModel(st.Field(i).Type()) {
			continue
		}
		for part := range strings.SplitSeq(reflect.StructTag(st.Tag(i)).Get("bun"), ",") {
			if name, ok := strings.CutPrefix(strings.TrimSpace(part), "table:"); ok {
				return name[strings.LastIndexByte(name, '.')+1:]
			}
		}
	}
	return ""
}

// irregular are plurals that follow no rule, and words that have none.
var irregular = map[string]string{
	"person": "people", "man": "men", "woman": "women", "child": "children", "mouse": "mice", "quiz": "quizzes", "ox": "oxen",
	"equipment": "equipment", "information": "information", "rice": "rice", "money": "money", "species": "species", "series": "series",
	"fish": "fish", "sheep": "sheep", "jeans": "jeans", "police": "police", "data": "data", "staff": "staffs",
}

// plural makes the plural of the last word of a name in snake case, by the rules
// that gorm and bun share.
func plural(name string) string {
	cut := strings.LastIndexByte(name, '_') + 1
	head, w := name[:cut], name[cut:]
	if p, ok := irregular[w]; ok {
		return head + p
	}
	end := func(suffixes ...string) string {
		for _, s := range suffixes {
			if strings.HasSuffix(w, s) {
				return s
			}
		}
		return ""
	}
	switch {
	case w == "":
		return name
	case end("data", "ia") != "" && end("media", "criteria", "data") != "":
		return name
	case end("sis") != "":
		return head + strings.TrimSuffix(w, "sis") + "ses"
	case end("ss", "sh", "ch", "x") != "":
		return head + w + "es"
	case end("s") != "":
		if end("status", "alias", "virus", "bus", "bonus", "campus") != "" {
			return head + w + "es"
		}
		return name
	case end("y") != "" && end("ay", "ey", "iy", "oy", "uy") == "":
		return head + strings.TrimSuffix(w, "y") + "ies"
	case end("lf", "rf") != "":
		return head + strings.TrimSuffix(w, "f") + "ves"
	case end("ife") != "":
		return head + strings.TrimSuffix(w, "fe") + "ves"
	case end("tomato", "buffalo", "hero", "potato", "echo") != "":
		return head + w + "es"
	}
	return head + w + "s"
}

// halfBuilt reports whether the argument v is a handle that clauses were added to,
// which become part of the statement in the function that is called.
func (e *engine) halfBuilt(v ssa.Value) bool {
	if _, flow := e.kindOfType(deref(v.Type())); !flow {
		return false
	}
	for _, chain := range e.chains(v, 0) {
		for _, l := range chain {
			switch l.api.Clause {
			case "clauses", "scopes", "opaque", "set", "where", "joins", "unscoped", "for":
				return true
			}
		}
	}
	return false
}

// isBaseModel reports whether t is the struct that bun's models embed.
func isBaseModel(t types.Type) bool {
	name := typeName(t)
	return strings.HasPrefix(name, "github.com/uptrace/bun") && strings.HasSuffix(name, ".BaseModel")
}
