package txflow

import (
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
)

// A Link says that what one statement reads decides what another one writes to
// the same table, or whether it does.
type Link struct {
	// Read and Write are the two effects, in the terms of one function.
	Read, Write *Site
	// ReadStatement and WriteStatement are what they run.
	ReadStatement, WriteStatement *pgsql.Statement
	// Values are the columns that are written with values made of columns of
	// the row that was read.
	Values []Flow
	// Tests are the conditions on what was read under which the write runs.
	Tests []Test
	// SameRow is set when the key of the written row is the key of the row that
	// was read.
	SameRow bool
	// Scoped is set, for an INSERT, when its columns hold what the read asks for.
	Scoped bool

	effects []*Effect
	fn      *ssa.Function
	caller  *linkFunc // the function in whose terms a linked one is
	e       *engine
}

// A Flow is a written column and the column that its value was read from.
type Flow struct {
	Column, From string
	// Computed is set when the value is not just a copy.
	Computed bool
	// Aggregate is set when the read computed From over several rows.
	Aggregate bool
}

// A Test is a condition on what was read.
type Test struct {
	// Column is the column that is tested; empty when the test is whether there
	// is a row, or how many there are.
	Column string
	// Op is the comparison that holds where the write runs, ILLEGAL if it is none.
	Op token.Token
	// Const is the constant that it is compared with, as go/constant prints it,
	// or "nil"; empty when it is none.
	Const string
	// Truth is, without a comparison, whether the condition is true.
	Truth bool
	// New is set when it is compared with the value that the write sets.
	New bool
	// Other is set when it is compared with something that comes from elsewhere.
	Other bool
	// Absent is set when the condition says that there is no such row, or that
	// there are not yet too many.
	Absent bool
	// Count is set when it is the number of rows that is tested.
	Count bool
	// Computed is set when a function of the column is tested, not the column.
	Computed bool
}

// Links returns the links of all functions of the package. A closure's are those
// of the function around it, where it is seen what calls the closure.
func (r *Result) Links() []*Link {
	if r.Empty() {
		return nil
	}
	e := r.e
	var out []*Link
	seen := map[[2]ssa.CallInstruction]bool{}
	for _, closures := range []bool{false, true} {
		for _, fn := range e.funcs {
			if e.inGenerated(fn) || (fn.Parent() != nil) != closures || forTests(e.pass.Pkg.Path()) || takesTesting(fn) || e.inTest(fn.Pos()) {
				continue
			}
			for _, l := range e.linksOf(fn, e.summary(fn).effects) {
				pair := [2]ssa.CallInstruction{l.Read.Origin, l.Write.Origin}
				if closures && seen[pair] {
					continue // the function around the closure knows more
				}
				seen[pair] = true
				out = append(out, l)
			}
		}
	}
	if e.linkedData != nil {
		out = append(out, e.linkedData()...)
	}
	return out
}

// forTests reports whether a package only serves tests, where nothing runs beside.
func forTests(path string) bool {
	for dir := range strings.SplitSeq(path, "/") {
		switch dir {
		case "test", "tests", "e2e", "testutil", "testutils", "testsupport", "fixtures", "seed", "seeds", "migrations":
			return true
		}
	}
	return false
}

// takesTesting reports whether a function is given a test: it is part of tests,
// whatever file it stands in.
func takesTesting(fn *ssa.Function) bool {
	for _, p := range outermost(fn).Params {
		switch typeName(p.Type()) {
		case "*testing.T", "*testing.B", "testing.TB", "*testing.F", "*testing.M":
			return true
		}
	}
	return false
}

// linksOf returns the links between the effects of one function.
func (e *engine) linksOf(fn *ssa.Function, effects []*Effect) []*Link {
	var reads, writes []*Effect
	for _, x := range effects {
		if x.Op != Run || x.Go || x.Batch || x.data.args == nil {
			continue
		}
		st := e.only(x)
		switch {
		case st == nil:
		case st.Kind == pgsql.Select && !st.Writing:
			reads = append(reads, x)
		case st.Kind == pgsql.Update, st.Kind == pgsql.Insert, st.Kind == pgsql.Delete:
			writes = append(writes, x)
		}
	}
	if len(reads) == 0 || len(writes) == 0 {
		return nil
	}
	var out []*Link
	for _, w := range writes {
		for _, r := range reads {
			if r.alternative != 0 && r.Instr == w.Instr && r.alternative != w.alternative {
				continue
			}
			if l := e.linkOf(fn, effects, r, w); l != nil {
				out = append(out, l)
			}
		}
	}
	return out
}

