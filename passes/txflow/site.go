package txflow

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/pgsql"
)

// A Result is what the rules ask: the places in a package where what an effect
// runs on is known, or will never be known better than there.
type Result struct {
	// Sites are in source order. Sites in generated files are left out; their
	// effects are sites of the calls that lead there.
	Sites []*Site
	// Effects are all effects of all functions outside generated files, each in
	// every function that has it, in source order of the functions.
	Effects []*Site

	mu sync.Mutex
	e  *engine // nil where nothing was looked at
}

// Ask calls f while nobody else asks: answers are computed when they are asked
// for, and drivers run rules side by side.
func (r *Result) Ask(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}

// Empty reports whether there is nothing to ask: the package does nothing itself,
// and puts no program together in which others read and write.
func (r *Result) Empty() bool {
	return len(r.Effects) == 0 && (r.e == nil || r.e.linkedData == nil)
}

// A Site is an effect at the place where a user should look at it.
type Site struct {
	*Effect
	// Fn is the function in whose terms the effect's handle is given.
	Fn *ssa.Function
	// Entry is set on undecided effects of functions that nothing in this
	// package calls.
	Entry bool
	// Linked is set when the site came to light by linking interface calls; Fn
	// is nil then.
	Linked bool

	e      *engine
	linked []*Effect
}

// result collects the sites of the package.
func (e *engine) result() *Result {
	res := &Result{e: e}
	for _, fn := range e.funcs {
		generated := e.inGenerated(fn)
		seen := map[siteKey]bool{}
		for _, x := range e.summary(fn).effects {
			if generated || e.alien(x.Handle) {
				continue
			}
			res.Effects = append(res.Effects, &Site{Effect: x, Fn: fn, Entry: e.isEntry(fn), e: e})
			if x.Op != Run {
				continue
			}
			decided := x.settled && !x.below
			entry := !x.settled && (e.isEntry(fn) || e.keptPool(x))
			key := siteKey{x.At, x.Origin, x.State, firstText(x)}
			if !decided && !entry || seen[key] {
				continue
			}
			seen[key] = true
			if x.FromAmbient && x.Enter != nil && decided {
				y := *x
				y.At = x.Enter // around which the transaction is missing
				res.Sites = append(res.Sites, &Site{Effect: &y, Fn: fn, e: e})
				continue
			}
			res.Sites = append(res.Sites, &Site{Effect: x, Fn: fn, Entry: entry, e: e})
		}
	}
	return res
}

type siteKey struct {
	at, origin ssa.CallInstruction
	state      State
	text       string // a parameter may decide between several
}

func firstText(x *Effect) string {
	if len(x.Texts) == 0 {
		return ""
	}
	return x.Texts[0].String()
}

// isEntry reports whether nothing in this package calls fn or uses it as a value.
func (e *engine) isEntry(fn *ssa.Function) bool {
	return fn.Parent() == nil && len(e.callers[fn]) == 0 && !e.used[fn]
}

// Statements returns the statements the effect runs: one list for each text
// that it can be. Nothing is known when it is empty.
func (s *Site) Statements() [][]*pgsql.Statement { return s.e.statements(s.Effect) }

// Always returns the first statement for which pred is true in every
// alternative of the text, or nil: what can be another text on another path is
// not certain.
func (s *Site) Always(pred func(st *pgsql.Statement, before, rest []*pgsql.Statement) bool) *pgsql.Statement {
	var found *pgsql.Statement
	alts := s.Statements()
	if s.Batch {
		// The texts of a batch run one after another, in one transaction.
		alts = [][]*pgsql.Statement{slices.Concat(alts...)}
	}
	for _, alt := range alts {
		var hit *pgsql.Statement
		for i, st := range alt {
			if pred(st, alt[:i], alt[i+1:]) {
				hit = st
				break
			}
		}
		if hit == nil {
			return nil
		}
		if found == nil {
			found = hit
		}
	}
	return found
}

// Range returns the source range of the call that the site is.
func (s *Site) Range() (pos, end token.Pos) { return s.e.rangeOf(s.At) }

