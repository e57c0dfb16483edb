package txflow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

// A rowCount says what becomes of the number of rows that a statement changes:
// of pgx's command tag, database/sql's result, gorm's RowsAffected, or a number.
//
// The zero value is the answer to every doubt: somebody may look at it.
type rowCount struct {
	_ struct{} `cbor:",toarray"`
	// Fate is what the function whose effect this is does with it.
	Fate countFate
	// Result is the result in which it is returned.
	Result int
	// Below is set when a called function, whose file is no generated one, has
	// dropped it and knew the statement.
	Below bool
	// Generated is set when a function in a generated file has dropped it.
	Generated bool
}

type countFate uint8

const (
	countLooked   countFate = iota // used, or not followed to its end
	countReturned                  // given to the caller
	countDropped                   // used by nobody
)

// countRows follows the row counts of the effects of one call.
func (e *engine) countRows(call ssa.CallInstruction, effects []*Effect) {
	for _, x := range effects {
		if x.Op != Run || x.Batch {
			continue
		}
		switch {
		case x.Origin == call:
			x.rows = e.ownRows(call, x.API)
		case x.rows.Fate == countReturned:
			x.rows = e.rowsOf(call, x.rows.Result)
		}
	}
}

// ownRows says what becomes of the row count of a library's call.
func (e *engine) ownRows(call ssa.CallInstruction, f *dbapi.Func) rowCount {
	v := call.Value()
	if v == nil || f == nil || !f.Exec || f.Checks {
		return rowCount{}
	}
	t := v.Type()
	if tuple, ok := t.(*types.Tuple); ok {
		if tuple.Len() == 0 {
			return rowCount{}
		}
		t = tuple.At(0).Type()
	}
	if isError(t) && f.Uncounted {
		return rowCount{Fate: countDropped}
	}
	if !countsRows(t) {
		return rowCount{}
	}
	return e.rowsOf(call, 0)
}

// countsRows reports whether a type holds the number of changed rows.
func countsRows(t types.Type) bool {
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Info()&types.IsInteger != 0
	}
	name := typeName(t)
	if name == "*gorm.io/gorm.DB" {
		return true
	}
	f := dbapi.Lookup("(" + name + ").RowsAffected")
	return f != nil && f.Role == dbapi.Affected
}

// rowsOf says what becomes of result i of a call, where that is a row count.
func (e *engine) rowsOf(call ssa.CallInstruction, i int) rowCount {
	v := call.Value()
	if v == nil {
		return rowCount{}
	}
	t := &countTrace{e: e, fn: call.Parent(), seen: map[ssa.Value]bool{}, result: -1}
	if _, tuple := v.Type().(*types.Tuple); !tuple {
		t.follow(v)
		return t.outcome()
	}
	for _, r := range *v.Referrers() {
		x, ok := r.(*ssa.Extract)
		if !ok {
			return rowCount{}
		}
		if x.Index == i {
			t.follow(x)
		}
	}
	return t.outcome()
}

// A countTrace follows one row count forward through a function.
type countTrace struct {
	e      *engine
	fn     *ssa.Function
	seen   map[ssa.Value]bool
	looked bool
	result int // the result in which it is returned, or -1
}

func (t *countTrace) outcome() rowCount {
	switch {
	case t.looked:
		return rowCount{}
	case t.result >= 0:
		return rowCount{Fate: countReturned, Result: t.result}
	}
	return rowCount{Fate: countDropped}
}

func (t *countTrace) follow(v ssa.Value) {
	if t.seen[v] || t.looked {
		return
	}
	t.seen[v] = true
	if v.Referrers() == nil {
		return
	}
	for _, r := range *v.Referrers() {
		t.use(v, r)
	}
}

