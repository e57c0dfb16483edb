package txflow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

// A Kind says what a value is, as far as statements and transactions go.
type Kind uint8

const (
	// None is the kind of nil and of values that cannot occur.
	None Kind = iota
	// Unknown is the kind of a value that could not be traced, or that is a
	// pool on one path and a transaction on another.
	Unknown
	// Symbolic is a value that a caller decides: Base is a parameter, Path the
	// fields below it, and the type does not tell.
	Symbolic

	// Pool is a handle whose statements may each take another session.
	Pool
	// Session is one session, held. Base is the call that took it, if known.
	Session
	// Tx is an open transaction. Base is the call that began it, if known.
	Tx
	// Ambient is the transaction carried by the context in Ctx, else the
	// handle in From.
	Ambient
	// Stmt is a prepared statement; Base is the call that prepared it and From
	// the handle it runs on.
	Stmt
	// Manager is a transaction manager.
	Manager

	// RootContext is a context that carries no transaction.
	RootContext
	// TxContext is a context that carries an open transaction.
	TxContext
	// Carried is what a look-up in the context Ctx returns: the transaction it
	// carries, or nothing.
	Carried
	// carriedOK is the boolean of such a look-up.
	carriedOK
	// Constant is a constant that is no string; Const is its exact text.
	Constant
	// handContext is a context that carries From, of which a caller knows whether
	// it is a transaction, on top of the context Ctx.
	handContext
)

// A Value is what abstract evaluation knows of an SSA value, in terms of the
// parameters of the function that asks.
type Value struct {
	Kind Kind
	// Base is the parameter, global or call the value comes from; nil when
	// there are several or none.
	Base ssa.Value
	// Path is the chain of fields below Base, as ".a.b".
	Path string
	// Flow is set when the static type is one that serves as pool, session and
	// transaction alike (*gorm.DB).
	Flow bool
	// Lone is set for a session with no pool behind it, and for a pool that is
	// limited to one connection.
	Lone bool
	// Alien is set for a pool of another database system.
	Alien bool
	// Detached is set on a context that is never cancelled.
	Detached bool
	// From is the handle that a transaction was begun on, a session was taken
	// from, a statement was prepared on, or that an ambient look-up falls back to.
	From *Value
	// Ctx is the context of an Ambient or Carried value.
	Ctx *Value
	// Const is the value of a Constant, as go/constant prints it exactly.
	Const string
}

// Same reports whether two values are known to be the same handle.
func (v Value) Same(w Value) bool {
	return v.Base != nil && v.Base == w.Base && v.Path == w.Path
}

// flowHandle reports whether v is a symbolic handle whose own type serves as
// pool and transaction alike; the type of a query builder says nothing.
func (e *engine) flowHandle(v Value) bool {
	p := v.Parameter()
	if p == nil || v.Kind != Symbolic {
		return false
	}
	t := fieldType(p.Type(), v.Path)
	if t == nil {
		return false
	}
	_, flow := e.kindOfType(t)
	return flow
}

// Handle reports whether v can run statements.
func (v Value) Handle() bool {
	switch v.Kind {
	case Pool, Session, Tx, Ambient:
		return true
	}
	return false
}

// Parameter returns the parameter v comes from, or nil.
func (v Value) Parameter() *ssa.Parameter {
	p, _ := v.Base.(*ssa.Parameter)
	return p
}

// Root returns the handle that v was begun on or taken from, and so on down.
func (v Value) Root() Value {
	for v.From != nil && (v.Kind == Tx || v.Kind == Session || v.Kind == Stmt) {
		v = *v.From
	}
	return v
}

// join merges what a value is on two paths. Kinds that disagree merge to
// Unknown; a look-up in a context with another handle as its fallback is Ambient.
func join(a, b Value) Value {
	switch {
	case a.Kind == None:
		return b
	case b.Kind == None:
		return a
	case a.Kind == Constant && b.Kind == Constant && a.Const != b.Const:
		return Value{Kind: Unknown}
	case a.Kind == b.Kind:
		if a.Base == b.Base && a.Path == b.Path {
			if b.From == nil {
				a.From = nil
			}
			a.Alien = a.Alien && b.Alien
			return a
		}
		m := Value{Kind: a.Kind, Flow: a.Flow || b.Flow, Lone: a.Lone && b.Lone, Alien: a.Alien && b.Alien}
		if a.Kind == Symbolic {
			m.Kind = Unknown
		}
		if a.Ctx != nil && b.Ctx != nil && a.Ctx.Same(*b.Ctx) {
			m.Ctx = a.Ctx
		}
		return m
	case a.Kind == Carried && (b.Handle() || b.Kind == Symbolic):
		return ambient(a, b)
	case b.Kind == Carried && (a.Handle() || a.Kind == Symbolic):
		return ambient(b, a)
	}
	return Value{Kind: Unknown, Flow: a.Flow || b.Flow}
}

