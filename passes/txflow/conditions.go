package txflow

import (
	"cmp"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// An entry is a column and a value: of a map or a struct that a builder is given.
type entry struct {
	column string
	value  ssa.Value
	pos    token.Pos
}

// entries returns the columns and values of a map or struct literal, in source
// order; false where something else may put in others.
func (e *engine) entries(v ssa.Value) ([]entry, bool) {
	v = unwrap(v)
	if ld, ok := v.(*ssa.UnOp); ok && ld.Op == token.MUL {
		v = ld.X
	}
	var out []entry
	var ok bool
	switch v := v.(type) {
	case *ssa.MakeMap:
		out, ok = mapEntries(v, nil, constantKey)
	case *ssa.Alloc:
		out, ok = structEntries(v)
	}
	slices.SortStableFunc(out, func(a, b entry) int { return cmp.Compare(a.pos, b.pos) })
	return out, ok
}

// mapModel returns the columns and values of a map literal in a variable whose
// address a builder is given, and nothing else has; else nil.
func (e *engine) mapModel(model ssa.Value) []entry {
	if model == nil {
		return nil
	}
	a, ok := unwrap(model).(*ssa.Alloc)
	if !ok {
		return nil
	}
	for _, r := range *a.Referrers() {
		switch r.(type) {
		case *ssa.Store, *ssa.MakeInterface, *ssa.DebugRef:
		default:
			return nil
		}
	}
	s := e.stores(a)
	if len(s) != 1 {
		return nil
	}
	m, ok := s[0].(*ssa.MakeMap)
	if !ok {
		return nil
	}
	list, ok := mapEntries(m, a, constantKey)
	if !ok {
		return nil
	}
	slices.SortStableFunc(list, func(a, b entry) int { return cmp.Compare(a.pos, b.pos) })
	return list
}

// constantKey is the text of a key of a map, "" where it is no constant.
func constantKey(v ssa.Value) string {
	if k, ok := unwrap(v).(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.String {
		return constant.StringVal(k.Value)
	}
	return ""
}

// mapEntries returns what is put into a map, which nothing else has but the
// variable, if there is one, with the columns that key makes of the map's keys;
// false where something else may put in others, or a column is "".
func mapEntries(m *ssa.MakeMap, variable *ssa.Alloc, key func(ssa.Value) string) ([]entry, bool) {
	var out []entry
	for _, r := range *m.Referrers() {
		if s, ok := r.(*ssa.Store); ok && variable != nil && s.Addr == variable {
			continue
		}
		up, ok := r.(*ssa.MapUpdate)
		if !ok {
			switch r.(type) {
			case *ssa.MakeInterface, *ssa.ChangeType, *ssa.DebugRef, *ssa.Call:
				continue
			}
			return nil, false
		}
		column := key(up.Key)
		if up.Map != m || column == "" {
			return nil, false
		}
		if up.Block() != m.Block() {
			return nil, false // only on some paths
		}
		out = append(out, entry{column, up.Value, up.Pos()})
	}
	return out, true
}

// structEntries returns the fields that a struct literal sets, by their columns.
func structEntries(a *ssa.Alloc) ([]entry, bool) {
	st := structOf(a.Type())
	if st == nil {
		return nil, false
	}
	var out []entry
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.MakeInterface, *ssa.DebugRef:
		case *ssa.UnOp:
			if r.Op != token.MUL {
				return nil, false
			}
		case *ssa.FieldAddr:
			for _, u := range *r.Referrers() {
				s, ok := u.(*ssa.Store)
				if !ok || s.Addr != r || s.Block() != a.Block() {
					return nil, false
				}
				out = append(out, entry{fieldColumn(st, r.Field), s.Val, s.Pos()})
			}
		default:
			return nil, false
		}
	}
	return out, true
}

// fieldColumn names the column of a field: by its tag, or in snake case.
func fieldColumn(st *types.Struct, i int) string {
	tag := reflect.StructTag(st.Tag(i))
	for part := range strings.SplitSeq(tag.Get("gorm"), ";") {
		if k, v, ok := strings.Cut(part, ":"); ok && strings.EqualFold(strings.TrimSpace(k), "column") {
			return strings.TrimSpace(v)
		}
	}
	if name, _, _ := strings.Cut(tag.Get("bun"), ","); name != "" && name != "-" && !strings.Contains(name, ":") {
		return name
	}
	for _, name := range []string{xormColumn(tag), strings.TrimSpace(firstPart(tag.Get("pg")))} {
		if name != "" && name != "-" {
			return name
		}
	}
	return snake(st.Field(i).Name())
}

func firstPart(tag string) string {
	name, _, _ := strings.Cut(tag, ",")
	return name
}

