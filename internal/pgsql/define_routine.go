package pgsql

import (
	"slices"
	"strings"

	"github.com/pgtxvet/pgtxvet/internal/pgsql/pgast"
)

func (b *definer) createFunction(s *pgast.CreateFunctionStmt) {
	f := &Function{Volatility: volatility(s.GetOptions()), Arguments: arguments(s.GetParameters())}
	for _, o := range s.GetOptions() {
		if d := o.GetDefElem(); d.GetDefname() == "language" {
			f.Language = strings.ToLower(str(d.GetArg()))
		}
	}
	body, seen := "", false
	if i := b.in.bodyToken(b.sp); i >= 0 {
		body, seen = b.in.literal(i), true
	} else if s.GetSqlBody() != nil {
		f.Language = "sql"
		body, seen = b.sqlBody()
	}
	if seen {
		b.in.body(f, body)
	}
	b.add(Change{Op: CreateFunctionOp, Table: named(s.GetFuncname()), Function: f})
}

// sqlBody returns the text between BEGIN ATOMIC and END, or the expression of
// RETURN as a SELECT.
func (b *definer) sqlBody() (string, bool) {
	in := b.in
	for i := b.sp.first; i < b.sp.end; i++ {
		switch {
		case in.kw(i) == kwAtomic && i+1 < b.sp.end:
			return in.text[in.toks[i].end:in.toks[b.sp.end-1].start], true
		case in.ident(i) == "return" && i+1 < b.sp.end:
			return "SELECT " + in.text[in.toks[i].end:in.toks[b.sp.end-1].end], true
		}
	}
	return "", false
}

// arguments returns the types of the parameters that are given a value.
func arguments(list []*pgast.Node) []string {
	out := []string{}
	for _, n := range list {
		p := n.GetFunctionParameter()
		if m := p.GetMode(); m != pgast.FUNC_PARAM_OUT && m != pgast.FUNC_PARAM_TABLE {
			out = append(out, typeName(p.GetArgType()))
		}
	}
	return out
}

var volatilities = map[string]Volatility{"volatile": Volatile, "stable": Stable, "immutable": Immutable}

func volatility(options []*pgast.Node) Volatility {
	for _, o := range options {
		if d := o.GetDefElem(); d.GetDefname() == "volatility" {
			return volatilities[str(d.GetArg())]
		}
	}
	return VolatilityUnset
}

// body fills in what the body of a function does.
func (in *input) body(f *Function, body string) {
	switch f.Language {
	case "sql":
		f.Known = true
		for _, st := range Parse(Source{Text: body, Style: StyleDollar}) {
			f.Known = f.Known && !st.Partial
			f.Reads = append(f.Reads, st.Reads...)
			f.Writes = append(f.Writes, st.Writes...)
			f.Calls = append(f.Calls, st.Funcs...)
		}
		for _, d := range Definitions(body) {
			if len(d.Changes) > 0 {
				f.effect().may(d)
			}
		}
	case "plpgsql":
		r := in.routine(body)
		f.Known, f.Dynamic = true, r.dynamic
		f.Reads, f.Writes, f.Calls = r.reads, r.writes, r.calls
		if len(r.defs) > 0 || r.dynamic {
			in.effects(r, f.effect(), false)
		}
	}
	if e := f.Effects; e != nil && !e.Anything && !e.Creates && len(e.Touches) == 0 {
		f.Effects = nil
	}
	f.Reads, f.Writes = tidy(f.Reads), tidy(f.Writes)
	slices.Sort(f.Calls)
	f.Calls = slices.Compact(f.Calls)
}

// effect returns the Effects to be filled.
func (f *Function) effect() *Definition {
	if f.Effects == nil {
		f.Effects = &Definition{}
	}
	return f.Effects
}

// tidy sorts tables by name, without aliases and duplicates.
func tidy(list []TableRef) []TableRef {
	for i := range list {
		list[i].Alias = ""
	}
	slices.SortFunc(list, func(a, b TableRef) int { return strings.Compare(a.Schema+"."+a.Name, b.Schema+"."+b.Name) })
	return slices.Compact(list)
}

// A routine is what the tokens of a PL/pgSQL body show. PL/pgSQL is not of the
// grammar; its statements begin where its control words end.
type routine struct {
	reads, writes []TableRef
	calls         []string
	// defs are the statements that change the schema.
	defs []*Definition
	// built are the texts that EXECUTE is given, as far as they are literals.
	dynamic bool
	built   []string
	// certain is set while no statement stands under a condition, except that
	// something is, or is not, in the schema already.
	certain bool
}