// only returns the first statement of an effect, nil where it is not one alone.
func (e *engine) only(x *Effect) *pgsql.Statement {
	alts := e.statements(x)
	if len(alts) == 0 || len(alts[0]) != 1 || alts[0][0].Partial {
		return nil
	}
	return alts[0][0]
}

func (e *engine) linkOf(fn *ssa.Function, effects []*Effect, r, w *Effect) *Link {
	rs, ws := e.only(r), e.only(w)
	table := ws.Target.Name
	if table == "" || !slices.ContainsFunc(rs.Reads, func(t pgsql.TableRef) bool { return t.Name == table }) {
		return nil
	}
	l := &Link{
		Read: &Site{Effect: r, Fn: fn, e: e}, Write: &Site{Effect: w, Fn: fn, e: e},
		ReadStatement: rs, WriteStatement: ws, effects: effects, fn: fn, e: e,
	}
	set := map[string]sources{}
	for _, a := range ws.Sets {
		if a.OnConflict || a.Value.Kind != pgsql.ExprParam {
			continue
		}
		src := w.data.args(a.Value.Param, a.Value.ParamName)
		set[normal(a.Column)] = set[normal(a.Column)].with(src...)
		if ws.OnConflict != pgsql.ConflictUpdate {
			l.addValues(a.Column, src)
		}
	}
	for _, a := range ws.Sets {
		switch {
		case !a.OnConflict:
		case a.Value.Kind == pgsql.ExprParam:
			l.addValues(a.Column, w.data.args(a.Value.Param, a.Value.ParamName))
		case a.Value.Kind == pgsql.ExprColumn && strings.EqualFold(a.Value.Column.Table, "excluded"):
			l.addValues(a.Column, set[normal(a.Value.Column.Column)])
		}
	}
	l.addAsked(r, w)
	if w.data.guards != nil {
		for _, g := range w.data.guards() {
			l.addTests(g, r.key, set)
		}
	}
	if len(l.Values) == 0 && len(l.Tests) == 0 {
		return nil
	}
	l.SameRow = l.sameRow(r, w, set)
	l.Scoped = l.scoped(r, set)
	return l
}

// addValues adds the columns of the read that the value of a written column is made
// of.
func (l *Link) addValues(column string, src sources) {
	for _, s := range src {
		if s.base != any(l.Read.key) {
			continue
		}
		if col, agg, ok := l.column(s.path); ok {
			l.Values = append(l.Values, Flow{Column: column, From: col, Computed: s.derived, Aggregate: agg})
		}
	}
}

// addAsked adds the tests that the read makes itself, where the write runs only if
// there is such a row: WHERE state = 'open'. A read with ORDER BY or LIMIT takes
// what comes first; that is a claim, and no test.
func (l *Link) addAsked(r, w *Effect) {
	rs := l.ReadStatement
	if rs.HasLimit || rs.HasOrderBy || l.WriteStatement.Kind == pgsql.Insert || !l.needsRow(r, w) {
		return
	}
	for _, c := range rs.Where {
		repeated := slices.ContainsFunc(l.WriteStatement.Where, func(w pgsql.Comparison) bool {
			return normal(w.Column.Column) == normal(c.Column.Column)
		})
		switch {
		case repeated:
		case c.Op == "=" && c.Value.Kind == pgsql.ExprConst:
			l.Tests = append(l.Tests, Test{Column: c.Column.Column, Op: token.EQL, Const: strconv.Quote(c.Value.Const)})
		case c.Op == "IS NULL" && !strings.Contains(strings.ToLower(c.Column.Column), "delete"):
			l.Tests = append(l.Tests, Test{Column: c.Column.Column, Op: token.EQL, Const: "nil"})
		}
	}
}

// needsRow reports whether the write runs only where the read found a row: its
// key comes from it, or the error of the read was looked at.
func (l *Link) needsRow(r, w *Effect) bool {
	for _, src := range keys(w, l.WriteStatement.Where) {
		if slices.ContainsFunc(src, func(s source) bool { return s.base == any(r.key) }) {
			return true
		}
	}
	if w.data.guards == nil {
		return false
	}
	return slices.ContainsFunc(w.data.guards(), func(g guard) bool {
		return g.tell == tellsNil && slices.ContainsFunc(g.left, func(s source) bool { return s.base == any(r.key) })
	})
}