// value writes a value that a builder puts into a statement: a constant, an
// expression in SQL, or a placeholder.
func (r *renderer) value(v ssa.Value) {
	if v == nil {
		r.hole(sqltext.Literal)
		return
	}
	v = unwrap(v)
	if c, ok := v.(*ssa.Const); ok {
		r.lit(constantText(c))
		return
	}
	if r.expression(v) {
		return
	}
	r.placeholder(v, "")
}

// placeholder writes a placeholder for what stands at path below v, which is nil
// if it is not known.
func (r *renderer) placeholder(v ssa.Value, path string) {
	r.lit("?")
	r.args = append(r.args, chainValue{v: v, path: path})
}

// expression writes the piece of SQL that a call makes of a text (gorm.Expr,
// squirrel.Expr), and reports whether v is one.
func (r *renderer) expression(v ssa.Value) bool {
	call, ok := unwrap(v).(*ssa.Call)
	if !ok {
		return false
	}
	f, c := r.e.textCall(call)
	if f == nil {
		return false
	}
	r.fragment(c.arg(f.SQL), variadic(c.arg(f.Args)))
	return true
}

// unknownAssignment stands for assignments of which nothing is known.
func (r *renderer) unknownAssignment() {
	r.hole(sqltext.Ident)
	r.lit(" = ")
	r.hole(sqltext.Literal)
}

// textCall returns the row of a call that makes a piece of SQL from a text
// (gorm.Expr, squirrel.Expr), or nil.
func (e *engine) textCall(call *ssa.Call) (*dbapi.Func, *callee) {
	for _, c := range e.callees(call.Common()) {
		if f := c.api(); f != nil && f.Role == dbapi.Text && f.SQL != 0 && c.arg(f.SQL) != nil {
			return f, &c
		}
	}
	return nil, nil
}

// constantText writes a constant as SQL.
func constantText(c *ssa.Const) string {
	if c.Value == nil {
		return "NULL"
	}
	if c.Value.Kind() == constant.String {
		return "'" + strings.ReplaceAll(constant.StringVal(c.Value), "'", "''") + "'"
	}
	return c.Value.ExactString()
}