// maxBody bounds the length of a body that is read.
const maxBody = 256 << 10

func (in *input) routine(body string) *routine {
	r := &routine{certain: true}
	if len(body) > maxBody {
		r.dynamic = true
		return r
	}
	sub := newInput(Source{Text: body, Style: StyleDollar})
	sub.budget = min(in.budget, maxTotal)
	skip := sub.names()
	for i := range sub.toks {
		r.token(sub, i, skip)
	}
	in.budget = min(in.budget, in.budget-len(body))
	return r
}

// names returns the names that are no tables in a body: common table
// expressions.
func (in *input) names() map[string]bool {
	out := map[string]bool{"lateral": true, "only": true, "select": true}
	for i := range in.toks {
		if in.kw(i) == kwAs && (in.is(i+1, "(") || in.ident(i+1) == "materialized") {
			j := i - 1
			if in.is(j, ")") {
				for j > 0 && !in.is(j, "(") {
					j--
				}
				j--
			}
			out[in.ident(j)] = true
		}
	}
	return out
}

// token notes what begins at a token.
func (r *routine) token(in *input, i int, skip map[string]bool) {
	switch w := in.ident(i); {
	case in.toks[i].kind != tokWord:
	case (w == "if" || w == "elsif") && in.begins(i):
		r.certain = r.certain && w == "if" && in.asksCatalog(i+1)
	case w == "loop", (w == "case" || w == "else" || w == "return") && in.begins(i):
		r.certain = false
	case w == "from" || w == "join" || w == "using":
		r.table(in, i, skip, &r.reads)
	case w == "into" && (in.ident(i-1) == "insert" || in.ident(i-1) == "merge"),
		w == "update" && in.begins(i), w == "truncate" && in.begins(i):
		r.table(in, i, skip, &r.writes)
	case (w == "create" || w == "alter" || w == "drop") && in.begins(i):
		r.define(in, i)
	case w == "execute" && in.begins(i) && in.ident(i-1) != "for":
		r.execute(in, i+1)
	case in.is(i+1, "(") && !skip[w] && !noCalls[w]:
		r.calls = append(r.calls, w)
	}
}

// noCalls are words that stand before a parenthesis and are no functions.
var noCalls = set("all", "and", "any", "array", "as", "by", "case", "check", "distinct", "elsif", "enum", "exists",
	"filter", "from", "if", "in", "index", "into", "key", "materialized", "not", "on", "or", "over", "return", "returning",
	"row", "select", "some", "table", "then", "unique", "using", "values", "when", "where", "while", "with")

// controls are the words of PL/pgSQL after which a statement begins.
var controls = set("begin", "then", "else", "loop", "query", "in", "as", "atomic")

// begins reports whether a statement begins at a token.
func (in *input) begins(i int) bool {
	return i == 0 || in.is(i-1, ";") || in.is(i-1, "(") || in.is(i-1, ">>") || controls[in.ident(i-1)]
}

// table notes the table whose name follows a token.
func (r *routine) table(in *input, i int, skip map[string]bool, into *[]TableRef) {
	t, next := in.tableAt(i + 1)
	switch {
	case t.Name == "" || t.Schema == "" && skip[t.Name] || in.is(next, "("):
	case in.kw(i) == kwFrom && (in.isDistinctFrom(i) || in.inCall(i)):
	case in.ident(i) == "using" && !in.deletes(i):
	case in.kw(i) == kwFrom && in.kw(i-1) == kwDelete:
		r.writes = append(r.writes, t)
	default:
		*into = append(*into, t)
	}
}

// isDistinctFrom reports whether a FROM belongs to IS DISTINCT FROM.
func (in *input) isDistinctFrom(i int) bool {
	return in.kw(i-1) == kwDistinct && in.ident(i-2) != "select"
}

// fromCalls are the functions that are called with FROM between arguments.
var fromCalls = set("extract", "substring", "trim", "position", "overlay", "leading", "trailing", "both")

