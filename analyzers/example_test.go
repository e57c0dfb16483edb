package analyzers_test

import (
	"golang.org/x/tools/go/analysis/multichecker"

	"github.com/pgtxvet/pgtxvet/analyzers"
)

// A program that runs the rules, and could run others beside them.
func Example() {
	multichecker.Main(analyzers.All()...)
}
