package dbapi

import (
	"go/types"
	"slices"
	"strings"
	"sync"
)

// OutsideLibraries returns the tables of the libraries that are no database
// libraries: what leaves the process, waits, or runs a function again.
func OutsideLibraries() []*Library { return outside().libraries }

// Outside returns the row of a function in the tables of [OutsideLibraries], or
// nil. The name is as in [Lookup]. Where there is none, ask [ExternalShape].
func Outside(fullName string) *Func { return outside().funcs[Plain(fullName)] }

// Sink reports whether a path is a package with functions that leave the
// process. A package that imports none, and calls none that does, has no
// External function but those that interfaces hide.
func Sink(importPath string) bool {
	x := outside()
	return x.packages.get(importPath) != "" ||
		slices.ContainsFunc(x.on.get(importPath), func(s *shape) bool { return s.Role == NoRole })
}

// Streams are the struct fields from which is read what comes over the network.
func Streams() []string { return outside().streams }

// Collects reports whether the methods of a type only collect what another
// method sends, though they are promoted from a type that sends
// (redis.Pipeliner). The name is as in [TypeHandle].
func Collects(typeName string) bool {
	return outside().collectors[unversioned(strings.TrimPrefix(Plain(typeName), "*"))]
}

// ExternalShape returns a row for a function that leaves the process by its
// form: a method of a large SDK, a generated client, an HTTP doer, or an
// interface that users write in the image of one. It returns nil for others.
// Ask [Outside] first, whose rows say more, and prefer the function's body where
// there is one: a type of the user's may answer from memory.
func ExternalShape(fn *types.Func) *Func {
	fn = fn.Origin()
	s := findShape(fn)
	if s == nil || isDouble(fn.Pkg().Name()) {
		return nil
	}
	if recv := receiver(fn.Signature()); recv != nil && isDouble(recv.Name()) {
		return nil
	}
	return s.row(fn)
}

// findShape returns the first shape that holds for a function, or nil.
func findShape(fn *types.Func) *shape {
	sig := fn.Signature()
	if fn.Pkg() == nil || !fn.Exported() || sig.Results().Len()+sig.Params().Len() == 0 {
		return nil
	}
	recv := receiver(sig)
	x := outside()
	for _, s := range x.on.get(fn.Pkg().Path()) {
		if s.onReceiver(recv) && s.matches(fn) {
			return s
		}
	}
	if recv == nil {
		return nil
	}
	for _, t := range []*types.Tuple{sig.Params(), sig.Results()} {
		for i := range t.Len() {
			n := namedOf(t.At(i).Type())
			if n == nil || n.Pkg() == nil {
				continue
			}
			for _, s := range x.with.get(n.Pkg().Path()) {
				if glob(s.with.name, n.Name()) && (s.on == nil || s.onReceiver(recv)) && s.matches(fn) {
					return s
				}
			}
		}
	}
	return nil
}

// A shape is a Shape taken apart.
type shape struct {
	*Shape
	on, with      *typePattern
	names, except []string
}

// A typePattern is a type of a Shape: a path, which may end in "/...", and a name.
type typePattern struct{ path, name string }

func newTypePattern(s string) *typePattern {
	i := strings.LastIndexByte(s, '.')
	if i < 0 {
		return nil
	}
	return &typePattern{s[:i], s[i+1:]}
}

func newShape(s *Shape) *shape {
	out := &shape{Shape: s, on: newTypePattern(s.On), with: newTypePattern(s.With)}
	for name := range strings.FieldsSeq(s.Names) {
		if name, ok := strings.CutPrefix(name, "-"); ok {
			out.except = append(out.except, name)
		} else {
			out.names = append(out.names, name)
		}
	}
	return out
}

// onReceiver reports whether the shape holds for methods of the type, or, where
// it is nil, for functions. The path was compared when the shape was found.
func (s *shape) onReceiver(recv *types.TypeName) bool {
	if recv == nil {
		return s.Funcs
	}
	return glob(s.on.name, recv.Name())
}

// matches reports whether the conditions on the name and the signature hold.
func (s *shape) matches(fn *types.Func) bool {
	named := func(pattern string) bool { return glob(pattern, fn.Name()) }
	params, results := fn.Signature().Params(), fn.Signature().Results()
	switch {
	case slices.ContainsFunc(s.except, named),
		s.names != nil && !slices.ContainsFunc(s.names, named),
		s.Context && (params.Len() == 0 || !isType(params.At(0).Type(), "context", "Context")),
		s.Error && (results.Len() == 0 || !isType(results.At(results.Len()-1).Type(), "", "error")):
		return false
	case s.Result == "":
		return true
	}
	if results.Len() == 0 {
		return false
	}
	n, want := namedOf(results.At(0).Type()), newTypePattern(s.Result)
	return n != nil && n.Pkg() != nil && within(want.path, n.Pkg().Path()) && glob(want.name, n.Name())
}