// use looks at one instruction that has v as an operand.
func (t *countTrace) use(v ssa.Value, r ssa.Instruction) {
	switch r := r.(type) {
	case *ssa.DebugRef:
	case *ssa.Phi:
		t.follow(r)
	case *ssa.ChangeType:
		t.follow(r)
	case *ssa.Convert:
		t.follow(r)
	case *ssa.MakeInterface:
		t.follow(r)
	case *ssa.ChangeInterface:
		t.follow(r)
	case *ssa.Return:
		t.returned(v, r)
	case *ssa.Store:
		t.stored(v, r)
	case *ssa.FieldAddr:
		t.field(r)
	case *ssa.Call:
		t.call(v, r)
	default:
		t.looked = true
	}
}

// returned notes the result that v is returned in. What a closure returns goes
// to code that is not followed, unless the function around calls it itself.
func (t *countTrace) returned(v ssa.Value, r *ssa.Return) {
	for i, res := range r.Results {
		if res != v {
			continue
		}
		if r.Parent() != t.fn || t.result >= 0 && t.result != i {
			t.looked = true
			return
		}
		t.result = i
	}
}

// stored follows what is read from the local variable that v is stored in.
func (t *countTrace) stored(v ssa.Value, st *ssa.Store) {
	if st.Val != v {
		t.looked = true
		return
	}
	a, ok := st.Addr, true
	switch a.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
	default:
		ok = false
	}
	if !ok {
		t.looked = true
		return
	}
	t.variable(a)
}

// variable follows what is read at the address of a variable, in the function
// that declares it and in its closures.
func (t *countTrace) variable(addr ssa.Value) {
	if t.seen[addr] {
		return
	}
	t.seen[addr] = true
	if f, ok := addr.(*ssa.FreeVar); ok {
		for _, b := range t.e.bindings(f) {
			t.variable(b)
		}
	}
	if _, local := addr.(*ssa.Alloc); !local {
		if _, free := addr.(*ssa.FreeVar); !free {
			t.looked = true
			return
		}
	}
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != addr {
				t.looked = true
			}
		case *ssa.UnOp:
			t.follow(r)
		case *ssa.FieldAddr:
			t.field(r)
		case *ssa.MakeClosure:
			fn := r.Fn.(*ssa.Function)
			for i, b := range r.Bindings {
				if b == addr && i < len(fn.FreeVars) {
					t.variable(fn.FreeVars[i])
				}
			}
		case *ssa.Call: // a method of the variable: tag.RowsAffected()
			t.call(addr, r)
		case *ssa.DebugRef:
		default:
			t.looked = true
		}
	}
}

// field looks at a field of a *gorm.DB: the error says nothing of rows.
func (t *countTrace) field(a *ssa.FieldAddr) {
	st := structOf(a.X.Type())
	if st == nil {
		t.looked = true
		return
	}
	switch st.Field(a.Field).Name() {
	case "Error":
		for _, r := range *a.Referrers() {
			if ld, ok := r.(*ssa.UnOp); !ok || ld.Op != token.MUL {
				t.looked = true
			}
		}
	case "RowsAffected":
		for _, r := range *a.Referrers() {
			ld, ok := r.(*ssa.UnOp)
			if !ok || ld.Op != token.MUL {
				t.looked = true
				return
			}
			t.follow(ld)
		}
	default:
		t.looked = true
	}
}

// call follows the number that RowsAffected returns; every other call may look.
func (t *countTrace) call(v ssa.Value, call *ssa.Call) {
	name := ""
	if c := call.Common(); c.IsInvoke() && c.Value == v {
		name = c.Method.Name()
	} else if fn := c.StaticCallee(); fn != nil && len(c.Args) == 1 && c.Args[0] == v && fn.Signature.Recv() != nil {
		name = fn.Name()
	}
	if name != "RowsAffected" {
		t.looked = true
		return
	}
	if _, tuple := call.Type().(*types.Tuple); !tuple {
		t.follow(call)
		return
	}
	for _, r := range *call.Referrers() {
		x, ok := r.(*ssa.Extract)
		if !ok {
			t.looked = true
			return
		}
		if x.Index == 0 {
			t.follow(x)
		}
	}
}