// column returns the column of the written table that a path of a source takes
// out of the read.
func (l *Link) column(path string) (name string, aggregate, ok bool) {
	out, star := l.output(path)
	table := l.WriteStatement.Target.Name
	switch {
	case star != "":
		return star, false, true
	case out == nil:
		return "", false, false
	case out.Column.Column != "" && out.Column.Column != "*":
		if out.Column.Table == table || out.Column.Table == "" && len(l.ReadStatement.Reads) == 1 {
			return out.Column.Column, false, true
		}
	case len(out.Expr.Columns) == 1 && !out.Expr.Subquery:
		c := out.Expr.Columns[0]
		if c.Table == table || c.Table == "" && len(l.ReadStatement.Reads) == 1 {
			return c.Column, l.ReadStatement.HasAggregate, true
		}
	case l.ReadStatement.HasAggregate || out.Expr.Subquery:
		return "", true, true
	}
	return "", false, false
}

// output returns the output that a path names, or the name of a column that a
// star stands for.
func (l *Link) output(path string) (out *pgsql.Output, star string) {
	outs := l.ReadStatement.Outputs
	switch {
	case strings.HasPrefix(path, "["):
		n, err := strconv.Atoi(path[1:strings.IndexByte(path, ']')])
		if err != nil || n >= len(outs) {
			return nil, ""
		}
		for i := range n + 1 {
			if outs[i].Column.Column == "*" || outs[i].Expr.Kind == pgsql.ExprHole {
				return nil, ""
			}
		}
		return &outs[n], ""
	case strings.HasPrefix(path, "{"):
		name := strings.Trim(path[:strings.IndexByte(path, '}')], "{")
		named := func(name string) bool {
			return slices.ContainsFunc(outs, func(o pgsql.Output) bool { return normal(o.Name) == name })
		}
		if dot := strings.LastIndexByte(name, '.'); !named(name) {
			name = name[dot+1:] // a struct in a struct, whose name is not the column's
		}
		for i := range outs {
			switch {
			case outs[i].Column.Column == "*":
				if t := outs[i].Column.Table; (t == "" || t == l.WriteStatement.Target.Name) && len(l.ReadStatement.Reads) == 1 {
					star = name
				}
			case normal(outs[i].Name) == name:
				return &outs[i], ""
			}
		}
	}
	return nil, star
}

// addTests adds what a guard tests of the read.
func (l *Link) addTests(g guard, key callKey, set map[string]sources) {
	left, right, op := g.left, g.right, g.op
	for range 2 {
		for _, s := range left {
			if s.base != any(key) {
				continue
			}
			t := Test{Op: op, Const: g.konst, Truth: g.truth, Computed: s.derived}
			for _, o := range right {
				if _, constant := o.base.(konst); !constant {
					t.Other = true
				}
			}
			if l.classify(&t, s, g) {
				if op == token.ILLEGAL {
					for _, o := range left {
						path, _, _ := unmarked(o.path)
						t.New = t.New || o.base != any(key) && slices.ContainsFunc(set[normal(t.Column)], func(x source) bool { return x.base == o.base && x.path == path })
					}
				}
				for _, o := range right {
					if _, constant := o.base.(konst); !constant && o.base != any(key) {
						t.New = t.New || slices.ContainsFunc(set[normal(t.Column)], func(x source) bool { return x.base == o.base && x.path == o.path })
					}
				}
				l.Tests = append(l.Tests, t)
			}
		}
		left, right, op = right, left, swapped[op]
	}
}

