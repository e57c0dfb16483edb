package txflow

import (
	"go/constant"
	"go/token"
	"regexp"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/pgsql"
)

// AfterFailure looks for the next use of the transaction of s on a path on
// which the statement of s is known to have failed: PostgreSQL refuses every
// statement until the transaction or a savepoint is rolled back (25P02).
// It returns nil when there is none.
func (s *Site) AfterFailure() *Effect {
	if s.Fn == nil || s.Handle.Kind != Tx || s.Handle.Base == nil || s.Instr == nil || s.Instr.Parent() != s.Fn {
		return nil
	}
	w := &failureWalk{
		e: s.e, site: s, byInstr: map[ssa.Instruction][]*Effect{},
		values: map[ssa.Value]bool{}, addrs: map[ssa.Value]bool{}, seen: map[walkKey]bool{},
		noRows: s.mayReturnNoRows(),
	}
	for _, x := range s.Effects() {
		if s.usesSavepoint(x) {
			return nil
		}
		w.byInstr[x.Instr] = append(w.byInstr[x.Instr], x)
	}
	if v := s.Instr.Value(); v != nil {
		w.values[v] = true
		for _, err := range errorsOf(v) {
			w.values[err] = true
		}
	} else {
		return nil
	}
	return w.from(s.Instr.Block(), indexOf(s.Instr)+1, notKnown)
}

// usesSavepoint reports whether x sets a savepoint in the transaction of s.
func (s *Site) usesSavepoint(x *Effect) bool {
	if !x.Handle.Same(s.Handle) {
		return x.Op == BeginTx && x.Handle.From != nil && x.Handle.From.Same(s.Handle) && x.Instr == s.Instr
	}
	if x.API != nil && (x.API.Role == dbapi.Savepoint || x.API.Role == dbapi.RollbackTo) {
		return true
	}
	return x.Op == Run && s.Any(x, func(st *pgsql.Statement) bool {
		return st.Kind == pgsql.Savepoint || st.Kind == pgsql.RollbackTo
	})
}

// mayReturnNoRows reports whether an error of the statement may only say that
// there is no row, or may come from the code around the statement.
func (s *Site) mayReturnNoRows() bool {
	if len(s.Path) > 0 || s.API == nil {
		return true
	}
	if s.API.Exec || s.API.Rows {
		return false
	}
	return s.Always(func(st *pgsql.Statement, _, _ []*pgsql.Statement) bool {
		return st.Kind == pgsql.Insert && st.OnConflict == pgsql.ConflictNone && !st.Partial
	}) == nil
}

// errorsOf returns the error values that a call, or the Scan of its row, gives.
func errorsOf(v ssa.Value) []ssa.Value {
	var out []ssa.Value
	if v.Referrers() == nil {
		return nil
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Extract:
			if isError(r.Type()) {
				out = append(out, r)
			}
		case *ssa.Call:
			if isError(r.Type()) && receiverOf(r) == v {
				out = append(out, r)
			}
		case *ssa.FieldAddr:
			// gorm's Error field
			if isError(derefPtr(r.Type())) && r.Referrers() != nil {
				for _, u := range *r.Referrers() {
					if ld, ok := u.(*ssa.UnOp); ok && ld.Op == token.MUL {
						out = append(out, ld)
					}
				}
			}
		}
	}
	return out
}

func receiverOf(call *ssa.Call) ssa.Value {
	c := call.Common()
	if c.IsInvoke() {
		return c.Value
	}
	if len(c.Args) > 0 {
		return c.Args[0]
	}
	return nil
}

// A failState is what is known of the error on a path.
type failState uint8

const (
	notKnown  failState = iota
	isSet               // the error is set, but may only say that there is no row
	certainly           // the statement failed
)

type walkKey struct {
	b *ssa.BasicBlock
	s failState
}

type failureWalk struct {
	e       *engine
	site    *Site
	byInstr map[ssa.Instruction][]*Effect
	values  map[ssa.Value]bool // hold the error
	addrs   map[ssa.Value]bool // variables that hold it
	seen    map[walkKey]bool
	noRows  bool
}

