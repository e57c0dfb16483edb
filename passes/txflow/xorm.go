package txflow

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// renderXorm writes the statement of a session of XORM. Beans, which are values
// of models, add conditions and assignments of their own.
func renderXorm(r *renderer) sqltext.Text {
	if len(r.all("opaque", "join", "group", "having")) > 0 {
		return nil
	}
	if raw := r.last("raw"); raw != nil {
		r.fragment(raw.c.arg(raw.api.SQL), variadic(raw.c.arg(raw.api.Args)))
		return r.text
	}
	f := r.finish.api
	bean := r.finish.c.arg(f.Dst)
	if bean == nil {
		bean = r.finish.c.arg(f.Value)
	}
	if bean == nil {
		return nil
	}
	bean = onlyOne(bean)
	switch f.Clause {
	case "get", "find", "exists", "count":
		r.xormSelect(bean)
	case "insert":
		r.lit("INSERT INTO ")
		r.xormTable(bean)
		r.insertModel(bean)
	case "update":
		r.xormUpdate(bean)
	case "delete":
		r.xormDelete(bean)
	default:
		return nil
	}
	return r.text
}

// xormSelect writes what reads rows. A bean that is read into is a condition too
// where it is one row.
func (r *renderer) xormSelect(bean ssa.Value) {
	clause := r.finish.api.Clause
	r.lit("SELECT ")
	if clause == "count" {
		r.lit("count(*)")
	} else {
		r.outputs(r.all("select", "cols"))
	}
	r.lit(" FROM ")
	r.xormTable(bean)
	r.xormWhere(bean, clause != "find")
	r.orderLimit()
	if clause == "get" && r.last("limit") == nil {
		r.lit(" LIMIT 1")
	}
	if r.last("forupdate") != nil {
		r.lit(" FOR UPDATE")
	}
}

func (r *renderer) xormUpdate(bean ssa.Value) {
	r.lit("UPDATE ")
	r.xormTable(bean)
	r.lit(" SET ")
	r.xormSets(bean)
	version := r.xormVersion(bean)
	if version != nil {
		r.lit(`, "` + version.name + `" = "` + version.name + `" + 1`)
	}
	var more ssa.Value
	args := variadic(r.finish.c.arg(r.finish.api.Args))
	if len(args) == 1 {
		more = args[0]
	}
	r.xormWhere(more, len(args) > 0)
	if version != nil {
		r.and()
		r.lit(`"` + version.name + `" = `)
		r.placeholder(unwrap(bean), version.path)
	}
}

// xormDelete writes a DELETE, or the UPDATE that marks the row where the model
// has a column for that.
func (r *renderer) xormDelete(bean ssa.Value) {
	deleted := ""
	for _, c := range modelColumns(unwrap(bean).Type()) {
		if c.xorm("deleted") && r.last("unscoped") == nil {
			deleted = c.name
		}
	}
	if deleted != "" {
		r.lit("UPDATE ")
		r.xormTable(bean)
		r.lit(` SET "` + deleted + `" = now()`)
	} else {
		r.lit("DELETE FROM ")
		r.xormTable(bean)
	}
	r.xormWhere(bean, true)
}

// xormVersion returns the column by which an UPDATE of a bean tells whether
// somebody else has changed the row: XORM compares and raises it by itself.
func (r *renderer) xormVersion(bean ssa.Value) *modelColumn {
	if r.last("noversion") != nil {
		return nil
	}
	for _, c := range modelColumns(unwrap(bean).Type()) {
		if c.xorm("version") {
			return &c
		}
	}
	return nil
}

// xorm reports whether the tag of a column has a word.
func (c *modelColumn) xorm(word string) bool {
	return slices.ContainsFunc(xormWords(c.tag), func(w string) bool { return strings.EqualFold(w, word) })
}

// xormTable writes the table of a statement: the one that is named, or a bean's.
func (r *renderer) xormTable(bean ssa.Value) {
	if l := r.last("table"); l != nil {
		a := l.c.arg(l.api.Table)
		if a == nil || isString(unwrap(a).Type()) {
			r.table(l, nil)
			return
		}
		bean = a
	}
	name := r.e.xormTable(elementType(unwrap(bean).Type()))
	if name == "" {
		r.hole(sqltext.Ident)
		return
	}
	r.lit(`"` + name + `"`)
}