// classify says what a test of a source of the read tests.
func (l *Link) classify(t *Test, s source, g guard) bool {
	var few, not bool
	if s.path, few, not = unmarked(s.path); not && t.Op == token.ILLEGAL {
		t.Truth = !t.Truth
	}
	switch {
	case t.Const == "nil" && s.derived && !strings.Contains(s.path, "!"):
		// A pointer to what the row was read into.
		t.Absent = t.Op == token.EQL
		return t.Absent
	case strings.Contains(s.path, "!"):
		switch g.tell {
		case tellsNoRows, tellsSet:
			t.Absent = true
		case tellsSentinel:
			t.Absent = notFoundName(g.name)
		}
		return t.Absent
	case strings.Contains(s.path, "#len"), strings.Contains(s.path, "#affected"):
		if t.Const == "" && !t.Other {
			return false // the end of a loop over the rows
		}
		t.Count = true
		t.Absent = fewer(t) || few && t.Op == token.ILLEGAL && t.Truth
		return true
	case strings.Contains(s.path, "#next"):
		t.Absent = t.Op == token.ILLEGAL && !t.Truth
		return t.Absent
	case s.path == "" || s.path[0] == '.':
		t.Absent = t.Op == token.EQL && t.Const == "nil"
		return t.Absent
	}
	if l.exists() {
		t.Absent = t.Op == token.ILLEGAL && !t.Truth || t.Op == token.EQL && t.Const == "false" || t.Op == token.NEQ && t.Const == "true"
		return t.Absent
	}
	col, agg, ok := l.column(s.path)
	if !ok && l.counts() {
		agg, ok = true, true
	}
	if !ok {
		return false
	}
	if agg {
		t.Count = true
		t.Absent = fewer(t) || few && t.Op == token.ILLEGAL && t.Truth
		return true
	}
	t.Column = col
	return true
}

// fewer reports whether a test of a number says that it is small.
func fewer(t *Test) bool {
	switch t.Op {
	case token.EQL:
		return t.Const == "0"
	case token.LSS, token.LEQ:
		return true
	}
	return false
}

