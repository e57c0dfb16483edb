// Nothing is a vet tool that does nothing: the floor that package speed
// compares with.
package main

import (
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"
)

type fact struct{}

func (*fact) AFact() {}

func main() {
	unitchecker.Main(&analysis.Analyzer{
		Name:      "nothing",
		Doc:       "does nothing",
		FactTypes: []analysis.Fact{new(fact)}, // so that dependencies are visited as for a tool with facts
		Run:       func(*analysis.Pass) (any, error) { return nil, nil },
	})
}
