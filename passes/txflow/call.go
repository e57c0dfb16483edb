package txflow

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

// A callee is one function that a call can run.
type callee struct {
	// name is the full name of the origin of the function, "" for closures.
	name string
	// fn is the function with a body in this package, or nil.
	fn *ssa.Function
	// obj is the function's object, or nil for closures.
	obj *types.Func
	// args are the arguments as the function's parameters, receiver first.
	args []ssa.Value
	// param is the function-typed value that is called when it is not known
	// which function it is: a parameter or what hangs below one.
	param Value
	// foreign is the summary of a function of another package, or nil.
	foreign *foreignFunc
	// invoked is set for calls through an interface.
	invoked bool
	// declared is what the configuration says the function does, or nil.
	declared *dbapi.Func
}

// api returns the table row of the callee, or nil.
func (c *callee) api() *dbapi.Func {
	if c.name == "" {
		return nil
	}
	if c.declared != nil {
		return databaseRow(c.declared)
	}
	if f := dbapi.Lookup(c.name); f != nil {
		return f
	}
	if c.obj != nil && !c.invoked {
		return dbapi.Generated(c.obj)
	}
	if c.invoked && c.obj != nil {
		return shapeOf(c.obj)
	}
	return nil
}

// outside returns the row of the callee in the tables of libraries that are no
// database libraries, or nil. A function whose body is seen speaks for itself.
func (c *callee) outside() *dbapi.Func {
	if c.name == "" || c.fn != nil || c.foreign != nil {
		return nil
	}
	if f := dbapi.Outside(c.name); f != nil {
		return f
	}
	if c.obj != nil && !c.invoked {
		return dbapi.ExternalShape(c.obj)
	}
	return nil
}

// arg returns argument i, or nil.
func (c *callee) arg(a dbapi.Arg) ssa.Value {
	i := a.Index()
	if i < 0 || i >= len(c.args) {
		return nil
	}
	return c.args[i]
}

// callees returns the functions that a call can run; several when a function
// value is one of several known closures.
func (e *engine) callees(call *ssa.CallCommon) []callee {
	if call.IsInvoke() {
		args := append([]ssa.Value{call.Value}, call.Args...)
		name := fullName(call.Method)
		return []callee{{name: name, obj: call.Method, args: args, invoked: true, declared: e.declared(call.Method, name)}}
	}
	if name := typeName(call.Value.Type()); name != "" && dbapi.Lookup(name) != nil {
		return []callee{{name: name, args: call.Args}} // a value of a library's function type
	}
	var out []callee
	for _, t := range e.functions(call.Value, 0) {
		args := call.Args
		if t.recv != nil {
			args = append([]ssa.Value{t.recv}, args...)
		}
		c := callee{args: args, fn: t.fn, obj: t.obj, param: t.param}
		if c.obj != nil {
			c.name = fullName(c.obj)
			c.invoked = t.invoked
			c.declared = e.declared(c.obj, c.name)
			if c.fn == nil && !c.invoked {
				c.foreign = e.foreign(c.obj, c.name)
			}
		}
		out = append(out, c)
	}
	return out
}

// A target is a function that a function value can be.
type target struct {
	fn      *ssa.Function
	obj     *types.Func
	recv    ssa.Value // the receiver bound by a method value
	param   Value     // the parameter that decides, when fn and obj are nil
	invoked bool
}

const maxTargets = 4

// functions returns the functions that v can be. The result is empty when
// that is not known.
func (e *engine) functions(v ssa.Value, depth int) []target {
	if depth > 8 {
		return nil
	}
	switch v := v.(type) {
	case *ssa.Function:
		return []target{e.target(v)}
	case *ssa.MakeClosure:
		fn := v.Fn.(*ssa.Function)
		if obj := boundMethod(fn); obj != nil {
			t := target{obj: obj, recv: v.Bindings[0]}
			if m := e.prog.FuncValue(obj.Origin()); m != nil {
				t.fn = e.body(m)
			} else {
				t.invoked = true
			}
			return []target{t}
		}
		return []target{{fn: e.body(fn)}}
	case *ssa.ChangeType:
		return e.functions(v.X, depth+1)
	case *ssa.MakeInterface:
		return e.functions(v.X, depth+1)
	case *ssa.TypeAssert:
		return e.functions(v.X, depth+1)
	case *ssa.Parameter:
		return []target{{param: Value{Kind: Symbolic, Base: v}}}
	case *ssa.FreeVar:
		var out []target
		for _, b := range e.bindings(v) {
			out = append(out, e.functions(b, depth+1)...)
		}
		return few(out)
	case *ssa.Phi:
		var out []target
		for _, edge := range v.Edges {
			if isNil(edge) {
				continue
			}
			ts := e.functions(edge, depth+1)
			if len(ts) == 0 {
				return nil
			}
			out = append(out, ts...)
		}
		return few(out)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return e.functionsAt(v.X, depth+1)
		}
	case *ssa.Alloc:
		return e.functionsAt(v, depth+1)
	case *ssa.Lookup:
		return e.elementFunctions(v.X)
	case *ssa.Extract:
		switch t := v.Tuple.(type) {
		case *ssa.Lookup:
			return e.elementFunctions(t.X)
		case *ssa.Next:
			if r, ok := t.Iter.(*ssa.Range); ok && v.Index == 2 {
				return e.elementFunctions(r.X)
			}
		}
		return e.functionParam(v)
	case *ssa.Field:
		return e.functionParam(v)
	case *ssa.Index:
		return e.elementFunctions(v.X)
	}
	return nil
}