// rowsAbove returns the row count of an effect of the unit for a caller of it.
func (e *engine) rowsAbove(u unit, x *Effect) rowCount {
	c := x.rows
	if c.Fate != countDropped {
		return c
	}
	if e.unitGenerated(u) {
		c.Generated = true
	} else if len(x.Texts.Params()) == 0 {
		c.Below = true
	}
	return c
}

// unreturned gives up the row counts that effects return: of a function that
// another function is given, the caller does not get the results.
func unreturned(effects []*Effect) []*Effect {
	for _, x := range effects {
		if x.rows.Fate == countReturned {
			x.rows = rowCount{}
		}
	}
	return effects
}

func (e *engine) unitGenerated(u unit) bool {
	if u.foreign != nil {
		return u.foreign.generated
	}
	return u.fn != nil && e.inGenerated(u.fn)
}

// A Dropped is a statement of which nobody looks at how many rows it changed.
type Dropped struct {
	// Alternatives are the numbers of its texts, as [Site.Statements] gives them.
	Alternatives []int
	// At is the call that drops the count.
	At ssa.CallInstruction
}

// DroppedRows returns the statements of the site whose number of changed rows is
// dropped in the site's function, though the error of the same call is looked
// at. A count that is returned to callers who are not seen, or given to a
// function, is not dropped. Each statement of a batch is told by itself.
func (s *Site) DroppedRows() []Dropped {
	if s.Op != Run || s.Deferred || s.Go || s.Fn == nil {
		return nil
	}
	if s.Batch {
		return s.e.droppedInBatch(s.Effect)
	}
	if s.rows.Fate != countDropped || s.rows.Below || !s.e.errorLooked(s.At) {
		return nil
	}
	d := Dropped{At: s.At}
	for i := range s.Texts {
		d.Alternatives = append(d.Alternatives, i)
	}
	return []Dropped{d}
}

// errorLooked reports whether the error of a call is looked at: where it is
// not, the statement is an attempt whose outcome does not matter.
func (e *engine) errorLooked(call ssa.CallInstruction) bool {
	v := call.Value()
	if !Here(call) || v == nil {
		return false
	}
	if _, tuple := v.Type().(*types.Tuple); !tuple {
		if isError(v.Type()) {
			return len(*v.Referrers()) > 0
		}
		return slices.ContainsFunc(errorsOf(v), func(err ssa.Value) bool { return err != v && len(*err.Referrers()) > 0 }) ||
			panics(v)
	}
	for _, r := range *v.Referrers() {
		if x, ok := r.(*ssa.Extract); ok && isError(x.Type()) && len(*x.Referrers()) > 0 {
			return true
		}
	}
	return false
}

// panics reports whether a call has no error because it panics instead: a
// result of database/sql that comes alone (sqlx's MustExec).
func panics(v ssa.Value) bool { return typeName(v.Type()) == "database/sql.Result" }

// droppedInBatch returns the statements of a batch whose tags are dropped. The
// results come in the order of the statements; where they cannot be told apart,
// nothing is said unless all are dropped.
func (e *engine) droppedInBatch(x *Effect) []Dropped {
	call, ok := x.Origin.(*ssa.Call)
	if !ok || x.Instr != x.Origin || call.Referrers() == nil || e.queuedCallbacks(call, x) {
		return nil
	}
	var execs []*ssa.Call
	closed := false
	uses, ok := usesOf(call)
	if !ok {
		return nil
	}
	for _, r := range uses {
		f := e.rowOf(r)
		c, called := r.(*ssa.Call)
		switch {
		case f != nil && f.Role == dbapi.CloseRows:
			closed = closed || called && c.Parent() == call.Parent() && len(*c.Referrers()) > 0
		case called && f != nil && f.Role == dbapi.Receive && f.Exec && c.Parent() == call.Parent():
			execs = append(execs, c)
		default:
			return nil
		}
	}
	return e.pairBatch(x, execs, closed)
}