// notFoundName reports whether an error variable says that there is no row.
func notFoundName(name string) bool {
	name = strings.ToLower(name)
	for _, w := range []string{"notfound", "norows", "notexist", "nosuch", "unknown", "missing"} {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}

// exists reports whether the read asks whether there is a row.
func (l *Link) exists() bool {
	if f := l.Read.API; f != nil && f.Clause == "exists" {
		return true
	}
	outs := l.ReadStatement.Outputs
	return len(outs) == 1 && strings.HasPrefix(strings.ToLower(strings.TrimLeft(outs[0].Expr.Text, " (")), "exists")
}

// counts reports whether the read counts rows.
func (l *Link) counts() bool {
	if f := l.Read.API; f != nil && f.Clause == "count" {
		return true
	}
	outs := l.ReadStatement.Outputs
	return len(outs) == 1 && slices.Contains(outs[0].Expr.Funcs, "count")
}

// keys returns the values of the equality comparisons of a statement, by column.
func keys(x *Effect, where []pgsql.Comparison) map[string]sources {
	out := map[string]sources{}
	for _, c := range where {
		if c.Op != "=" {
			continue
		}
		col := normal(c.Column.Column)
		switch c.Value.Kind {
		case pgsql.ExprParam:
			out[col] = out[col].with(x.data.args(c.Value.Param, c.Value.ParamName)...)
		case pgsql.ExprConst:
			out[col] = out[col].with(source{base: konst(c.Value.Const)})
		}
	}
	return out
}

// sameRow reports whether the write is of the row that was read: by a column of
// it, or by the same value.
func (l *Link) sameRow(r, w *Effect, set map[string]sources) bool {
	rk := keys(r, l.existsWhere())
	wk := keys(w, l.WriteStatement.Where)
	if l.WriteStatement.Kind == pgsql.Insert {
		wk = map[string]sources{}
		for _, c := range l.WriteStatement.ConflictColumns {
			wk[normal(c)] = set[normal(c)]
		}
	}
	for col, src := range wk {
		if apart(src, rk[col]) {
			return false
		}
	}
	for col, src := range wk {
		for _, s := range src {
			if s.base == any(r.key) {
				if c, _, ok := l.column(s.path); ok && normal(c) == col {
					return true
				}
				continue
			}
			for rcol, rsrc := range rk {
				if slices.ContainsFunc(rsrc, func(x source) bool { return x.base == s.base && x.path == s.path }) {
					if _, constant := s.base.(konst); !constant || rcol == col {
						return true
					}
				}
			}
		}
	}
	return false
}

// apart reports whether two values of one column are two parameters, or two
// constants: a key of several columns is another row's where one of them differs.
func apart(a, b sources) bool {
	if len(a) != 1 || len(b) != 1 || a[0].derived || b[0].derived || a[0] == b[0] {
		return false
	}
	_, x := a[0].base.(konst)
	_, y := b[0].base.(konst)
	return x && y || isParam(a[0].base) && isParam(b[0].base)
}

func isParam(base any) bool {
	switch base.(type) {
	case *ssa.Parameter, *foreignParam:
		return true
	}
	return false
}

// scoped reports whether an INSERT writes into the columns that the read
// compares the values that it compares them with.
func (l *Link) scoped(r *Effect, set map[string]sources) bool {
	if l.WriteStatement.Kind != pgsql.Insert {
		return false
	}
	same, asked := 0, 0
	for col, src := range keys(r, l.existsWhere()) {
		asked++
		if slices.ContainsFunc(src, func(x source) bool {
			return slices.ContainsFunc(set[col], func(y source) bool { return x.base == y.base && x.path == y.path })
		}) {
			same++
			continue
		}
		// A constant in the text: status = 'open'.
		for _, s := range src {
			if k, ok := s.base.(konst); ok && l.setsConst(col, string(k)) {
				same++
				break
			}
		}
		if len(src) > 0 && !isConst(src) && l.setsParam(col) {
			return false // another value, as far as is known: the read was about another row
		}
	}
	return asked > 0 && same > 0 && same >= asked-1
}

func (l *Link) setsConst(col, k string) bool {
	for _, a := range l.WriteStatement.Sets {
		if normal(a.Column) == col && (a.Value.Kind == pgsql.ExprDefault || a.Value.Const == k) {
			return true
		}
	}
	return false
}

// existsWhere returns the conditions of the read: those of the subquery where it
// only asks whether there is a row.
func (l *Link) existsWhere() []pgsql.Comparison {
	if len(l.ReadStatement.Where) == 0 {
		return l.ReadStatement.Listed
	}
	return l.ReadStatement.Where
}

// Protected says why no other execution can come between the read and the write,
// as far as it can be seen or guessed: "" when nothing protects them.
func (l *Link) Protected() string {
	e := l.e
	if l.lockedRead(l.Read.Effect) && !l.lockGone() {
		return "the read locks, or may lock"
	}
	if iso := l.isolated(); iso != "" {
		return iso
	}
	for _, x := range l.effects {
		if x == l.Write.Effect {
			break
		}
		if x.Op != Run || x == l.Read.Effect {
			continue
		}
		for _, alt := range e.statements(x) {
			for _, st := range alt {
				if len(st.Locks) > 0 || st.Kind == pgsql.LockTable || st.Trailing && st.Kind == pgsql.Select || advises(st) {
					return "a lock is taken before"
				}
				if l.writesBefore(x, st) {
					return "the row is written before it is read"
				}
			}
		}
	}
	if l.mutex() {
		return "a mutex"
	}
	return ""
}

// mutex reports whether a function takes a lock that is not the database's.
func (l *Link) mutex() bool {
	switch {
	case l.fn != nil && l.e.takesMutex(l.fn):
		return true
	case l.caller != nil && l.caller.unit.foreign != nil && l.caller.unit.foreign.locks:
		return true
	}
	return Here(l.Write.Origin) && l.e.takesMutex(l.Write.Origin.Parent())
}

func advises(st *pgsql.Statement) bool {
	return slices.ContainsFunc(st.Advisory, func(a pgsql.AdvisoryCall) bool { return !a.Unlock && !a.All })
}

// lockedRead reports whether the read takes row locks, or may do so.
func (l *Link) lockedRead(r *Effect) bool {
	for _, alt := range l.e.statements(r) {
		for _, st := range alt {
			if len(st.Locks) > 0 || st.Trailing || st.Partial || advises(st) {
				return true
			}
		}
	}
	return len(r.Texts) == 0
}

// lockGone reports whether the lock that the read takes ended with a transaction
// that is not the one of the write.
func (l *Link) lockGone() bool {
	r, w := l.Read.Handle, l.Write.Handle
	if r.Kind != Tx || w.Kind != Tx && w.Kind != Pool || r.Same(w) || l.ReadStatement.Trailing || len(l.e.statements(l.Read.Effect)) != 1 {
		return false
	}
	ends := false
	for _, x := range l.effects {
		if x.Op == BeginTx && x.Handle.Same(w) && w.From != nil && w.From.Kind == Tx {
			return false // a savepoint
		}
		ends = ends || x.Op == BeginTx && x.Handle.Same(r)
		if x == l.Write.Effect {
			break
		}
		if x.Op == CommitTx && x.Handle.Same(r) && !x.Deferred {
			return ends
		}
	}
	return false
}

// writesBefore reports whether x, which comes before the read, wrote to the same
// table.
func (l *Link) writesBefore(x *Effect, st *pgsql.Statement) bool {
	if !st.Writing {
		return false
	}
	if !slices.ContainsFunc(st.Writes, func(t pgsql.TableRef) bool { return t.Name == l.WriteStatement.Target.Name }) {
		return false
	}
	for _, y := range l.effects {
		if y == l.Read.Effect {
			return false
		}
		if y == x {
			break
		}
	}
	if x.Handle.Kind != Pool && x.Handle.Same(l.Read.Handle) {
		return true // it locked the row
	}
	// The row was made just now.
	return st.Kind == pgsql.Insert && x.Instr != nil && l.Read.Instr != nil && x.Instr.Parent() == l.Read.Instr.Parent() &&
		Here(x.Instr) && Here(l.Read.Instr) && x.Instr.Block().Dominates(l.Read.Instr.Block())
}

// isolated says that read and write are in one transaction of a level that
// notices the conflict, or that this is not known.
func (l *Link) isolated() string {
	r, w := l.Read.Handle, l.Write.Handle
	if w.Kind == Ambient && r.Kind == Ambient && l.beginsStrict() {
		return "the isolation level"
	}
	if w.Kind != Tx || r.Kind != Tx || !r.Same(w) {
		return ""
	}
	within := func(h Value) bool {
		for v := &w; v != nil && v.Kind == Tx; v = v.From {
			if v.Same(h) {
				return true // w, or what w is a savepoint in
			}
		}
		return false
	}
	for _, x := range l.effects {
		switch {
		case x.Op == BeginTx && within(x.Handle):
			if x.Mode.mayNotice() {
				return "the isolation level"
			}
		case x.Op == Run && within(x.Handle):
			for _, alt := range l.e.statements(x) {
				for _, st := range alt {
					if (st.Kind == pgsql.SetTransaction || st.Kind == pgsql.Begin) && st.Tx.Isolation >= pgsql.RepeatableRead {
						return "the isolation level"
					}
				}
			}
		}
	}
	return ""
}

// beginsStrict reports whether the function begins a transaction of a level that
// notices the conflict, or of one that is not known: what takes its transaction from
// the context may run in it.
func (l *Link) beginsStrict() bool {
	return slices.ContainsFunc(l.effects, func(x *Effect) bool {
		return x.Op == BeginTx && x.Mode.mayNotice()
	})
}

// Decided reports whether all is known of the transaction that a caller could
// change: the write runs on a pool, or in a transaction that is begun here.
func (l *Link) Decided() bool {
	w := l.Write.Handle
	switch w.Kind {
	case Pool:
		return !l.Write.waits()
	case Tx:
		if p := w.Parameter(); p != nil && l.e.jobOf(p.Parent()).param == p {
			return true // begun by the queue that calls the function
		}
		return slices.ContainsFunc(l.effects, func(x *Effect) bool { return x.Op == BeginTx && x.Handle.Same(w) })
	}
	return false
}

// Entry reports whether nothing in the package calls the function of the link.
func (l *Link) Entry() bool { return l.fn == nil || l.caller != nil || l.e.isEntry(outermost(l.fn)) }

// HandedIn reports whether the write runs on a handle that a caller hands in, or
// that is not known: it may be a transaction of which a caller knows more.
func (l *Link) HandedIn() bool {
	if l.Decided() {
		return false
	}
	v := l.Write.Handle
	_, foreign := v.Base.(*foreignParam)
	param := foreign || v.Parameter() != nil
	switch v.Kind {
	case Pool, Session, Ambient:
		return param && v.Path == ""
	case Symbolic, Unknown:
		if !param {
			// GORM's handles are pools unless somebody says otherwise, and those of
			// implementations are what the program was put together with.
			return !v.Flow && l.caller == nil
		}
		return v.Path == ""
	}
	return true
}

// ConstantSet returns the constant that a column is set to by the text, or by a
// value that is a constant in Go, as SQL writes it but without quotes.
func (l *Link) ConstantSet(a pgsql.Assignment) (string, bool) {
	switch a.Value.Kind {
	case pgsql.ExprConst:
		return a.Value.Const, true
	case pgsql.ExprNull:
		return "", true
	case pgsql.ExprParam:
		src := l.Write.data.args(a.Value.Param, a.Value.ParamName)
		if len(src) != 1 {
			return "", false
		}
		if k, ok := src[0].base.(konst); ok {
			return strings.Trim(string(k), `"`), true
		}
	}
	return "", false
}

// TaggedUnique reports whether the model that is inserted declares, in the tags
// of its fields or where it is mapped to a table, that columns are unique.
func (l *Link) TaggedUnique() bool {
	return l.Write.keys.Unique || slices.ContainsFunc(l.Write.keys.Columns, func(k string) bool {
		return slices.ContainsFunc(l.Asked(), func(a string) bool { return SameColumn(a, k) })
	})
}

// TableGuessed reports whether the name of the table is only what an ORM makes of
// the name of a type.
func (l *Link) TableGuessed() bool { return l.e.guessedTables[l.WriteStatement.Target.Name] }

// Inserted returns the columns that an INSERT writes.
func (l *Link) Inserted() []string {
	var out []string
	for _, a := range l.WriteStatement.Sets {
		out = append(out, a.Column)
	}
	return out
}

// Asked returns the columns that the read compares with values.
func (l *Link) Asked() []string {
	var out []string
	for _, c := range l.existsWhere() {
		if c.Op == "=" {
			out = append(out, c.Column.Column)
		}
	}
	return out
}

// Dir returns the directory of the file that writes.
func (l *Link) Dir() string { return filepath.Dir(l.e.placeOf(l.Write.Origin).File) }

// OwnText reports whether the text of the statement is written in the function
// that runs it, so that nothing else runs it.
func (s *Site) OwnText() bool {
	if !Here(s.Origin) || len(s.Texts) != 1 {
		return false
	}
	fn := outermost(s.Origin.Parent())
	pos := s.TextPos(0, 0)
	return fn.Syntax() != nil && pos.IsValid() && fn.Syntax().Pos() <= pos && pos < fn.Syntax().End()
}

// Pair names the two calls.
func (l *Link) Pair() [2]Place {
	return [2]Place{l.e.placeOf(l.Read.Origin), l.e.placeOf(l.Write.Origin)}
}

// Both reports whether one call leads to the read and to the write, so that the
// function that it calls has the link already.
func (l *Link) Both() bool {
	return l.caller == nil && l.Read.Instr == l.Write.Instr && l.Read.At == l.Write.At && len(l.Read.Path) > 0 && len(l.Write.Path) > 0
}

// Calls reports whether the read and the write of l are those of m, a link of the
// same two calls, in a function that is called on the way to them.
func (l *Link) Calls(m *Link) bool {
	above := len(l.Read.Path) - len(m.Read.Path)
	return m.fn != nil && above > 0 && l.Read.Path[above-1] == FuncName(m.fn) && slices.Equal(l.Read.Path[above:], m.Read.Path)
}

// KnownBelow reports whether the function that is called got no handle from its
// caller, so that nobody knows more of the write than it does.
func (l *Link) KnownBelow() bool { return l.Write.below || !l.Write.fromArg }

// Others returns the other effects of the function.
func (l *Link) Others() []*Site {
	var out []*Site
	for _, x := range l.effects {
		if x != l.Read.Effect && x != l.Write.Effect {
			out = append(out, &Site{Effect: x, Fn: l.fn, e: l.e})
		}
	}
	return out
}

// Uses reports whether another effect of the function runs under a condition on
// what was read, or with values of it.
func (l *Link) Uses(x *Site) bool {
	if x.data.guards != nil {
		for _, g := range x.data.guards() {
			for _, s := range append(slices.Clone(g.left), g.right...) {
				if s.base == any(l.Read.key) && !strings.Contains(s.path, "!") {
					return true
				}
			}
		}
	}
	return false
}

// SameRound reports whether one execution can run the write and another effect of
// the function for the same row: the one after the other, without another round of
// a loop between them.
func (l *Link) SameRound(x *Site) bool {
	a, b := l.Write.Instr, x.Instr
	if !Here(a) || !Here(b) || a.Parent() != b.Parent() {
		return true // not seen
	}
	return sameRound(a.Block(), b.Block()) || sameRound(b.Block(), a.Block())
}

// sameRound reports whether control can come from one block to another without
// going back to the head of a loop.
func sameRound(from, to *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var reach func(b *ssa.BasicBlock) bool
	reach = func(b *ssa.BasicBlock) bool {
		if b == to {
			return true
		}
		if seen[b] {
			return false
		}
		seen[b] = true
		return slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool { return !s.Dominates(b) && reach(s) })
	}
	return reach(from)
}