// row returns the row of a function of this shape.
func (s *shape) row(fn *types.Func) *Func {
	sig := fn.Signature()
	f := &Func{Name: fn.FullName(), Role: s.Role, What: s.What, Async: s.Async, Maybe: s.Maybe}
	if f.Role == NoRole {
		f.Role = External
	}
	first := 0
	if sig.Recv() != nil {
		first = 1
	}
	if sig.Params().Len() > 0 && isType(sig.Params().At(0).Type(), "context", "Context") {
		f.Ctx = A(first)
	}
	return f
}

// within reports whether a path is that of a pattern, or below it.
func within(pattern, path string) bool {
	path = unversioned(path)
	if prefix, ok := strings.CutSuffix(pattern, "/..."); ok {
		rest, ok := strings.CutPrefix(path, prefix)
		return ok && (rest == "" || rest[0] == '/')
	}
	return path == pattern
}

// glob reports whether a name matches a pattern, in which a "*" at the
// beginning or the end stands for any letters.
func glob(pattern, name string) bool {
	tail, begins := strings.CutPrefix(pattern, "*")
	word, ends := strings.CutSuffix(tail, "*")
	switch {
	case begins && (ends || word == ""):
		return strings.Contains(name, word)
	case begins:
		return strings.HasSuffix(name, word)
	case ends:
		return strings.HasPrefix(name, word)
	}
	return name == pattern
}

// doubles are the words in the names of types and packages that stand in for
// the real ones in tests.
var doubles = []string{"mock", "fake", "stub", "dummy", "noop", "inmem", "httptest"}

func isDouble(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(doubles, func(word string) bool { return strings.Contains(name, word) })
}

// receiver returns the name of the receiver's type, or nil.
func receiver(sig *types.Signature) *types.TypeName {
	if r := sig.Recv(); r != nil {
		return namedOf(r.Type())
	}
	return nil
}

// namedOf returns the name of a type without its pointers and slices, or nil.
func namedOf(t types.Type) *types.TypeName {
	for {
		switch x := t.(type) {
		case *types.Pointer:
			t = x.Elem()
		case *types.Slice:
			t = x.Elem()
		case *types.Alias:
			t = types.Unalias(x)
		case *types.Named:
			return x.Obj()
		default:
			return nil
		}
	}
}

// isType reports whether a type is the named type, without pointers.
func isType(t types.Type, path, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Name() != name {
		return false
	}
	if n.Obj().Pkg() == nil {
		return path == ""
	}
	return n.Obj().Pkg().Path() == path
}

// An outsideIndex is the tables of the other libraries, by name and by form.
type outsideIndex struct {
	indexed
	streams    []string
	collectors map[string]bool
	on, with   *shapeMap
}

var outside = sync.OnceValue(func() *outsideIndex {
	x := &outsideIndex{indexed: *newIndex(outsideTables), collectors: map[string]bool{}, on: &shapeMap{}, with: &shapeMap{}}
	on, with := map[string][]*shape{}, map[string][]*shape{}
	for _, lib := range x.libraries {
		x.streams = append(x.streams, lib.Streams...)
		for _, name := range lib.Collectors {
			x.collectors[unversioned(strings.TrimPrefix(name, "*"))] = true
		}
		for i := range lib.Shapes {
			s := newShape(&lib.Shapes[i])
			if s.with != nil {
				with[s.with.path] = append(with[s.with.path], s)
			} else {
				on[s.on.path] = append(on[s.on.path], s)
			}
		}
	}
	x.on.paths, x.with.paths = newPathMap(on), newPathMap(with)
	return x
})

// A shapeMap finds the shapes of a package and remembers them.
type shapeMap struct {
	paths pathMap[[]*shape]
	seen  sync.Map // import path to []*shape
}

func (m *shapeMap) get(path string) []*shape {
	if found, ok := m.seen.Load(path); ok {
		return found.([]*shape)
	}
	found := m.paths.get(path)
	m.seen.Store(path, found)
	return found
}

// outsideTables are the libraries that are no database libraries.
var outsideTables = []func() *Library{
	netHTTP,
	streams,
	waits,
	slow,
	rpc,
	cloud,
	services,
	brokers,
	redis,
	stores,
	email,
	retry,
	insiders,
}