// plainColumn is a text that is the name of a column and nothing more.
var plainColumn = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)?$`)

// assign writes SET column = value for each entry.
func (r *renderer) assign(list []entry) {
	for i, x := range list {
		if i > 0 {
			r.lit(", ")
		}
		r.lit(quoted(x.column) + " = ")
		r.value(x.value)
	}
}

// lowerName is a name that is the same with quotes around it.
var lowerName = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)

// quoted quotes the name of a column as libraries do, so that it may be a key word.
func quoted(column string) string {
	if lowerName.MatchString(column) {
		return `"` + column + `"`
	}
	return column
}

// column writes the name of a column that an argument holds.
func (r *renderer) column(v ssa.Value) {
	if name, ok := r.constant(v); ok {
		r.lit(quoted(name))
		return
	}
	r.arg(v, sqltext.Ident)
}

// operators are the comparisons of squirrel's maps, by their types.
var operators = map[string]string{
	"Eq": "=", "NotEq": "<>", "Lt": "<", "LtOrEq": "<=", "Gt": ">", "GtOrEq": ">=", "Like": "LIKE", "ILike": "ILIKE",
}

// conditionOf writes a condition in parentheses that is no text: a map, a
// struct, squirrel's Eq and And.
func (r *renderer) conditionOf(v ssa.Value) {
	if r.expression(v) {
		return
	}
	v = unwrapNamed(v)
	op := "="
	if n, ok := types.Unalias(v.Type()).(*types.Named); ok {
		if n.Obj().Name() == "And" {
			r.conjunction(v)
			return
		}
		if o, known := operators[n.Obj().Name()]; known {
			op = o
		} else if structOf(n) == nil {
			r.hole(sqltext.Unknown)
			return
		}
	}
	list, ok := r.e.entries(v)
	if !ok || len(list) == 0 {
		r.hole(sqltext.Unknown)
		return
	}
	for i, x := range list {
		if i > 0 {
			r.lit(" AND ")
		}
		r.comparison(x, op)
	}
}

// comparison writes one term; a slice is compared with IN.
func (r *renderer) comparison(x entry, op string) {
	v := unwrap(x.value)
	if c, ok := v.(*ssa.Const); ok && c.Value == nil {
		r.lit(quoted(x.column) + map[bool]string{true: " IS NULL", false: " IS NOT NULL"}[op == "="])
		return
	}
	switch v.Type().Underlying().(type) {
	case *types.Slice, *types.Array:
		if b, ok := v.Type().Underlying().(*types.Slice); ok && isByte(b.Elem()) {
			break
		}
		r.lit(quoted(x.column) + map[bool]string{true: " IN (", false: " NOT IN ("}[op == "="])
		r.hole(sqltext.List)
		r.lit(")")
		return
	}
	r.lit(quoted(x.column) + " " + op + " ")
	r.value(v)
}

func isByte(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Byte
}

// conjunction writes the terms of squirrel's And.
func (r *renderer) conjunction(v ssa.Value) {
	els := variadic(unwrap(v))
	if len(els) == 0 {
		r.hole(sqltext.Unknown)
		return
	}
	for i, el := range els {
		if i > 0 {
			r.lit(" AND ")
		}
		if el == nil {
			r.hole(sqltext.Unknown)
			continue
		}
		r.lit("(")
		r.conditionOf(el)
		r.lit(")")
	}
}

// unwrapNamed looks through conversions to interfaces only, and keeps the name
// of the type.
func unwrapNamed(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		default:
			return v
		}
	}
}

// condition writes what a Where call adds: a text, or a value that stands for
// one. A column's name with one argument is a comparison with it.
func (r *renderer) condition(v ssa.Value, args []ssa.Value) {
	if v == nil {
		r.hole(sqltext.Unknown)
		return
	}
	if !isString(unwrap(v).Type()) {
		r.conditionOf(v)
		return
	}
	if len(args) == 1 && args[0] != nil {
		if s := r.e.text.Resolve(unwrap(v)); len(s) == 1 {
			if text, holes := s[0].Join(); len(holes) == 0 && plainColumn.MatchString(strings.TrimSpace(text)) {
				r.comparison(entry{column: strings.TrimSpace(text), value: args[0]}, "=")
				return
			}
		}
	}
	r.fragment(v, args)
}

// modelKey returns the primary key's column where a model's value brings one
// into the conditions, as gorm does for what is not zero, and its field; else "".
func (r *renderer) modelKey(model ssa.Value) (key, path string) {
	if model == nil {
		return "", ""
	}
	v := unwrap(model)
	p, ok := v.Type().Underlying().(*types.Pointer)
	if ok {
		v2 := structOf(p)
		if v2 == nil {
			return "", ""
		}
	} else if structOf(v.Type()) == nil {
		return "", ""
	}
	key = keyColumn(structOf(v.Type()))
	for _, c := range modelColumns(v.Type()) {
		if c.name == key {
			path = c.path
		}
	}
	if key == "" {
		return "", ""
	}
	if !brings(v, key) {
		return "", ""
	}
	return key, path
}

// brings reports whether the field of a column of the model v may be other than
// zero. A literal that does not set it is all that is known not to.
func brings(v ssa.Value, column string) bool {
	if ld, ok := v.(*ssa.UnOp); ok && ld.Op == token.MUL {
		if a, ok := ld.X.(*ssa.Alloc); ok {
			v = a
		}
	}
	a, ok := v.(*ssa.Alloc)
	if !ok {
		_, isConst := v.(*ssa.Const)
		return !isConst
	}
	list, ok := structEntries(a)
	return !ok || slices.ContainsFunc(list, func(x entry) bool { return x.column == column })
}

// keyColumn names the primary key of a model: the field that is tagged as one,
// or ID.
func keyColumn(st *types.Struct) string {
	for i := range st.NumFields() {
		tag := strings.ToLower(reflect.StructTag(st.Tag(i)).Get("gorm"))
		if strings.Contains(tag, "primarykey") || strings.Contains(tag, "primary_key") {
			return fieldColumn(st, i)
		}
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		if strings.EqualFold(f.Name(), "ID") {
			return fieldColumn(st, i)
		}
		if f.Embedded() && structOf(f.Type()) != nil {
			if k := keyColumn(structOf(f.Type())); k != "" {
				return k
			}
		}
	}
	return ""
}

// gormSets writes the assignments of an UPDATE of gorm.
func (r *renderer) gormSets() {
	f := r.finish.api
	if c := r.finish.c.arg(f.Column); c != nil {
		r.column(c)
		r.lit(" = ")
		r.value(r.finish.c.arg(f.Value))
		return
	}
	if v := r.finish.c.arg(f.Value); v != nil && len(r.all("select", "omit")) == 0 && f.Clause != "save" {
		if list, ok := r.e.entries(v); ok && len(list) > 0 {
			r.assign(list)
			return
		}
	}
	// A struct that was filled elsewhere: what is not zero is written; by Save all.
	if v := r.finish.c.arg(f.Value); v != nil && structOf(elementType(unwrap(v).Type())) != nil {
		only, named := r.namedColumns("select")
		omitted, told := r.namedColumns("omit")
		if named && told && r.setModel(v, only, omitted...) {
			return
		}
	}
	r.unknownAssignment()
}

// namedColumns returns the columns that the calls of a clause name, Select or
// Omit; nil where there is no such call.
func (r *renderer) namedColumns(clause string) (columns []string, known bool) {
	for _, l := range r.all(clause) {
		named := variadic(l.c.arg(l.api.Column))
		if l.api.SQL != 0 {
			named = append([]ssa.Value{l.c.arg(l.api.SQL)}, variadic(l.c.arg(l.api.Args))...)
		}
		if len(named) == 0 {
			return nil, false
		}
		for _, v := range named {
			if v == nil || !isString(unwrap(v).Type()) {
				return nil, false
			}
			s := r.e.text.Resolve(unwrap(v))
			if len(s) != 1 {
				return nil, false
			}
			text, holes := s[0].Join()
			if len(holes) > 0 || clause == "select" && !plainColumn.MatchString(text) {
				return nil, false
			}
			columns = append(columns, snake(text))
		}
	}
	return columns, true
}

// bunSets writes the assignments of an UPDATE of bun: of the columns that are
// named, or of all columns of the model; what is not zero is not told apart.
func (r *renderer) bunSets(model ssa.Value) bool {
	if len(r.all("value")) > 0 {
		return r.bunValues()
	}
	if list := r.e.mapModel(model); len(list) > 0 {
		r.assign(list)
		return true
	}
	named := r.all("column")
	if len(named) == 0 {
		but, known := r.namedColumns("excludecolumn")
		return known && r.setModel(model, nil, but...)
	}
	sep := ""
	for _, l := range named {
		sep = r.assignFields(variadic(l.c.arg(l.api.Column)), model, sep)
	}
	return sep != ""
}

// bunValues writes the assignments of the columns of an UPDATE that Value calls say
// what is written to, and reports whether these are all.
func (r *renderer) bunValues() bool {
	named, known := r.namedColumns("column")
	given := map[string]link{}
	for _, l := range r.all("value") {
		if name, ok := r.constant(l.c.arg(l.api.Column)); ok {
			given[name] = l
		}
	}
	if !known || len(named) == 0 || len(given) != len(named) {
		return false
	}
	for i, name := range named {
		if i > 0 {
			r.lit(", ")
		}
		r.lit(quoted(name) + " = ")
		l := given[name]
		r.fragment(l.c.arg(l.api.SQL), variadic(l.c.arg(l.api.Args)))
	}
	return true
}

// assignFields writes an assignment of the model's field to each of the columns, with sep
// before the first, and returns what stands before the next.
func (r *renderer) assignFields(cols []ssa.Value, model ssa.Value, sep string) string {
	for _, c := range cols {
		r.lit(sep)
		r.column(c)
		r.lit(" = ")
		r.ofModel(c, model)
		sep = ", "
	}
	return sep
}

// ofModel writes a placeholder for the field of the model that is the column
// named by c.
func (r *renderer) ofModel(c, model ssa.Value) {
	if s := r.e.text.Resolve(unwrap(c)); len(s) == 1 {
		name, _ := s[0].Join()
		r.placeholderOf(name, model)
		return
	}
	r.placeholder(nil, "")
}

// placeholderOf writes a placeholder for the field of the model that is the
// column of that name.
func (r *renderer) placeholderOf(name string, model ssa.Value) {
	if model != nil {
		for _, col := range modelColumns(unwrap(model).Type()) {
			if col.name == name {
				r.placeholder(unwrap(model), col.path)
				return
			}
		}
	}
	r.placeholder(nil, "")
}

// bunKey writes the conditions of WherePK.
func (r *renderer) bunKey(l link, model ssa.Value) {
	cols := variadic(l.c.arg(l.api.Column))
	if len(cols) == 0 {
		r.primaryKey(model)
		return
	}
	for i, c := range cols {
		if i > 0 {
			r.lit(" AND ")
		}
		r.arg(c, sqltext.Ident)
		r.lit(" = ")
		r.ofModel(c, model)
	}
}

// primaryKey writes a comparison of each column of the model's primary key.
func (r *renderer) primaryKey(model ssa.Value) {
	if model != nil {
		key := primaryKey(unwrap(model).Type())
		for i, c := range key {
			if i > 0 {
				r.lit(" AND ")
			}
			r.lit(c.name + " = ")
			r.placeholder(unwrap(model), c.path)
		}
		if len(key) > 0 {
			return
		}
	}
	r.lit("id = ")
	r.placeholder(nil, "")
}

// squirrelSets returns the assignments of an UPDATE of squirrel that are known
// from maps.
func (r *renderer) squirrelSets() ([]entry, bool) {
	var out []entry
	for _, l := range r.all("setmap") {
		list, ok := r.e.entries(l.c.arg(l.api.Value))
		if !ok {
			return nil, false
		}
		out = append(out, list...)
	}
	return out, true
}
