package txflow

import (
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// placeholders are those of the texts of bun and go-pg: ? takes the next argument, ?0 the one
// of that number, and ?name what the name stands for.
var placeholders = regexp.MustCompile(`\?([A-Za-z0-9_]*)\.?`)

// expand puts what placeholders with names stand for into the text from part n
// on. It returns the values of those that are left.
func (r *renderer) expand(n int, args []chainValue) []chainValue {
	var values []chainValue
	for i := n; i < len(r.text); i++ {
		if r.text[i].Hole != nil {
			continue
		}
		r.text[i].Lit = placeholders.ReplaceAllStringFunc(r.text[i].Lit, func(mark string) string {
			name, dot := strings.CutSuffix(mark[1:], ".")
			rest := map[bool]string{true: "."}[dot]
			if name == "" {
				if len(args) == 0 {
					r.lost = true
					return mark
				}
				v := args[0]
				args = args[1:]
				if ident := r.identifier(v.v); ident != "" {
					return ident + rest
				}
				values = append(values, v)
				return mark
			}
			text, value := r.named(name)
			if text != "" {
				return text + rest
			}
			if value.v != nil {
				values = append(values, value)
				return "?" + rest
			}
			r.lost = true
			return "?" + rest
		})
	}
	return append(values, args...)
}

// identifiers are the types of arguments that are names in place of values.
var identifiers = map[string]bool{
	"github.com/uptrace/bun/schema.Ident": true, "github.com/uptrace/bun/schema.Name": true, "github.com/uptrace/bun/schema.Safe": true,
	"github.com/go-pg/pg/v10/types.Ident": true, "github.com/go-pg/pg/v10/types.Safe": true,
}

// identifier returns the name that an argument is, or "" where it is a value or is
// not known.
func (r *renderer) identifier(v ssa.Value) string {
	if v == nil || !identifiers[typeName(types.Unalias(unwrapNamed(v).Type()))] {
		return ""
	}
	name, _ := r.constant(unwrapNamed(v))
	return name
}

// modelName is what a name stands for: the table, its alias, its key, or a field of
// the model by its column.
func (r *renderer) modelName(name string, alias func(types.Type) string) (string, chainValue) {
	m := r.model()
	if m == nil {
		return "", chainValue{}
	}
	switch name {
	case "TableName":
		return r.e.modelTable(unwrap(m).Type()), chainValue{}
	case "TableAlias":
		return alias(elementType(unwrap(m).Type())), chainValue{}
	case "PKs", "TablePKs":
		if key := primaryKey(unwrap(m).Type()); len(key) == 1 {
			return quoted(key[0].name), chainValue{}
		}
		return "", chainValue{}
	}
	for _, c := range modelColumns(unwrap(m).Type()) {
		if c.name == name {
			return "", chainValue{v: unwrap(m), path: c.path}
		}
	}
	return "", chainValue{}
}

// bunName is what a name stands for.
func (r *renderer) bunName(name string) (string, chainValue) { return r.modelName(name, bunAlias) }

// bunAlias is the alias of a model's table: of its tag, or the type's name.
func bunAlias(t types.Type) string {
	st := structOf(t)
	for i := 0; st != nil && i < st.NumFields(); i++ {
		if !isBaseModel(st.Field(i).Type()) {
			continue
		}
		for o := range strings.SplitSeq(bunTag(st.Tag(i)), ",") {
			if alias, ok := strings.CutPrefix(strings.TrimSpace(o), "alias:"); ok {
				return alias
			}
		}
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && st != nil {
		return snake(n.Obj().Name())
	}
	return ""
}