// OriginRange returns the source range of the call that runs the statement.
func (s *Site) OriginRange() (pos, end token.Pos) { return s.e.rangeOf(s.Origin) }

// RangeOf returns the source range of another effect's place.
func (s *Site) RangeOf(x *Effect) (pos, end token.Pos) { return s.e.rangeOf(x.At) }

// Line returns the line number of an instruction.
func (s *Site) Line(in ssa.Instruction) int {
	return s.e.pass.Fset.Position(instrPos(in)).Line
}

// Pos returns the position of an instruction, of the first statement of its
// block where it has none.
func (s *Site) Pos(in ssa.Instruction) token.Pos { return instrPos(in) }

func instrPos(in ssa.Instruction) token.Pos {
	if _, ok := in.(*foreignCall); ok {
		return token.NoPos
	}
	if p := in.Pos(); p.IsValid() {
		return p
	}
	for _, other := range in.Block().Instrs {
		if p := other.Pos(); p.IsValid() {
			return p
		}
	}
	return in.Parent().Pos()
}

// Via says through which functions the statement is reached, as
// " (through Store.Lock, store.go:42)"; empty when the site runs it itself.
func (s *Site) Via() string {
	if len(s.Path) == 0 {
		return ""
	}
	return fmt.Sprintf(" (through %s, %s)", strings.Join(s.Path, " → "), s.e.placeOf(s.Origin))
}

// Place names the file and the line of the call that runs the statement.
func (s *Site) Place() string { return s.e.placeOf(s.Origin).String() }

func base(name string) string {
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		return name[i+1:]
	}
	return name
}

// FuncName names a function as a reader would: Store.Lock, Transfer.
func FuncName(fn *ssa.Function) string {
	fn = outermost(fn)
	if recv := fn.Signature.Recv(); recv != nil {
		t := recv.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			return n.Obj().Name() + "." + fn.Name()
		}
	}
	return fn.Name()
}

// HandleName names the handle as the source does, as "s.pool"; "" when it has no name.
func (s *Site) HandleName() string {
	v := s.Handle
	switch b := v.Base.(type) {
	case *ssa.Parameter:
		return b.Name() + s.e.visiblePath(b.Type(), v.Path)
	case *ssa.Global:
		return b.Name() + s.e.visiblePath(b.Type(), v.Path)
	}
	return ""
}

// visiblePath drops the embedded fields of library types from the end of a
// path: the reader wrote s.db, not s.db.DB.
func (e *engine) visiblePath(t types.Type, path string) string {
	for {
		i := strings.LastIndexByte(path, '.')
		if i < 0 {
			return path
		}
		owner := deref(t)
		if i > 0 {
			owner = fieldType(deref(t), path[:i])
		}
		if owner == nil || libraryHandle(owner, typeName(owner)) == dbapi.NoHandle {
			return path
		}
		path = path[:i]
	}
}

// Effects returns all effects of the function, in order.
func (s *Site) Effects() []*Effect {
	if s.Fn == nil {
		return s.linked
	}
	return s.e.summary(s.Fn).effects
}

// Family yields the effects of the declared function that the site is in and of
// all closures in it.
func (s *Site) Family() iter.Seq[*Effect] {
	return func(yield func(*Effect) bool) {
		if s.Fn == nil {
			slices.Values(s.linked)(yield)
			return
		}
		var visit func(*ssa.Function) bool
		visit = func(fn *ssa.Function) bool {
			for _, x := range s.e.summary(fn).effects {
				if !yield(x) {
					return false
				}
			}
			for _, c := range fn.AnonFuncs {
				if !visit(c) {
					return false
				}
			}
			return true
		}
		visit(outermost(s.Fn))
	}
}

// StatementsOf parses the texts of another effect of the function.
func (s *Site) StatementsOf(x *Effect) [][]*pgsql.Statement { return s.e.statements(x) }

// Any reports whether some statement of x, in any alternative, satisfies pred.
func (s *Site) Any(x *Effect, pred func(*pgsql.Statement) bool) bool {
	for _, alt := range s.e.statements(x) {
		for _, st := range alt {
			if pred(st) {
				return true
			}
		}
	}
	return false
}