// CountLookedAt reports whether anything is done with the result of the write
// beside its error; true when that is not known.
func (l *Link) CountLookedAt() bool {
	call, ok := l.Write.Origin.(*ssa.Call)
	if !ok {
		return true
	}
	if call.Referrers() == nil {
		return false
	}
	for _, r := range *call.Referrers() {
		switch r := r.(type) {
		case *ssa.Extract:
			if !isError(r.Type()) && r.Referrers() != nil && len(*r.Referrers()) > 0 {
				return true
			}
		case *ssa.FieldAddr:
			if !isError(derefPtr(r.Type())) {
				return true
			}
		case *ssa.Return:
			return true
		}
	}
	return false
}

// TestsViolation reports whether the function that writes, or one between it and
// the function of the link, looks at the SQLSTATE of an error.
func (l *Link) TestsViolation() bool {
	if l.Write.looks || l.caller != nil && l.caller.unit.foreign != nil && l.caller.unit.foreign.looks {
		return true
	}
	var fns []*ssa.Function
	if l.fn != nil {
		fns = append(fns, l.fn)
	}
	if Here(l.Write.Origin) {
		fns = append(fns, l.Write.Origin.Parent())
	}
	for _, fn := range fns {
		if l.e.looksAtState(outermost(fn), 0) {
			return true
		}
	}
	return false
}