// usesOf returns the calls in which v is used, also where it is kept in a variable
// that holds nothing else and that closures may read; false when it is used
// otherwise.
func usesOf(v ssa.Value) (uses []ssa.CallInstruction, ok bool) {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case ssa.CallInstruction:
			uses = append(uses, r)
		case *ssa.Store:
			a, local := r.Addr.(*ssa.Alloc)
			if r.Val != v || !local {
				return nil, false
			}
			kept, ok := usesOfVariable(a, r)
			if !ok {
				return nil, false
			}
			uses = append(uses, kept...)
		default:
			return nil, false
		}
	}
	return uses, true
}

// usesOfVariable is usesOf for what only the instruction store puts into the
// variable at addr.
func usesOfVariable(addr ssa.Value, store *ssa.Store) (uses []ssa.CallInstruction, ok bool) {
	for _, r := range *addr.Referrers() {
		var more []ssa.CallInstruction
		ok = true
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			ok = r == store
		case *ssa.UnOp:
			more, ok = usesOf(r)
		case *ssa.MakeClosure:
			fn := r.Fn.(*ssa.Function)
			for i, b := range r.Bindings {
				if b == addr && ok {
					more, ok = usesOfVariable(fn.FreeVars[i], store)
				}
			}
		default:
			ok = false
		}
		if !ok {
			return nil, false
		}
		uses = append(uses, more...)
	}
	return uses, true
}

// pairBatch tells which calls read the results of which statements of a batch;
// closed is set when the error of closing the results is looked at.
func (e *engine) pairBatch(x *Effect, execs []*ssa.Call, closed bool) []Dropped {
	dropped := func(c *ssa.Call) bool { return e.rowsOf(c, 0).Fate == countDropped }
	slices.SortFunc(execs, func(a, b *ssa.Call) int { return int(a.Pos() - b.Pos()) })
	var out []Dropped
	if len(execs) == len(x.Texts) {
		for i, c := range execs {
			if dropped(c) && (e.errorLooked(c) || closed) {
				out = append(out, Dropped{[]int{i}, c})
			}
		}
		return out
	}
	for _, c := range execs {
		if !dropped(c) {
			return nil
		}
	}
	at := x.At
	switch {
	case len(execs) == 1 && e.errorLooked(execs[0]):
		at = execs[0]
	case len(execs) > 0 || !closed:
		return nil
	}
	for i := range x.Texts {
		out = append(out, Dropped{[]int{i}, at})
	}
	return out
}

// rowOf returns the table row of the function that a call runs, or nil.
func (e *engine) rowOf(call ssa.CallInstruction) *dbapi.Func {
	for _, c := range e.callees(call.Common()) {
		if f := c.api(); f != nil {
			return f
		}
	}
	return nil
}

// queuedCallbacks reports whether a statement of the batch that x sends is given
// a function that looks at its result (pgx's QueuedQuery), or is queued where it
// is not seen.
func (e *engine) queuedCallbacks(call *ssa.Call, x *Effect) bool {
	var batch ssa.Value
	for _, c := range e.callees(call.Common()) {
		if a := c.arg(x.API.Batch); a != nil {
			batch = a
		}
	}
	if batch == nil || batch.Referrers() == nil {
		return true
	}
	b := e.eval(batch, "")
	found := false
	for _, blk := range call.Parent().Blocks {
		for _, in := range blk.Instrs {
			q, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			for _, c := range e.callees(q.Common()) {
				f := c.api()
				if f == nil || f.Role != dbapi.Queue || c.arg(f.Batch) == nil || !e.eval(c.arg(f.Batch), "").Same(b) {
					continue
				}
				if found = true; len(*q.Referrers()) > 0 {
					return true
				}
			}
		}
	}
	return !found
}

// DroppedByGenerated reports whether it is a generated function that drops the
// number of rows, so that only another query could return it.
func (s *Site) DroppedByGenerated() bool { return s.rows.Generated }

