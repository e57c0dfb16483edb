package txflow

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// A foreignFunc is a function of another package, known by its summary.
type foreignFunc struct {
	name      string // as go/types prints it
	short     string // as a reader would say it
	pkg       string
	effects   []*Effect
	generated bool
	results   map[resultKey]Value
	// testsCode is set when the function looks at the code of an error.
	testsCode bool
	// testsState is set when a predicate tests for other SQLSTATEs; failure is
	// what the error that the function returns says.
	testsState bool
	testsOwn   bool // a predicate tests for a type of error that no driver has
	failure    failure
	// out says what results, and what parameters point to, are made of.
	out map[resultKey]sources
	// mutates are the parameters that it changes what they point to.
	mutates map[int]bool
	// looks is set when it tests the SQLSTATE of an error, locks when it takes a
	// lock that is not the database's.
	looks, locks bool
}

// leaves says what result index, or what parameter -1-index points to, is made
// of at a path.
func (f *foreignFunc) leaves(index int, path string) sources {
	return sourcesAt(f.out, index, path)
}

type resultKey struct {
	index int
	path  string
}

// A foreignParam stands for a parameter of a foreign function. The embedded
// value is nil: nothing but its identity is used.
type foreignParam struct {
	ssa.Value
	fn    *foreignFunc
	index int
	name  string
}

// A closureParam stands for a parameter of a function that is an argument of an
// interface method: argument arg of the call, parameter index of the function.
type closureParam struct {
	ssa.Value
	arg, index int
}

// A foreignFresh stands for what a foreign function begins or acquires.
type foreignFresh struct {
	ssa.Value
	fn *foreignFunc
	id string
}

// A foreignGlobal stands for a package variable of another package.
type foreignGlobal struct {
	ssa.Value
	name string
}

// A foreignCall stands for a call in another package.
type foreignCall struct {
	ssa.CallInstruction
	at Place
}

func (c *foreignCall) String() string { return c.at.String() }

// A Place is a position in a file that may not be part of this package.
type Place struct {
	File            string
	Line, Col       int
	EndLine, EndCol int
}

func (p Place) String() string { return fmt.Sprintf("%s:%d", base(p.File), p.Line) }

// from says where a place is, for a reader of another: "line 42", or
// "store.go:42" in another file.
func (p Place) from(reader Place) string {
	if p.File != reader.File {
		return p.String()
	}
	return fmt.Sprintf("line %d", p.Line)
}

// placeOf returns the place of a call's expression.
func (e *engine) placeOf(call ssa.CallInstruction) Place {
	if call == nil {
		return Place{}
	}
	if f, ok := call.(*foreignCall); ok {
		return f.at
	}
	pos, end := e.rangeOf(call)
	p, q := e.pass.Fset.Position(pos), e.pass.Fset.Position(end)
	return Place{p.Filename, p.Line, p.Column, q.Line, q.Column}
}

// positions returns positions for a place in a file of another package, which
// is added to the file set under its name.
func (e *engine) positions(p Place) (pos, end token.Pos) {
	f, ok := e.files[p.File]
	if !ok && e.ownFile(p.File) != nil {
		f, ok = e.ownFile(p.File), true
	}
	if !ok {
		src, err := ReadFile(e.pass, p.File)
		if err == nil {
			f = e.pass.Fset.AddFile(p.File, -1, len(src))
			f.SetLinesForContent(src)
		}
		e.files[p.File] = f
	}
	if f == nil {
		return token.NoPos, token.NoPos
	}
	at := func(line, col int) token.Pos {
		if line < 1 || line > f.LineCount() {
			return token.NoPos
		}
		start := f.LineStart(line)
		pos := start + token.Pos(col-1)
		if int(pos) > f.Base()+f.Size() {
			return start
		}
		return pos
	}
	return at(p.Line, p.Col), at(p.EndLine, p.EndCol)
}