// xormTable names the table of a bean's type: what its method TableName returns,
// or its name as the default mapper has it.
func (e *engine) xormTable(t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || structOf(n) == nil {
		return ""
	}
	name, has := e.tableMethod(n)
	if !has {
		name = snake(n.Obj().Name())
		e.guess(name)
	}
	return name
}

// xormWhere writes the conditions: those of the chain, and those of a bean.
func (r *renderer) xormWhere(bean ssa.Value, ofBean bool) {
	for _, l := range r.all("id", "where", "in") {
		r.and()
		r.lit("(")
		switch l.api.Clause {
		case "id":
			r.xormID(l.c.arg(l.api.Value))
		case "in":
			r.column(l.c.arg(l.api.Column))
			r.lit(" IN (")
			r.hole(sqltext.List)
			r.lit(")")
		default:
			r.condition(l.c.arg(l.api.SQL), variadic(l.c.arg(l.api.Args)))
		}
		r.lit(")")
	}
	if ofBean && r.last("noauto") == nil {
		r.ofBean(bean)
	}
	if len(r.all("or")) > 0 {
		r.lit(" OR (")
		r.hole(sqltext.Unknown)
		r.lit(")")
		r.lost = true
	}
}

// xormID writes the comparison of the primary key.
func (r *renderer) xormID(v ssa.Value) {
	if v != nil && structOf(unwrap(v).Type()) == nil {
		if _, many := unwrap(v).Type().Underlying().(*types.Slice); !many {
			r.lit(quoted(r.xormKey()) + " = ")
			r.value(v)
			return
		}
	}
	r.unknownTerm() // a key of several columns
	r.lost = true
}

// xormKey names the key of the bean that is read or written.
func (r *renderer) xormKey() string {
	bean := r.finish.c.arg(r.finish.api.Dst)
	if bean == nil {
		bean = r.finish.c.arg(r.finish.api.Value)
	}
	if l := r.last("table"); l != nil && l.c.arg(l.api.Table) != nil {
		bean = l.c.arg(l.api.Table)
	}
	if bean != nil {
		if key := primaryKey(unwrap(onlyOne(bean)).Type()); len(key) == 1 {
			return key[0].name
		}
	}
	return "id"
}

// ofBean writes the conditions that a bean makes: its fields that are not zero.
func (r *renderer) ofBean(bean ssa.Value) {
	if bean != nil {
		t := elementType(unwrap(bean).Type())
		if structOf(t) == nil || isScalarStruct(t) {
			return // a variable that is read into
		}
		if list, ok := r.beanFields(bean); ok {
			for _, x := range list {
				r.and()
				r.comparison(x, "=")
			}
			return
		}
	}
	r.and()
	r.lit("(")
	r.hole(sqltext.Unknown)
	r.lit(")")
	r.lost = true
}

// beanFields returns the fields that a literal sets; false where others may be
// set by the time the bean is used.
func (r *renderer) beanFields(bean ssa.Value) ([]entry, bool) {
	v := unwrap(bean)
	if c, ok := v.(*ssa.Const); ok && c.IsNil() {
		return nil, true
	}
	a, ok := v.(*ssa.Alloc)
	if !ok {
		return nil, false
	}
	st := structOf(a.Type())
	if st == nil {
		return nil, false
	}
	var out []entry
	for _, in := range *a.Referrers() {
		switch in := in.(type) {
		case *ssa.FieldAddr:
			for _, u := range *in.Referrers() {
				s, ok := u.(*ssa.Store)
				switch {
				case !ok || s.Addr != in || !comesBefore(s, r.finish.at):
				case s.Block() == a.Block():
					out = append(out, entry{fieldColumn(st, in.Field), s.Val, s.Pos()})
				default:
					return nil, false
				}
			}
		case *ssa.Store:
			return nil, false
		}
	}
	return out, true
}

// comesBefore reports whether an instruction may come before a call.
func comesBefore(in ssa.Instruction, call ssa.CallInstruction) bool {
	if in.Block() == call.Block() {
		return indexOf(in) < indexOf(call)
	}
	return in.Parent() != call.Parent() || !call.Block().Dominates(in.Block())
}

