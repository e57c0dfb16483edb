package session

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/pgtxvet/pgtxvet/passes/txflow"
)

// A factView is the facts of one pass. The suite has one kind of facts, those of
// the engine about packages, and a session knows how to tell whether what was read
// of them still holds. To an analyzer with other facts it says so.
type factView struct {
	pkg      *types.Package
	direct   map[*types.Package]*txflow.Facts
	exported *txflow.Facts
}

// newFactView shows the facts of the packages that j imports.
func newFactView(pkg *types.Package, j *job) *factView {
	v := &factView{pkg: pkg, direct: make(map[*types.Package]*txflow.Facts, len(j.deps))}
	for _, dep := range j.deps {
		if dep.state != nil && dep.state.fact != nil {
			v.direct[dep.pkg.Types] = dep.state.fact
		}
	}
	return v
}

func (v *factView) ImportPackageFact(pkg *types.Package, ptr analysis.Fact) bool {
	to := engineFact(ptr)
	from := v.direct[pkg]
	if pkg == v.pkg {
		from = v.exported
	}
	if from == nil {
		return false
	}
	*to = *from
	return true
}

func (v *factView) ExportPackageFact(fact analysis.Fact) { v.exported = engineFact(fact) }

func (v *factView) AllPackageFacts() []analysis.PackageFact {
	var all []analysis.PackageFact
	if v.exported != nil {
		all = append(all, analysis.PackageFact{Package: v.pkg, Fact: v.exported})
	}
	for pkg, fact := range v.direct {
		all = append(all, analysis.PackageFact{Package: pkg, Fact: fact})
	}
	return all
}

func (v *factView) ImportObjectFact(_ types.Object, ptr analysis.Fact) bool {
	engineFact(ptr)
	return false
}

func (v *factView) ExportObjectFact(_ types.Object, fact analysis.Fact) {
	panic(fmt.Sprintf("a session keeps no facts about objects, and got %T", fact))
}

func (v *factView) AllObjectFacts() []analysis.ObjectFact { return nil }

// engineFact is the only kind of fact that there is. A panic of an analyzer is
// reported as its error.
func engineFact(fact analysis.Fact) *txflow.Facts {
	f, ok := fact.(*txflow.Facts)
	if !ok {
		panic(fmt.Sprintf("a session keeps the facts of the engine, and got %T", fact))
	}
	return f
}
