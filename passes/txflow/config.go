package txflow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/config"
	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

// declarations are what the configuration of the package says of functions
// and types, wherever these come from. It is asked before the tables and
// before the bodies of functions.
type declarations struct {
	config *config.Config
	funcs  map[string]*dbapi.Func
}

func declarationsOf(pass *analysis.Pass) declarations {
	return declarations{pass.ResultOf[config.Analyzer].(*config.Package).Config, map[string]*dbapi.Func{}}
}

// declared returns the row of a function that the configuration declares,
// completed from its signature, or nil. A runner that takes no function, or
// several of which none is named, is not understood.
func (e *engine) declared(obj *types.Func, name string) *dbapi.Func {
	row := e.user.config.Func(name)
	if row == nil {
		return nil
	}
	if f, ok := e.user.funcs[name]; ok {
		return f
	}
	f := e.complete(*row, obj.Origin().Signature())
	e.user.funcs[name] = f
	return f
}

// complete sets the argument numbers that follow from the signature; nil when
// the function cannot be what it is declared to be.
func (e *engine) complete(f dbapi.Func, sig *types.Signature) *dbapi.Func {
	args := arguments(sig)
	if f.Role == dbapi.RunTx || f.Role == dbapi.Retry {
		if f.Fn.Index() < 0 {
			f.Fn = onlyFunction(args)
		}
		i := f.Fn.Index()
		if i < 0 || i >= len(args) || !isFunc(args[i]) {
			return nil
		}
		e.completeFn(&f, args[i].Underlying().(*types.Signature))
	}
	for i, t := range args {
		switch k, flow := e.kindOfType(t); {
		case isContext(t) && f.Ctx.Index() < 0:
			f.Ctx = dbapi.A(i)
		case (k == Pool || k == Session || k == Tx || k == Manager || flow) && f.Handle.Index() < 0:
			f.Handle = dbapi.A(i)
		}
	}
	switch {
	case f.Role == dbapi.Getter && f.Handle.Index() < 0:
		f.Result = dbapi.Pool
	case f.Role == dbapi.RunTx && f.Handle.Index() < 0 && sig.Recv() != nil:
		f.Handle = dbapi.A(0)
	}
	// A runner that hands on a context may find a transaction in its own.
	f.Joins = f.FnCtx.Index() >= 0 && f.Ctx.Index() >= 0
	return &f
}

// completeFn sets which parameter of the function that a runner runs is the
// context, and which the transaction: one whose type says so, else the first
// that can hold one.
func (e *engine) completeFn(f *dbapi.Func, fn *types.Signature) {
	other := dbapi.Arg(0)
	for i, t := range arguments(fn) {
		_, basic := t.Underlying().(*types.Basic)
		switch k, flow := e.kindOfType(t); {
		case isContext(t):
			f.FnCtx = dbapi.A(i)
		case k == Tx || flow:
			f.FnHandle = dbapi.A(i)
		case !basic && other.Index() < 0:
			other = dbapi.A(i)
		}
	}
	if f.FnHandle.Index() < 0 {
		f.FnHandle = other
	}
}

// arguments are the types of the receiver and the parameters, as SSA counts them.
func arguments(sig *types.Signature) []types.Type {
	var out []types.Type
	if r := sig.Recv(); r != nil {
		out = append(out, r.Type())
	}
	for p := range sig.Params().Variables() {
		out = append(out, p.Type())
	}
	return out
}

// onlyFunction returns the argument that is a function, none where several are.
func onlyFunction(args []types.Type) dbapi.Arg {
	var only dbapi.Arg
	for i, t := range args {
		if isFunc(t) {
			if only.Index() >= 0 {
				return 0
			}
			only = dbapi.A(i)
		}
	}
	return only
}

// databaseRow returns the row of a declared function if it has to do with the
// handles of a database; others are for effectsOfDeclared.
func databaseRow(f *dbapi.Func) *dbapi.Func {
	if f.Role == dbapi.RunTx || f.Role == dbapi.Getter {
		return f
	}
	return nil
}

// retriedBy marks the effects of a runner that runs the whole transaction again
// on a serialization failure.
func retriedBy(f *dbapi.Func, effects []*Effect) []*Effect {
	if slices.Contains(f.Retries, "40001") {
		for _, x := range effects {
			x.Retry = Retried
		}
	}
	return effects
}

// effectsOfDeclared returns the effects of a function that is declared to
// leave the process, not to leave it, or to run its argument again; false for
// others. What else its body does, where that is seen, is kept.
func (e *engine) effectsOfDeclared(call ssa.CallInstruction, c *callee) ([]*Effect, bool) {
	f := c.declared
	if f == nil {
		return nil, false
	}
	switch f.Role {
	case dbapi.External:
		return append(e.inside(call, c), &Effect{Op: External, Origin: call, What: whatOf(f, c.obj), Handle: Value{Kind: Unknown}, API: f}), true
	case dbapi.Inside:
		return e.inside(call, c), true
	case dbapi.Retry:
		return e.effectsOfOutside(call, c, f)
	}
	return nil, false
}

// inside returns what the body of a function does, where that is seen, without
// what leaves the process.
func (e *engine) inside(call ssa.CallInstruction, c *callee) []*Effect {
	var all, out []*Effect
	switch {
	case c.fn != nil:
		all = e.instantiate(call, c)
	case c.foreign != nil:
		all = e.instantiateWith(call, unit{foreign: c.foreign}, e.argumentsOf(c.args), c.args...)
	}
	for _, x := range all {
		if x.Op != External {
			out = append(out, x)
		}
	}
	return out
}

func whatOf(f *dbapi.Func, obj *types.Func) string {
	if f.What != "" {
		return f.What
	}
	return "a call of " + shortName(fullName(obj))
}

// handleOfType returns what statements on a value of the type run on.
func (e *engine) handleOfType(t types.Type) dbapi.Handle {
	name := typeName(t)
	if h := e.user.config.Handle(name); h != dbapi.NoHandle {
		return h
	}
	return libraryHandle(t, name)
}

// libraryHandle returns what statements on a value of a type of a library, or of
// code that a library generates, run on.
func libraryHandle(t types.Type, name string) dbapi.Handle {
	if h := dbapi.TypeHandle(name); h != dbapi.NoHandle {
		return h
	}
	if n, ok := types.Unalias(derefPtr(t)).(*types.Named); ok {
		return dbapi.GeneratedHandle(n.Obj())
	}
	return dbapi.NoHandle
}

// otherDatabase reports whether a pool is declared to belong to another
// database, by the field or the variable that holds it.
func (e *engine) otherDatabase(v Value) bool {
	return e.user.config.OtherDatabase(e.holder(v), lastName(v))
}

// holder is the full name of the type of which v is a field, or of the package
// of which it is a variable; "" where neither is known.
func (e *engine) holder(v Value) string {
	switch b := v.Base.(type) {
	case *ssa.Global:
		if v.Path == "" {
			return b.Pkg.Pkg.Path()
		}
	case *ssa.Parameter, *ssa.Alloc, *ssa.Call:
	default:
		return "" // a stand-in for what is in another package has no type
	}
	at := strings.LastIndexByte(v.Path, '.')
	if at < 0 || v.Path[0] != '.' {
		return ""
	}
	t := fieldType(v.Base.Type(), v.Path[:at])
	if t == nil {
		return ""
	}
	return typeName(derefPtr(t))
}