// inCall reports whether a FROM stands in the arguments of such a function.
func (in *input) inCall(i int) bool {
	depth := 0
	for i--; i >= 0 && !in.is(i, ";"); i-- {
		switch {
		case in.is(i, ")"):
			depth++
		case in.is(i, "(") && depth == 0:
			return fromCalls[in.ident(i-1)]
		case in.is(i, "("):
			depth--
		}
	}
	return false
}

// deletes reports whether a USING belongs to a DELETE: in a join it names
// columns, in an EXECUTE values.
func (in *input) deletes(i int) bool {
	for i--; i >= 0 && !in.is(i, ";"); i-- {
		switch in.kw(i) {
		case kwDelete, kwMerge:
			return true
		case kwExecute, kwSelect, kwJoin:
			return false
		}
	}
	return false
}

// tableAt reads a name from token i on, ONLY and IF [NOT] EXISTS before it
// left out, and returns the token after it.
func (in *input) tableAt(i int) (TableRef, int) {
	for {
		switch in.ident(i) {
		case "only", "if", "not", "exists", "concurrently", "table":
			i++
			continue
		}
		break
	}
	var t TableRef
	t.Name = in.ident(i)
	for i++; t.Name != "" && in.is(i, "."); i += 2 {
		t.Schema, t.Name = t.Name, in.ident(i+1)
	}
	return t, i
}

// define notes a statement that changes the schema.
func (r *routine) define(in *input, i int) {
	end, depth := i, 0
	for end < len(in.toks) && (depth > 0 || !in.is(end, ";")) {
		if in.is(end, "(") {
			depth++
		} else if in.is(end, ")") {
			depth--
		}
		end++
	}
	r.defs = append(r.defs, in.definition(span{i, end}))
}

// execute notes the text that EXECUTE runs.
func (r *routine) execute(in *input, i int) {
	r.dynamic = true
	for in.is(i, "(") {
		i++
	}
	if in.ident(i) == "format" && in.is(i+1, "(") {
		i += 2
	}
	if i >= len(in.toks) || in.toks[i].kind != tokString {
		r.built = append(r.built, "")
		return
	}
	text := in.literal(i)
	if !in.is(i+1, ";") && !in.is(i+1, ",") && !in.is(i+1, ")") && text != "" {
		text += formatMark // it goes on
	}
	r.built = append(r.built, text)
}

// formatMark stands for a part of a text that is built.
const formatMark = "%s"

// doBlock describes DO.
func (in *input) doBlock(sp span, d *Definition) {
	body, language := "", "plpgsql"
	for i := sp.first + 1; i < sp.end; i++ {
		if in.ident(i) == "language" && i+1 < sp.end {
			language = in.ident(i + 1)
			i++
		} else if in.toks[i].kind == tokString {
			body = in.literal(i)
		}
	}
	if language != "plpgsql" && language != "" {
		d.Problem, d.Anything = "it is a DO block in "+language, true
		return
	}
	r := in.routine(body)
	d.Calls = r.calls
	if len(body) > maxBody {
		d.Problem, d.Anything = "it is too long or too deep to be parsed", true
	}
	in.effects(r, d, r.certain)
}

// effects adds what a body does to the schema, or may do.
func (in *input) effects(r *routine, d *Definition, certain bool) {
	for _, def := range r.defs {
		if !certain {
			d.may(def)
			continue
		}
		d.must(def)
	}
	for _, text := range r.built {
		in.mayRun(d, text)
	}
}

// must adds what a statement does that is run unless it has been done.
func (d *Definition) must(def *Definition) {
	d.Anything, d.Creates = d.Anything || def.Anything, d.Creates || def.Creates
	if d.Problem == "" {
		d.Problem = def.Problem
	}
	d.Touches = append(d.Touches, def.Touches...)
	for _, c := range def.Changes {
		c.Lenient = true
		d.Changes = append(d.Changes, c)
	}
}

// asksCatalog reports whether a condition asks for nothing but what the schema
// holds: it reads the system catalogs.
func (in *input) asksCatalog(i int) bool {
	asks := false
	for ; i < len(in.toks) && in.ident(i) != "then"; i++ {
		if w := in.ident(i); w != "from" && w != "join" || in.inCall(i) {
			continue
		}
		t, _ := in.tableAt(i + 1)
		if asks = t.Schema == "information_schema" || strings.HasPrefix(t.Name, "pg_"); !asks {
			return false
		}
	}
	return asks
}