// Answers reports whether the function in which a call stands can tell its caller
// that the call failed: it, or the function that it is a closure of, has a result
// that is an error or a boolean.
func (s *Site) Answers(call ssa.CallInstruction) bool {
	if !Here(call) {
		return true
	}
	for fn := call.Parent(); fn != nil; fn = fn.Parent() {
		for v := range fn.Signature.Results().Variables() {
			if b, ok := v.Type().Underlying().(*types.Basic); isError(v.Type()) || ok && b.Kind() == types.Bool {
				return true
			}
		}
	}
	return false
}

// Around reports whether s is the effect of t as it is seen in t's function, in
// one around it, or in a caller.
func (s *Site) Around(t *Site) bool {
	switch {
	case s.Origin != t.Origin:
		return false
	case s.Fn != nil && t.Fn != nil && sameFamily(s.Fn, t.Fn):
		return true
	}
	return t.Fn == nil || slices.Contains(s.Path, FuncName(outermost(t.Fn)))
}

// HandedToLiteral reports whether the handle is what some function hands to a
// function literal that it is given: only what stands in the literal, and what it
// calls, runs in that transaction.
func (s *Site) HandedToLiteral() bool {
	p := s.Handle.Parameter()
	if p == nil || p.Parent().Parent() == nil {
		return false
	}
	uses := p.Parent().Referrers()
	for _, mc := range s.e.closures[p.Parent()] {
		uses = mc.Referrers()
	}
	if uses == nil || len(*uses) == 0 {
		return false
	}
	return !slices.ContainsFunc(*uses, func(in ssa.Instruction) bool {
		_, call := in.(*ssa.Call)
		return !call
	})
}

// argument returns argument n, from 1, of the statement, in terms of the
// function that runs it; nil when it is not known.
func (s *Site) argument(n int) ssa.Value {
	call, ok := s.Origin.(*ssa.Call)
	if !ok || s.API == nil || n < 1 {
		return nil
	}
	var args []ssa.Value
	for _, a := range s.e.chainArgs[call] {
		if a.path != "" || a.made != nil {
			a.v = nil
		}
		args = append(args, a.v)
	}
	if s.API.Role != dbapi.Finish {
		for _, c := range s.e.callees(call.Common()) {
			if a := c.arg(s.API.Args); a != nil {
				args = variadic(a)
			}
		}
	}
	if n > len(args) || args[n-1] == nil {
		return nil
	}
	return unwrap(args[n-1])
}

// SameArgument reports whether two arguments of the statement are the same value.
func (s *Site) SameArgument(a, b int) bool {
	if a == b {
		return true
	}
	v, w := s.argument(a), s.argument(b)
	if v == nil || w == nil {
		return false
	}
	if v == w {
		return true
	}
	x, isConst := s.ConstArgument(a)
	y, both := s.ConstArgument(b)
	return isConst && both && x == y
}

// ConstArgument returns the value of a constant argument of the statement, as SQL
// writes it but without quotes.
func (s *Site) ConstArgument(n int) (string, bool) {
	c, ok := s.argument(n).(*ssa.Const)
	if !ok || c.Value == nil {
		return "", false
	}
	if c.Value.Kind() == constant.String {
		return constant.StringVal(c.Value), true
	}
	return c.Value.ExactString(), true
}

// OwnArgument reports whether an argument of the statement is a field of the
// object whose method runs it: what says who this process or worker is.
func (s *Site) OwnArgument(n int) bool {
	v := s.argument(n)
	for {
		switch x := v.(type) {
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return false
			}
			v = x.X
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.Field:
			v = x.X
		case *ssa.FreeVar:
			b := s.e.bindings(x)
			if len(b) != 1 {
				return false
			}
			v = b[0]
		case *ssa.Alloc:
			st := s.e.stores(x)
			if len(st) != 1 {
				return false
			}
			v = st[0]
		case *ssa.Parameter:
			fn := x.Parent()
			return fn.Signature.Recv() != nil && len(fn.Params) > 0 && fn.Params[0] == x
		default:
			return false
		}
	}
}