// functionParam returns the parameter that decides which function a value is.
func (e *engine) functionParam(v ssa.Value) []target {
	if val := e.eval(v, ""); val.Parameter() != nil {
		return []target{{param: val}}
	}
	return nil
}

// functionsAt returns the functions that the variable at addr can hold.
func (e *engine) functionsAt(addr ssa.Value, depth int) []target {
	switch a := addr.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar:
		var out []target
		for _, s := range e.stores(addr) {
			if isNil(s) {
				continue
			}
			ts := e.functions(s, depth)
			if len(ts) == 0 {
				return nil
			}
			out = append(out, ts...)
		}
		return few(out)
	case *ssa.IndexAddr:
		return e.elementFunctions(a.X)
	case *ssa.FieldAddr:
		if ts := e.fieldFunctions(a); ts != nil {
			return ts
		}
		if st := structOf(a.X.Type()); st != nil {
			name := st.Field(a.Field).Name()
			if val := e.eval(a.X, ""); val.Parameter() != nil {
				return []target{{param: Value{Kind: Symbolic, Base: val.Base, Path: val.Path + "." + name}}}
			}
		}
	}
	return nil
}

func few(ts []target) []target {
	if len(ts) > maxTargets {
		return nil
	}
	return ts
}

// target describes a function constant.
func (e *engine) target(fn *ssa.Function) target {
	obj, _ := fn.Object().(*types.Func)
	t := target{fn: e.body(fn), obj: obj}
	if t.fn == nil && obj != nil {
		if m := e.prog.FuncValue(obj.Origin()); m != nil {
			t.fn = e.body(m)
		}
	}
	return t
}

// body returns the origin of fn if it has a body in this package, else nil.
func (e *engine) body(fn *ssa.Function) *ssa.Function {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Blocks == nil || fn.Pkg != e.pkg {
		if fn.Pkg == e.pkg || fn.Parent() == nil {
			return nil
		}
	}
	if len(fn.Blocks) == 0 {
		return nil
	}
	return fn
}

// boundMethod returns the method of a method value's synthetic closure, or nil.
func boundMethod(fn *ssa.Function) *types.Func {
	if fn.Synthetic == "" || len(fn.FreeVars) != 1 {
		return nil
	}
	obj, _ := fn.Object().(*types.Func)
	return obj
}

func fullName(obj *types.Func) string {
	return unvendorName(obj.Origin().FullName())
}

// unvendorName drops a vendor directory from the package path in a full name.
func unvendorName(name string) string {
	const v = "/vendor/"
	for i := len(name) - len(v); i >= 0; i-- {
		if name[i:i+len(v)] == v {
			start := 0
			for start < len(name) && (name[start] == '(' || name[start] == '*') {
				start++
			}
			return name[:start] + name[i+len(v):]
		}
	}
	return name
}

// bindings returns what the closures of this package bind to a free variable.
func (e *engine) bindings(v *ssa.FreeVar) []ssa.Value {
	fn := v.Parent()
	at := -1
	for i, f := range fn.FreeVars {
		if f == v {
			at = i
		}
	}
	var out []ssa.Value
	for _, c := range e.closures[fn] {
		if at >= 0 && at < len(c.Bindings) {
			out = append(out, c.Bindings[at])
		}
	}
	return out
}

// stores returns the values stored at the address of a variable, in the
// function that declares it and in its closures.
func (e *engine) stores(addr ssa.Value) []ssa.Value {
	if f, ok := addr.(*ssa.FreeVar); ok {
		var out []ssa.Value
		for _, b := range e.bindings(f) {
			if _, again := b.(*ssa.FreeVar); again || isAddress(b) {
				out = append(out, e.stores(b)...)
			}
		}
		return out
	}
	if g, ok := addr.(*ssa.Global); ok {
		return e.globalStores[g]
	}
	var out []ssa.Value
	e.walkStores(addr, &out, 0)
	return out
}

func isAddress(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FieldAddr, *ssa.IndexAddr:
		return true
	}
	return false
}

func (e *engine) walkStores(addr ssa.Value, out *[]ssa.Value, depth int) {
	if depth > 6 || addr.Referrers() == nil {
		return
	}
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == addr {
				*out = append(*out, r.Val)
			}
		case *ssa.MakeClosure:
			fn := r.Fn.(*ssa.Function)
			for i, b := range r.Bindings {
				if b == addr && i < len(fn.FreeVars) {
					e.walkStores(fn.FreeVars[i], out, depth+1)
				}
			}
		}
	}
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

// constInt returns the value of a constant integer.
func constInt(v ssa.Value) (int64, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(c.Value)
}

// variadic returns the elements of the slice that a variadic call built, in
// order, or nil when it is an existing slice.
func variadic(v ssa.Value) []ssa.Value {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return nil
	}
	arr, ok := s.X.(*ssa.Alloc)
	if !ok || arr.Referrers() == nil {
		return nil
	}
	p, ok := arr.Type().Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	at, ok := p.Elem().Underlying().(*types.Array)
	if !ok || at.Len() > 256 {
		return nil
	}
	out := make([]ssa.Value, at.Len())
	for _, r := range *arr.Referrers() {
		ia, ok := r.(*ssa.IndexAddr)
		if !ok || ia.Referrers() == nil {
			continue
		}
		i, ok := constInt(ia.Index)
		if !ok || i < 0 || int(i) >= len(out) {
			return nil
		}
		for _, u := range *ia.Referrers() {
			if st, ok := u.(*ssa.Store); ok && st.Addr == ia {
				out[i] = st.Val
			}
		}
	}
	return out
}

// unwrap looks through conversions to interfaces and named types.
func unwrap(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.Convert:
			v = x.X
		default:
			return v
		}
	}
}