// looksAtState reports whether a function or a closure in it, or a function that
// it gives an error to, tests an SQLSTATE.
func (e *engine) looksAtState(fn *ssa.Function, depth int) bool {
	if e.testsSQLState(fn) {
		return true
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.If:
				switch e.tellOfCond(in.Cond, true, func(v ssa.Value) bool { return isError(v.Type()) }, 0).kind {
				case tellsState, tellsDriver, tellsConflict:
					return true
				}
			case *ssa.Call:
				if depth > 0 || len(errorArgs(in)) == 0 {
					continue
				}
				for _, c := range e.callees(in.Common()) {
					if c.fn != nil && e.looksAtState(c.fn, depth+1) || c.foreign != nil && (c.foreign.testsState || c.foreign.testsCode) {
						return true
					}
				}
			}
		}
	}
	for _, a := range fn.AnonFuncs {
		if e.looksAtState(a, depth) {
			return true
		}
	}
	return false
}

// lockNames begin the names of methods that keep others out.
var lockNames = []string{"Lock", "TryLock", "Obtain", "AcquireLock", "WithLock"}

// isLocker reports whether a type goes by the name of a lock.
func isLocker(t types.Type) bool {
	if t == nil {
		return false
	}
	name := typeName(t)
	name = strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	return strings.HasSuffix(name, "lock") && !strings.HasSuffix(name, "block") && !strings.HasSuffix(name, "clock") ||
		strings.HasSuffix(name, "locker") || strings.HasSuffix(name, "locks") || strings.HasSuffix(name, "mutex") || strings.HasSuffix(name, "semaphore")
}

// takesMutex reports whether a function takes a lock that is not the database's.
func (e *engine) takesMutex(fn *ssa.Function) bool {
	fn = outermost(fn)
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			name, on := "", types.Type(nil)
			if m := call.Common().Method; m != nil {
				name, on = m.Name(), call.Common().Value.Type()
			} else if f := call.Common().StaticCallee(); f != nil {
				name = f.Name()
				if f.Signature.Recv() != nil {
					on = f.Signature.Recv().Type()
				}
			}
			if isLocker(on) {
				return true
			}
			if slices.ContainsFunc(lockNames, func(p string) bool { return strings.HasPrefix(name, p) }) {
				return true
			}
		}
	}
	return false
}

// setsParam reports whether an INSERT writes a value into a column that is given
// with the statement.
func (l *Link) setsParam(col string) bool {
	return slices.ContainsFunc(l.WriteStatement.Sets, func(a pgsql.Assignment) bool {
		return normal(a.Column) == col && a.Value.Kind == pgsql.ExprParam
	})
}

func isConst(src sources) bool {
	return !slices.ContainsFunc(src, func(s source) bool { _, constant := s.base.(konst); return !constant })
}