// xormSets writes the assignments of an UPDATE: of the columns that are named,
// else of those fields of the bean that are not zero.
func (r *renderer) xormSets(bean ssa.Value) {
	sep := ""
	for _, l := range r.all("set") {
		r.lit(sep)
		r.xormStep(l)
		sep = ", "
	}
	for _, l := range r.all("cols") {
		sep = r.assignFields(variadic(l.c.arg(l.api.Column)), bean, sep)
	}
	if sep != "" || len(r.all("cols")) == 0 && r.xormAll(bean) {
		return
	}
	r.unknownAssignment()
	r.lost = true
}

// xormStep writes an assignment by Incr, Decr or SetExpr.
func (r *renderer) xormStep(l link) {
	r.column(l.c.arg(l.api.Column))
	r.lit(" = ")
	if l.api.Args == 0 { // an expression, or a value
		if v := l.c.arg(l.api.Value); v != nil && isString(unwrap(v).Type()) {
			r.fragment(v, nil)
			return
		}
		r.hole(sqltext.Literal)
		return
	}
	r.column(l.c.arg(l.api.Column))
	r.lit(map[bool]string{true: " - ", false: " + "}[strings.HasSuffix(l.api.Name, ".Decr")])
	r.hole(sqltext.Literal)
}

// xormAll writes the assignments of a map, of a literal's fields, or of all
// columns of a bean that was filled elsewhere.
func (r *renderer) xormAll(bean ssa.Value) bool {
	if len(r.all("somecols")) > 0 {
		return false
	}
	if _, isMap := unwrap(bean).Type().Underlying().(*types.Map); isMap {
		list, ok := r.e.entries(bean)
		if ok && len(list) > 0 {
			r.assign(list)
			return true
		}
		return false
	}
	if r.last("allcols") == nil {
		if list, ok := r.beanFields(bean); ok && len(list) > 0 && !filled(bean) {
			r.assign(list)
			return true
		}
	}
	return r.setModel(bean, nil)
}

// filled reports whether another call than this one gets the bean, and may fill it.
func filled(bean ssa.Value) bool {
	a, ok := unwrap(bean).(*ssa.Alloc)
	return !ok || slices.ContainsFunc(*a.Referrers(), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.MakeInterface:
			return in != bean
		case *ssa.Call:
			return true
		}
		return false
	})
}

// xormWords are the words of a tag; what stands in quotes or parentheses is one.
func xormWords(tag reflect.StructTag) []string {
	var out []string
	var word strings.Builder
	depth, quote := 0, false
	for _, c := range tag.Get("xorm") {
		switch c {
		case '\'':
			quote = !quote
		case '(':
			depth++
		case ')':
			depth--
		}
		if c == ' ' && depth == 0 && !quote {
			if word.Len() > 0 {
				out = append(out, word.String())
			}
			word.Reset()
			continue
		}
		word.WriteRune(c)
	}
	if word.Len() > 0 {
		out = append(out, word.String())
	}
	return out
}

// xormKeywords are the words of a tag that are no column's name, next to types.
var xormKeywords = strings.Fields("- <- -> pk null not autoincr default created updated deleted version utc local notnull index unique cache nocache comment extends unsigned collate json jsonb " +
	// types
	"bit unsigned tinyint smallint mediumint int integer bigint enum set char nchar varchar nvarchar tinytext text ntext mediumtext longtext uuid uniqueidentifier clob sysname " +
	"date datetime time timestamp timestampz smalldatetime year decimal number numeric money smallmoney real float double binary varbinary tinyblob blob mediumblob longblob bytea bool boolean array serial bigserial xml")

// xormColumn is the name that a tag gives a column, or "".
func xormColumn(tag reflect.StructTag) string {
	name, skip := "", false
	for _, w := range xormWords(tag) {
		base, _, _ := strings.Cut(strings.ToLower(w), "(")
		switch {
		case skip: // the value of DEFAULT
			skip = false
		case strings.HasPrefix(w, "'"):
			name = strings.Trim(w, "'")
		case slices.Contains(xormKeywords, base):
			skip = base == "default"
		case !strings.Contains(w, "("):
			name = w
		}
	}
	return name
}