// mayRun adds what a text that is perhaps run, with parts that are not known,
// does to the schema.
func (in *input) mayRun(d *Definition, text string) {
	sub := newInput(Source{Text: text, Style: StyleDollar})
	sub.budget = in.budget
	if text == "" || len(sub.toks) == 0 {
		d.Problem, d.Anything = "it runs SQL that is built", true
		return
	}
	for _, sp := range sub.split() {
		def := &Definition{}
		switch w := sub.ident(sp.first); {
		case neutral[w], w == "select", w == "with", w == "set", sub.isNeutralObject(sp):
			continue
		case strings.Contains(text, "%"):
			sub.touched(sp, def)
		default:
			def = sub.definition(sp)
		}
		if (def.Anything || def.Creates) && d.Problem == "" {
			d.Problem = "it runs SQL that is built"
		}
		d.may(def)
	}
}

// may adds what a statement that is perhaps run does.
func (d *Definition) may(def *Definition) {
	d.Anything, d.Creates = d.Anything || def.Anything, d.Creates || def.Creates
	if d.Problem == "" {
		d.Problem = def.Problem
	}
	d.Touches = append(d.Touches, def.Touches...)
	for _, c := range def.Changes {
		switch t := (Touch{Table: c.Table}); c.Op {
		case AddColumnOp:
			t.Columns, t.Keys = true, len(c.Constraints) > 0
			d.Touches = append(d.Touches, t)
		case AddConstraintOp, InheritOp, AttachPartitionOp:
			t.Keys = true
			d.Touches = append(d.Touches, t)
		case DropConstraintOp:
			t.Keys, t.Loses, t.Constraint = true, true, c.Name
			d.Touches = append(d.Touches, t)
		case AlterColumnOp, AlterTypeOp, RenameTypeOp, SearchPathOp, CreateTempOp:
		case CreateFunctionOp, AlterFunctionOp, DropFunctionOp, RenameFunctionOp, CreateExtensionOp, CreateViewOp:
			d.Changes = append(d.Changes, c)
		case DropIndexOp, RenameIndexOp, DropSchemaOp, RenameSchemaOp, DropTypeOp:
			d.Anything = true
		default:
			t.Columns, t.Keys, t.Loses = true, true, true
			d.Touches = append(d.Touches, t)
			if c.Op == RenameTableOp {
				t.Table = TableRef{Schema: t.Table.Schema, Name: c.To}
				d.Touches = append(d.Touches, t)
			}
		}
	}
}

// touched fills in, from the tokens, which tables a statement that was not
// parsed may change.
func (in *input) touched(sp span, d *Definition) {
	before := len(d.Touches)
	verb := in.ident(sp.first)
	known := verb == "create" || verb == "alter" || verb == "drop"
	loses, columns := verb == "drop", verb == "create" || verb == "drop"
	for i := sp.first; i < sp.end; i++ {
		switch w := in.ident(i); {
		case w == "drop" || w == "rename" || w == "schema":
			loses = true
			columns = columns || w != "drop" || in.ident(i+1) != "constraint"
		case w == "add" && in.ident(i+1) != "constraint", w == "alter" && i > sp.first:
			columns = true
		}
	}
	for i := sp.first; known && i < sp.end; i++ {
		w := in.ident(i)
		if !(w == "table" || w == "on" && in.ident(i+1) != "delete" && in.ident(i+1) != "update" && in.indexes(sp)) {
			continue
		}
		for t, next := in.tableAt(i + 1); ; t, next = in.tableAt(next + 1) {
			if t.Name == "" || in.formatted(t, next) {
				if verb == "create" && w == "table" {
					d.Creates = true
				} else {
					d.Anything = true
				}
				break
			}
			d.Touches = append(d.Touches, Touch{Table: t, Columns: w == "table" && columns, Keys: true, Loses: loses})
			if w != "table" || verb != "drop" || !in.is(next, ",") {
				break
			}
		}
		break
	}
	if len(d.Touches) == before && !d.Creates {
		d.Anything = true
	}
}

// indexes reports whether the statement creates an index.
func (in *input) indexes(sp span) bool {
	return in.ident(sp.first+1) == "index" || in.ident(sp.first+2) == "index"
}

// formatted reports whether a name is made by format.
func (in *input) formatted(t TableRef, next int) bool {
	return strings.Contains(t.Name+t.Schema, "%") || in.is(next, "%") || next-1 >= 0 && in.is(next-1, "%")
}
