package txflow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// roots marks the functions that are entered from outside: a context that comes
// in there carries no transaction. In a program those are the functions that
// nothing in it calls (an HTTP or gRPC server does, a test, main); elsewhere only
// the servers' methods, which are known by their form.
func (l *linker) roots(funcs []linkFunc) {
	called := map[string]bool{}
	l.markCalled(called, l.called)
	for i := range funcs {
		if f := &funcs[i]; !f.generated {
			l.markCalled(called, f.calls)
		}
	}
	whole := l.e.isProgram()
	for i := range funcs {
		f := &funcs[i]
		f.root = !called[f.name] && !f.inner && (whole || f.served) && !(f.served && l.intercepted(f))
	}
}

// markCalled marks functions, and what methods of interfaces can be.
func (l *linker) markCalled(called map[string]bool, names []string) {
	for _, name := range names {
		if iface, method, ok := strings.Cut(name, "\x00"); ok && !called[name] {
			l.markImplementations(called, iface, method)
		}
		called[name] = true
	}
}

// markImplementations marks what a call of a method of an interface can run, be
// it in a closure that another method is given.
func (l *linker) markImplementations(called map[string]bool, iface, method string) {
	for _, t := range l.types[method] {
		for _, m := range t.Methods {
			if m.Key == method && t.has(l.ifaces[iface]) {
				called[m.Func] = true
			}
		}
	}
}

// intercepted reports whether the servers of the part of the program to which a
// function belongs may open a transaction before they call it.
func (l *linker) intercepted(f *linkFunc) bool {
	pkg := l.e.pass.Pkg.Path()
	if f.unit.foreign != nil {
		pkg = f.unit.foreign.pkg
	}
	return slices.ContainsFunc(l.interceptors, func(p string) bool { return l.parts.of(p) == l.parts.of(pkg) })
}

// interceptsWithTx reports whether some function of the package has the form of
// an interceptor of a server, or of a middleware around a function like itself,
// and calls the next one with a transaction in the context.
func (e *engine) interceptsWithTx() bool {
	for _, fn := range e.funcs {
		sig := fn.Signature
		if sig.Params().Len() < 2 || sig.Results().Len() != 2 || !isContext(sig.Params().At(0).Type()) {
			continue
		}
		for _, x := range e.summary(fn).effects {
			if x.Op != callParam || x.pending.bind(0, "").Kind != TxContext {
				continue
			}
			if next := calledSignature(x.pending.callee); next != nil && intercepts(sig, next) {
				return true
			}
		}
	}
	return false
}

// calledSignature returns the signature of a function that is a parameter or
// hangs below one, or nil.
func calledSignature(v Value) *types.Signature {
	p := v.Parameter()
	if p == nil {
		return nil
	}
	t := fieldType(p.Type(), v.Path)
	if t == nil {
		return nil
	}
	sig, _ := t.Underlying().(*types.Signature)
	return sig
}

// intercepts reports whether a function with the signature can stand around one
// with the signature next: it is the same, or next is the last of the parameters
// and takes the first two, as in gRPC's interceptors.
func intercepts(sig, next *types.Signature) bool {
	if types.Identical(sig.Params(), next.Params()) && types.Identical(sig.Results(), next.Results()) {
		return true
	}
	n := sig.Params().Len()
	return n == 4 && next.Params().Len() == 2 && types.Identical(sig.Params().At(n-1).Type().Underlying(), next) &&
		types.Identical(sig.Params().At(0).Type(), next.Params().At(0).Type()) &&
		types.Identical(sig.Params().At(1).Type(), next.Params().At(1).Type())
}

// isProgram reports whether the package is a main package with a function main.
// One without stands for the main packages that use a library, which nobody has
// seen.
func (e *engine) isProgram() bool {
	return e.pass.Pkg.Name() == "main" && e.pass.Pkg.Scope().Lookup("main") != nil
}

// served reports whether fn has the form of a method that a gRPC or Connect
// server calls, or of one of the strict interface that oapi-codegen makes:
// (context, request) (response, error), with the types of the library, or on a
// type that embeds what protoc-gen-go-grpc makes for it.
func served(fn *ssa.Function) bool {
	sig := fn.Signature
	if sig.Recv() == nil || sig.Params().Len() != 2 || sig.Results().Len() != 2 ||
		!isContext(sig.Params().At(0).Type()) || !isError(sig.Results().At(1).Type()) {
		return false
	}
	req, resp := typeName(sig.Params().At(1).Type()), typeName(sig.Results().At(0).Type())
	switch {
	case strings.HasSuffix(req, "connect.Request"), strings.HasSuffix(req, "connect-go.Request"):
		return true
	case strings.HasSuffix(req, "RequestObject"):
		return strings.HasSuffix(resp, "ResponseObject")
	}
	return strings.HasPrefix(req, "*") && strings.HasPrefix(resp, "*") && embedsServer(sig.Recv().Type())
}

// embedsServer reports whether a type embeds the struct that a generated gRPC
// service asks its implementations to embed.
func embedsServer(t types.Type) bool {
	st := structOf(t)
	if st == nil {
		return false
	}
	for f := range st.Fields() {
		name := f.Name()
		if f.Embedded() && strings.HasSuffix(name, "Server") &&
			(strings.HasPrefix(name, "Unimplemented") || strings.HasPrefix(name, "Unsafe")) {
			return true
		}
	}
	return false
}

// enter puts an effect of a root into terms in which its context carries no
// transaction.
func (l *linker) enter(f *linkFunc, y *Effect) *Effect {
	if !f.root || f.ctx < 0 {
		return y
	}
	sub := func(v Value) Value {
		return l.e.substitute(v, f.unit, func(i int, path string) (Value, bool) {
			if i == f.ctx && path == "" {
				return Value{Kind: RootContext}, true
			}
			return Value{}, false
		}, nil)
	}
	z := *y
	var happens bool
	if z.conds, happens = substituteConds(y.conds, sub); !happens {
		return nil
	}
	z.Handle = sub(y.Handle)
	z.decidedFrom(y)
	z.Fault = y.Fault.substitute(sub)
	z.Scopes = l.e.scopes(y, sub)
	return &z
}
