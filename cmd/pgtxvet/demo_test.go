package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// The rules of the suite that the scripts run. They are small, and together
// use what rules use: facts, required passes, related places, fixes.
var demoSuite = suite{
	byDefault: []*analysis.Analyzer{boomRule, exitRule},
	onRequest: []*analysis.Analyzer{clauseRule, twiceRule},
}

// exits is the fact of a function that calls os.Exit, itself or through
// others.
type exits struct{ Line int }

func (*exits) AFact()           {}
func (e *exits) String() string { return "exits" }

// exiters is the pass that finds such functions.
var exiters = &analysis.Analyzer{
	Name:       "exiters",
	Doc:        "finds functions that exit",
	Run:        findExiters,
	Requires:   []*analysis.Analyzer{inspect.Analyzer},
	FactTypes:  []analysis.Fact{(*exits)(nil)},
	ResultType: reflect.TypeFor[map[*ast.CallExpr]*types.Func](),
}

func findExiters(pass *analysis.Pass) (any, error) {
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	found := make(map[*ast.CallExpr]*types.Func)
	for cur := range in.Root().Preorder((*ast.CallExpr)(nil)) {
		call := cur.Node().(*ast.CallExpr)
		fn := typeutil.StaticCallee(pass.TypesInfo, call)
		if fn == nil {
			continue
		}
		fn = fn.Origin()
		if fn.FullName() != "os.Exit" && !pass.ImportObjectFact(fn, new(exits)) {
			continue
		}
		found[call] = fn
		for decl := range cur.Enclosing((*ast.FuncDecl)(nil)) {
			obj := pass.TypesInfo.Defs[decl.Node().(*ast.FuncDecl).Name]
			pass.ExportObjectFact(obj, &exits{pass.Fset.Position(call.Pos()).Line})
		}
	}
	return found, nil
}

// exitRule reports calls that exit outside of main.
var exitRule = &analysis.Analyzer{
	Name: "exit",
	Doc: `exit: report calls that end the process

A function that is not main should return an error.`,
	URL:      "https://example.com/rules/exit",
	Requires: []*analysis.Analyzer{exiters},
	Run: func(pass *analysis.Pass) (any, error) {
		for call, fn := range pass.ResultOf[exiters].(map[*ast.CallExpr]*types.Func) {
			d := analysis.Diagnostic{
				Pos: call.Pos(), End: call.End(), Message: fmt.Sprintf("%s ends the process", fn.Name()),
				SuggestedFixes: []analysis.SuggestedFix{{
					Message:   "remove the call",
					TextEdits: []analysis.TextEdit{{Pos: call.Pos(), End: call.End()}},
				}},
			}
			if fn.Pkg() == pass.Pkg {
				d.Related = []analysis.RelatedInformation{{Pos: fn.Pos(), Message: fn.Name() + " is here"}}
			}
			pass.Report(d)
		}
		return nil, nil
	},
}

// boomRule panics on packages named boom.
var boomRule = &analysis.Analyzer{
	Name: "boom",
	Doc:  "boom: panic on packages named boom",
	Run: func(pass *analysis.Pass) (any, error) {
		if pass.Pkg.Name() == "boom" {
			panic("boom!")
		}
		return nil, nil
	},
}

// clauseRule reports every package clause. It is off by default.
var clauseRule = &analysis.Analyzer{
	Name: "clause",
	Doc:  "clause: report package clauses",
	Run: func(pass *analysis.Pass) (any, error) {
		for _, f := range pass.Files {
			pass.ReportRangef(f.Name, "package %s", f.Name.Name)
		}
		return nil, nil
	},
}

// twiceRule reports names of functions that end with underscores, twice where
// there are two of them, and the fixes overlap. It is off by default.
var twiceRule = &analysis.Analyzer{
	Name: "twice",
	Doc:  "twice: report underscores at the end of names",
	Run: func(pass *analysis.Pass) (any, error) {
		for _, f := range pass.Files {
			for _, decl := range f.Decls {
				fn, ok := decl.(*ast.FuncDecl)
				if !ok {
					continue
				}
				name, end := fn.Name.Name, fn.Name.End()
				for n := 1; strings.HasSuffix(name, strings.Repeat("_", n)); n++ {
					pass.Report(analysis.Diagnostic{
						Pos: fn.Name.Pos() + token.Pos(n) - 1, End: end, Message: name + " should be " + name[:len(name)-n],
						SuggestedFixes: []analysis.SuggestedFix{{
							Message:   "take them off",
							TextEdits: []analysis.TextEdit{{Pos: end - token.Pos(n), End: end}},
						}},
					})
				}
			}
		}
		return nil, nil
	},
}