func ambient(carried, fallback Value) Value {
	if fallback.Kind == Ambient {
		return fallback
	}
	return Value{Kind: Ambient, Ctx: carried.Ctx, From: &fallback, Base: fallback.Base, Path: fallback.Path}
}

// kindOfType returns the kind that a static type decides, and whether it is a
// type that serves as pool and transaction alike.
func (e *engine) kindOfType(t types.Type) (Kind, bool) {
	if t == nil {
		return Unknown, false
	}
	if k, ok := e.typeKinds.At(t).(typeKind); ok {
		return k.kind, k.flow
	}
	k := e.classify(t)
	e.typeKinds.Set(t, k)
	return k.kind, k.flow
}

type typeKind struct {
	kind Kind
	flow bool
}

func (e *engine) classify(t types.Type) typeKind {
	switch e.handleOfType(t) {
	case dbapi.Pool:
		return typeKind{kind: Pool}
	case dbapi.Session:
		return typeKind{kind: Session}
	case dbapi.Tx:
		return typeKind{kind: Tx}
	case dbapi.Stmt:
		return typeKind{kind: Stmt}
	case dbapi.Runner:
		return typeKind{kind: Manager}
	case dbapi.Flow:
		return typeKind{kind: Unknown, flow: true}
	}
	if iface, ok := t.Underlying().(*types.Interface); ok && !isContext(t) {
		return typeKind{kind: classifyInterface(iface)}
	}
	return typeKind{kind: Unknown}
}

// classifyInterface tells a user's own interface by its methods: one that can
// commit, roll back and run statements is a transaction; one that can begin,
// run and has the methods of a pool is a pool; one that can only run is
// whatever is put in.
func classifyInterface(iface *types.Interface) Kind {
	var run, commit, rollback, begin, pool, session bool
	for m := range iface.Methods() {
		switch name := m.Name(); {
		case name == "Commit":
			commit = true
		case name == "Rollback":
			rollback = true
		case shapeOf(m) != nil:
			run = true
		case strings.HasPrefix(name, "Begin"):
			begin = true
		case name == "Ping", name == "PingContext", name == "Stat", name == "Stats", name == "Acquire", name == "SetMaxOpenConns":
			pool = true
		case name == "Close" && m.Signature().Params().Len() > 0:
			session = true // pgx.Conn closes with a context, a pool does not
		}
	}
	switch {
	case run && commit && rollback:
		return Tx
	case run && begin && pool && !session:
		return Pool
	}
	return Unknown
}

// typeName prints a type as the tables name it, type arguments left out.
func typeName(t types.Type) string {
	prefix := ""
	if p, ok := t.(*types.Pointer); ok {
		prefix, t = "*", p.Elem()
	}
	t = types.Unalias(t)
	if n, ok := t.(*types.Named); ok {
		if pkg := n.Obj().Pkg(); pkg != nil {
			return prefix + unvendor(pkg.Path()) + "." + n.Obj().Name()
		}
	}
	return ""
}

// unvendor drops the path of a GOPATH-style vendor directory.
func unvendor(path string) string {
	if i := strings.LastIndex(path, "/vendor/"); i >= 0 {
		return path[i+len("/vendor/"):]
	}
	return path
}

func isContext(t types.Type) bool { return typeName(t) == "context.Context" }

// derefPtr returns the type that t points to, or t.
func derefPtr(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// fieldType returns the type at the end of a field path below t, or nil.
func fieldType(t types.Type, path string) types.Type {
	for path != "" {
		name, rest := splitPath(path)
		st := structOf(t)
		if st == nil {
			return nil
		}
		f := -1
		for i := range st.NumFields() {
			if st.Field(i).Name() == name {
				f = i
				break
			}
		}
		if f < 0 {
			return nil
		}
		t, path = st.Field(f).Type(), rest
	}
	return t
}

// structOf returns the struct that t is or points to, or nil.
func structOf(t types.Type) *types.Struct {
	if t == nil {
		return nil
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, _ := t.Underlying().(*types.Struct)
	return st
}

// splitPath splits ".a.b.c" into "a" and ".b.c".
func splitPath(path string) (name, rest string) {
	path = path[1:]
	if i := strings.IndexByte(path, '.'); i >= 0 {
		return path[:i], path[i:]
	}
	return path, ""
}