// After reports whether the function, after the site, has an effect on the
// same handle for which pred is true.
func (s *Site) After(pred func(*Effect) bool) bool {
	past := false
	for _, x := range s.Effects() {
		if x == s.Effect {
			past = true
			continue
		}
		if (past || x.Deferred) && x.Handle.Same(s.Handle) && pred(x) {
			return true
		}
	}
	return false
}

// PresumedPool reports whether the undecided handle of an entry function can be
// taken for a pool although its type serves as pool and transaction alike
// (*gorm.DB), and nothing in the package calls the function: it is a parameter
// that goes by the name of a database and not of a transaction, or a field of
// the receiver on which other methods of the type begin transactions.
func (s *Site) PresumedPool() bool {
	if slices.ContainsFunc(s.conds, func(c cond) bool { return c.test == isTxTest && c.want }) {
		return false // where it is a pool, this does not happen
	}
	if s.e.keptPool(s.Effect) {
		return !slices.ContainsFunc(s.Path, func(name string) bool { return s.e.keptPools()[s.Origin][name] })
	}
	if !s.Entry || !s.e.flowHandle(s.Handle) || s.Handle.Path != "" {
		return false
	}
	p := s.Handle.Parameter()
	name := strings.ToLower(p.Name())
	return (strings.HasSuffix(name, "db") || strings.Contains(name, "pool") || name == "database") && !s.setsSavepoint()
}

// setsSavepoint reports whether the function sets a savepoint by a statement on the
// handle, which it then takes for a transaction.
func (s *Site) setsSavepoint() bool {
	return slices.ContainsFunc(s.Effects(), func(x *Effect) bool {
		return x.Op == Run && x.Handle.Same(s.Handle) && s.Any(x, func(st *pgsql.Statement) bool { return st.Kind == pgsql.Savepoint })
	})
}

// keptPool reports whether the handle of an effect is a field on which methods of
// its type begin transactions: callers do not decide what it is.
func (e *engine) keptPool(x *Effect) bool {
	p := x.Handle.Parameter()
	return x.Handle.Path != "" && e.flowHandle(x.Handle) && e.managed()[managedKey{typeName(p.Type()), x.Handle.Path}]
}

// OnPool reports whether the handle is a pool, or is kept as one.
func (s *Site) OnPool() bool { return s.Handle.Kind == Pool || s.e.keptPool(s.Effect) }

// keptPools lists the functions in which the handle of a call is such a field: their
// callers need not say again what is said there.
func (e *engine) keptPools() map[ssa.CallInstruction]map[string]bool {
	if e.keptIn != nil {
		return e.keptIn
	}
	e.keptIn = map[ssa.CallInstruction]map[string]bool{}
	for _, fn := range e.funcs {
		for _, x := range e.summary(fn).effects {
			if x.Op != Run || !e.keptPool(x) {
				continue
			}
			if e.keptIn[x.Origin] == nil {
				e.keptIn[x.Origin] = map[string]bool{}
			}
			e.keptIn[x.Origin][FuncName(fn)] = true
		}
	}
	return e.keptIn
}

// A managedKey is a field of a type, by the type's name and the path.
type managedKey struct{ typ, path string }

// managed returns the fields on which methods of their type begin transactions
// and in which this package stores no transaction, and those into which it puts
// such fields alone.
func (e *engine) managed() map[managedKey]bool {
	if e.managedFields != nil {
		return e.managedFields
	}
	e.managedFields = map[managedKey]bool{}
	for _, fn := range e.funcs {
		for _, x := range e.summary(fn).effects {
			if x.Op != BeginTx || x.Handle.From == nil {
				continue
			}
			p := x.Handle.From.Parameter()
			if p == nil || x.Handle.From.Path == "" || p.Parent().Signature.Recv() == nil || p != p.Parent().Params[0] {
				continue
			}
			key := managedKey{typeName(p.Type()), x.Handle.From.Path}
			if _, known := e.managedFields[key]; !known {
				e.managedFields[key] = !e.storesTx(p.Type(), x.Handle.From.Path)
			}
		}
	}
	for handed := true; handed; {
		handed = false
		for field, values := range e.fields {
			key := managedKey{typeName(field.typ.Type()), "." + field.field}
			if !e.managedFields[key] && !token.IsExported(field.field) && e.allManaged(values) {
				e.managedFields[key], e.managedFields[managedKey{"*" + key.typ, key.path}] = true, true
				handed = true
			}
		}
	}
	return e.managedFields
}

