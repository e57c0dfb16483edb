package check

import (
	"fmt"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"
)

// Facts is what a pass can do with facts, as the functions of [analysis.Pass] of
// the same names. What a package can see is what go vet shows it, so that an
// analyzer finds the same under all drivers:
//
//   - its own facts;
//   - package facts, and facts about exported package-level functions,
//     variables and constants, of the packages it imports directly;
//   - facts about types, fields and methods of any package below it.
type Facts interface {
	ImportObjectFact(obj types.Object, ptr analysis.Fact) bool
	ExportObjectFact(obj types.Object, fact analysis.Fact)
	AllObjectFacts() []analysis.ObjectFact
	ImportPackageFact(pkg *types.Package, ptr analysis.Fact) bool
	ExportPackageFact(fact analysis.Fact)
	AllPackageFacts() []analysis.PackageFact
}

// Visible reports whether facts about an object of another package reach the
// package that is analysed; direct is set if that imports the object's package.
func Visible(obj types.Object, direct bool) bool {
	switch obj := obj.(type) {
	case *types.TypeName:
		return true
	case *types.Func:
		return obj.Signature().Recv() != nil || direct && obj.Exported()
	case *types.Var:
		return obj.IsField() || direct
	case *types.Const:
		return direct
	}
	return false
}

// facts are what one analyzer exported about one package.
type facts struct {
	objects  map[objectKey]analysis.Fact
	packages map[reflect.Type]analysis.Fact
}

type objectKey struct {
	obj types.Object
	typ reflect.Type
}

// A factView is the [Facts] of one pass. Facts are kept where they were exported
// and looked up from there; nothing is copied from package to package.
type factView struct {
	r    *runner
	u    *unit
	a    *analysis.Analyzer
	mine *facts
}

func (v *factView) ImportObjectFact(obj types.Object, ptr analysis.Fact) bool {
	if obj == nil {
		panic("nil object")
	}
	from := v.from(obj.Pkg())
	if from == nil || from != v.mine && !v.visible(obj) {
		return false
	}
	return get(from.objects[objectKey{obj, factType(ptr)}], ptr)
}

func (v *factView) ExportObjectFact(obj types.Object, fact analysis.Fact) {
	if obj.Pkg() != v.u.pkg.Types {
		panic(fmt.Sprintf("%s exports a fact about %s, which belongs to another package than %s", v.a, obj, v.u.pkg.ID))
	}
	if v.mine.objects == nil {
		v.mine.objects = make(map[objectKey]analysis.Fact)
	}
	v.mine.objects[objectKey{obj, factType(fact)}] = fact
}

func (v *factView) AllObjectFacts() []analysis.ObjectFact {
	var all []analysis.ObjectFact
	seen := map[*unit]bool{}
	var visit func(u *unit)
	visit = func(u *unit) {
		if u == nil || seen[u] {
			return
		}
		seen[u] = true
		if act := u.actions[v.a]; act != nil {
			for key, fact := range act.facts.objects {
				if u == v.u || v.visible(key.obj) {
					all = append(all, analysis.ObjectFact{Object: key.obj, Fact: fact})
				}
			}
		}
		for _, dep := range u.pkg.Imports {
			visit(v.r.units[dep])
		}
	}
	visit(v.u)
	return all
}

func (v *factView) ImportPackageFact(pkg *types.Package, ptr analysis.Fact) bool {
	if pkg == nil {
		panic("nil package")
	}
	from := v.from(pkg)
	if from == nil || from != v.mine && !v.u.direct[pkg] {
		return false
	}
	return get(from.packages[factType(ptr)], ptr)
}

func (v *factView) ExportPackageFact(fact analysis.Fact) {
	if v.mine.packages == nil {
		v.mine.packages = make(map[reflect.Type]analysis.Fact)
	}
	v.mine.packages[factType(fact)] = fact
}

func (v *factView) AllPackageFacts() []analysis.PackageFact {
	var all []analysis.PackageFact
	add := func(pkg *types.Package) {
		if from := v.from(pkg); from != nil {
			for _, fact := range from.packages {
				all = append(all, analysis.PackageFact{Package: pkg, Fact: fact})
			}
		}
	}
	add(v.u.pkg.Types)
	for pkg := range v.u.direct {
		add(pkg)
	}
	return all
}

// from gives the facts about a package, nil if there can be none.
func (v *factView) from(pkg *types.Package) *facts {
	if pkg == v.u.pkg.Types {
		return v.mine
	}
	if u := v.r.types[pkg]; u != nil && u.actions != nil {
		if act := u.actions[v.a]; act != nil {
			return &act.facts
		}
	}
	return nil
}

// visible reports whether facts about an object of another package reach
// this one.
func (v *factView) visible(obj types.Object) bool {
	return Visible(obj, v.u.direct[obj.Pkg()])
}

// get copies a fact to *ptr.
func get(fact, ptr analysis.Fact) bool {
	if fact == nil {
		return false
	}
	reflect.ValueOf(ptr).Elem().Set(reflect.ValueOf(fact).Elem())
	return true
}

func factType(fact analysis.Fact) reflect.Type {
	t := reflect.TypeOf(fact)
	if t.Kind() != reflect.Pointer {
		panic(fmt.Sprintf("invalid fact type: got %T, want a pointer", fact))
	}
	return t
}