func (w *failureWalk) from(b *ssa.BasicBlock, i int, state failState) *Effect {
	for ; i < len(b.Instrs); i++ {
		in := b.Instrs[i]
		w.follow(in)
		for _, x := range w.byInstr[in] {
			if x.Deferred || x.Go || !x.Handle.Same(w.site.Handle) {
				continue
			}
			switch {
			case x.Op == RollbackTx:
				return nil
			case x.Op != Run && x.Op != CommitTx && x.Op != BeginTx:
				continue
			case state != certainly || x.Instr == w.site.Instr:
				return nil
			case x.Op == Run && w.site.Any(x, func(st *pgsql.Statement) bool { return st.Kind == pgsql.Rollback }):
				return nil
			}
			return x
		}
	}
	for j, succ := range b.Succs {
		next := w.edge(b, j, state)
		if next == stopped || w.seen[walkKey{succ, next}] {
			continue
		}
		w.seen[walkKey{succ, next}] = true
		if x := w.from(succ, 0, next); x != nil {
			return x
		}
	}
	return nil
}

const stopped failState = 255

// follow tracks which values and variables hold the error.
func (w *failureWalk) follow(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Store:
		if w.values[in.Val] {
			w.addrs[in.Addr] = true
		} else {
			delete(w.addrs, in.Addr)
		}
	case *ssa.UnOp:
		if in.Op == token.MUL && w.addrs[in.X] {
			w.values[in] = true
		}
	case *ssa.Phi:
		for _, e := range in.Edges {
			if w.values[e] {
				w.values[in] = true
			}
		}
	}
}

// edge says what is known of the error on the j-th edge out of b.
func (w *failureWalk) edge(b *ssa.BasicBlock, j int, state failState) failState {
	br, ok := lastInstr(b).(*ssa.If)
	if !ok {
		return state
	}
	v, truth := br.Cond, j == 0
	if not, ok := v.(*ssa.UnOp); ok && not.Op == token.NOT {
		v, truth = not.X, !truth
	}
	switch c := v.(type) {
	case *ssa.BinOp:
		if c.Op != token.EQL && c.Op != token.NEQ {
			return state
		}
		equal := truth == (c.Op == token.EQL)
		for _, p := range [][2]ssa.Value{{c.X, c.Y}, {c.Y, c.X}} {
			if !w.values[p[0]] {
				continue
			}
			switch {
			case isNil(p[1]) && equal:
				return stopped
			case isNil(p[1]):
				if w.noRows {
					return max(state, isSet)
				}
				return certainly
			case isNoRows(p[1]):
				return w.noRowsEdge(equal, state)
			}
		}
	case *ssa.Call:
		return w.predicateEdge(c, truth, state)
	}
	return state
}

func (w *failureWalk) noRowsEdge(is bool, state failState) failState {
	if is {
		return stopped
	}
	if state == isSet && len(w.site.Path) == 0 {
		return certainly
	}
	return state
}

// predicateEdge says what a test of the error by a function tells.
func (w *failureWalk) predicateEdge(c *ssa.Call, truth bool, state failState) failState {
	args := c.Common().Args
	if len(args) == 0 || !w.values[args[0]] {
		return state
	}
	for _, callee := range w.e.callees(c.Common()) {
		switch {
		case callee.name == "errors.Is" && len(args) == 2:
			if isNoRows(args[1]) {
				return w.noRowsEdge(truth, state)
			}
			return state
		case callee.name == "errors.As" && len(args) == 2:
			if truth && isDriverError(args[1]) {
				return certainly
			}
			return state
		case callee.fn != nil && truth && w.e.testsSQLState(callee.fn):
			return certainly
		}
	}
	return state
}

// noRowsNames are the variables that say that a query returned no row.
var noRowsNames = map[string]bool{"ErrNoRows": true, "ErrRecordNotFound": true}

func isNoRows(v ssa.Value) bool {
	if ld, ok := unwrap(v).(*ssa.UnOp); ok && ld.Op == token.MUL {
		if g, ok := ld.X.(*ssa.Global); ok {
			return noRowsNames[g.Name()]
		}
	}
	return false
}

// driverErrors are the types of the errors that carry an SQLSTATE.
var driverErrors = map[string]bool{
	"*github.com/jackc/pgx/v5/pgconn.PgError": true,
	"*github.com/jackc/pgconn.PgError":        true,
	"*github.com/lib/pq.Error":                true,
}

func isDriverError(v ssa.Value) bool {
	return driverErrors[typeName(derefPtr(unwrap(v).Type()))]
}

var sqlState = regexp.MustCompile(`^[0-9A-Z]{5}$`)

// testsSQLState reports whether a predicate compares with an SQLSTATE.
func (e *engine) testsSQLState(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			op, ok := in.(*ssa.BinOp)
			if !ok || op.Op != token.EQL && op.Op != token.NEQ {
				continue
			}
			for _, v := range []ssa.Value{op.X, op.Y} {
				if k, ok := v.(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.String && sqlState.MatchString(constant.StringVal(k.Value)) {
					return true
				}
			}
		}
	}
	return false
}