// allManaged reports whether values are nothing but managed fields.
func (e *engine) allManaged(values []ssa.Value) bool {
	return len(e.managedFields) > 0 && len(values) > 0 && !slices.ContainsFunc(values, func(v ssa.Value) bool {
		got := e.eval(v, "")
		return !e.flowHandle(got) || !e.managedFields[managedKey{typeName(got.Parameter().Type()), got.Path}]
	})
}

// storesTx reports whether this package puts a transaction into the field.
func (e *engine) storesTx(t types.Type, path string) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return true
	}
	name, rest := splitPath(path)
	return slices.ContainsFunc(e.fields[fieldKey{n.Origin().Obj(), name}], func(v ssa.Value) bool {
		return e.mayBeTx(e.eval(v, rest), n, 0)
	})
}

// mayBeTx reports whether what is stored in a field of type n may be a transaction:
// it goes by that name, a function literal is given it, or a method of the type
// makes a copy with what it is given.
func (e *engine) mayBeTx(v Value, n *types.Named, depth int) bool {
	p := v.Parameter()
	switch {
	case v.Kind == Tx, depth > 3:
		return true
	case p == nil || v.Kind != Symbolic:
		return false
	case strings.Contains(strings.ToLower(p.Name()), "tx"), v.Path == "" && (p.Parent().Parent() != nil || methodOf(p.Parent(), n)):
		return true
	case v.Path != "":
		return false
	}
	i := paramIndex(p.Parent(), p)
	return slices.ContainsFunc(e.callers[p.Parent()], func(call ssa.CallInstruction) bool {
		args := call.Common().Args
		return i >= len(args) || e.mayBeTx(e.eval(args[i], ""), n, depth+1)
	})
}

// ScanTargets returns the variables that the statement's row is scanned into,
// and whether a result that tells about rows is asked for at all.
func (s *Site) ScanTargets() []ssa.Value {
	if _, ok := s.Origin.(*foreignCall); ok {
		return nil
	}
	return s.e.scanTargets(s.Origin)
}

// rangeOf returns the range of a call's expression.
func (e *engine) rangeOf(call ssa.CallInstruction) (pos, end token.Pos) {
	if f, ok := call.(*foreignCall); ok {
		return e.positions(f.at)
	}
	if w, ok := call.(*waitPoint); ok {
		return w.pos, w.end
	}
	lparen := call.Common().Pos()
	if e.calls == nil {
		e.calls = map[token.Pos]*ast.CallExpr{}
		for _, f := range e.pass.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				if c, ok := n.(*ast.CallExpr); ok {
					e.calls[c.Lparen] = c
				}
				return true
			})
		}
	}
	if c := e.calls[lparen]; c != nil {
		return c.Pos(), c.End()
	}
	p := instrPos(call)
	return p, p
}

// HandleWords says what the statement runs on, for messages: "the pool s.pool".
func (s *Site) HandleWords() string {
	name := s.HandleName()
	if name != "" {
		name = " " + name
	}
	switch s.Handle.Kind {
	case Pool:
		return "the pool" + name
	case Session:
		return "a session with no transaction open"
	case Tx:
		return "the transaction" + name
	case Ambient:
		return "the transaction of the context or else the pool" + name
	}
	if s.Presumed {
		return strings.TrimSpace(name) + " and not on the transaction opened around it"
	}
	if name == "" {
		return "the pool"
	}
	return strings.TrimSpace(name)
}

// LineOf returns the line number of a position.
func (s *Site) LineOf(pos token.Pos) int { return s.e.pass.Fset.Position(pos).Line }

// UnlocksElsewhere reports whether some function of the package runs a
// statement for which unlocks is true on a handle on which neither it nor the
// function around it has run one for which locks is true: else it gives back its
// own lock.
func (s *Site) UnlocksElsewhere(locks, unlocks func(*pgsql.Statement) bool) bool {
	own := map[ssa.CallInstruction]bool{}
	for _, fn := range s.e.funcs {
		effects := s.e.summary(fn).effects
		for _, x := range effects {
			if x.Op != Run || x.Handle.Kind == Pool || !s.Any(x, unlocks) {
				continue
			}
			own[x.Origin] = own[x.Origin] || slices.ContainsFunc(effects, func(y *Effect) bool {
				return y.Op == Run && y.Handle.Same(x.Handle) && s.Any(y, locks)
			})
		}
	}
	return slices.Contains(slices.Collect(maps.Values(own)), false)
}

// ErrorDropped reports whether nobody looks at the error of the library call
// of x: its results are not used, and no row of it is scanned.
func (s *Site) ErrorDropped(x *Effect) bool {
	call := x.Origin
	if _, ok := call.(*foreignCall); ok {
		return false
	}
	v := call.Value()
	if v == nil {
		return true // defer or go
	}
	if v.Referrers() == nil || len(*v.Referrers()) == 0 {
		return true
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Extract:
			if isError(r.Type()) && r.Referrers() != nil && len(*r.Referrers()) > 0 {
				return false
			}
		case *ssa.Call:
			// Scan of the row: its own error.
			if r.Referrers() != nil && len(*r.Referrers()) > 0 {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

// Cancellable reports whether the context given to the library call of x is one
// that the function's caller can cancel.
func (s *Site) Cancellable(x *Effect) bool {
	if _, ok := x.Origin.(*foreignCall); ok || x.API == nil {
		return false
	}
	for _, c := range s.e.callees(x.Origin.Common()) {
		if a := c.arg(x.API.Ctx); a != nil {
			v := s.e.eval(a, "")
			return !v.Detached && (v.Kind == Symbolic || v.Kind == RootContext || v.Kind == TxContext)
		}
	}
	return false
}

// Unwrap looks through conversions to interfaces and named types.
func Unwrap(v ssa.Value) ssa.Value { return unwrap(v) }

// Pkg returns the package that is analysed.
func (s *Site) Pkg() *types.Package { return s.e.pass.Pkg }

// InScope reports whether a transaction is open around the effect in this
// function, and was not in the functions that it came through.
func (s *Site) InScope() bool { return s.fresh > 0 && len(s.Scopes) == s.fresh }

// Scope returns the innermost transaction around the effect, or nil.
func (s *Site) Scope() *Scope {
	for i := range s.Scopes {
		if s.Scopes[i].Begin != nil {
			return &s.Scopes[i] // say where it begins, if anybody knows
		}
	}
	if len(s.Scopes) == 0 {
		return nil
	}
	return &s.Scopes[0]
}

// BegunWhere says where a transaction is begun, as Where does, and "" when that
// is not known.
func (s *Site) BegunWhere(sc *Scope) string {
	if sc == nil || sc.Begin == nil {
		return ""
	}
	return s.Where(sc.Begin)
}

// Where says where a call stands, for a reader of the site: "line 42", or
// "store.go:42" in another file.
func (s *Site) Where(call ssa.CallInstruction) string {
	return s.e.placeOf(call).from(s.e.placeOf(s.At))
}

// RangeOfCall returns the source range of a call.
func (s *Site) RangeOfCall(call ssa.CallInstruction) (pos, end token.Pos) { return s.e.rangeOf(call) }

// InGenerated reports whether an instruction stands in a generated file.
func (s *Site) InGenerated(call ssa.CallInstruction) bool {
	if _, ok := call.(*foreignCall); ok {
		return false
	}
	return s.e.inGenerated(call.Parent())
}

// Here reports whether a call stands in this package.
func Here(call ssa.CallInstruction) bool {
	_, ok := call.(*foreignCall)
	return !ok && call != nil
}

// PoolWords names the pool that a statement or a begin takes a connection from.
func (s *Site) PoolWords() string {
	v := s.Handle
	if s.Op != Run && v.From != nil {
		v = s.begunOn()
	}
	t := &Site{Effect: &Effect{Handle: v}, Fn: s.Fn, e: s.e}
	return strings.TrimPrefix(t.HandleWords(), "the pool ")
}
