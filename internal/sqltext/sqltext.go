// Package sqltext finds the SQL texts that an SSA value can hold.
//
// It folds constants, concatenation, fmt.Sprintf and its like, string builders,
// package variables that are never reassigned, struct, slice and map literals,
// embedded files and results of functions of the same package into a small set
// of texts. What it does not know becomes a [Hole]; a function's own parameters
// stay symbolic so that a caller can substitute them ([Set.Substitute]).
//
// A [Resolver] works for one package, backwards from the value asked for, and
// keeps what it found: ask one Resolver for all values of a package. It is not
// safe for concurrent use. The parameters in holes are those of the function of
// the value, or of a function around it when the value is in a closure.
//
// [Text.Join] gives the text as a parser wants it, and [Text.Pos] leads from
// an offset in it back to the source.
package sqltext

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// MaxTexts bounds the alternatives of a [Set]. A value with more is widened to
// what all alternatives begin with, a hole, and what all end with.
const MaxTexts = 8

// A Set is the texts a value can hold. A nil or empty Set means that nothing
// is known. A text that is one Unknown hole stands for an unknown alternative.
type Set []Text

// A Text is one text, as literal parts and holes in order.
type Text []Part

// A Part is a literal piece of text, or a hole when Hole is not nil.
type Part struct {
	Lit  string
	Pos  token.Pos // where the literal stands in the source, if it is known
	Hole *Hole

	at token.Pos // of Lit's first byte, if Lit is written in the source as it is
}

// A Hole is a part of a text that is not known here.
type Hole struct {
	Kind HoleKind
	// Param is the parameter whose value (or whose field, by Path) stands
	// here; nil when the value is simply unknown.
	Param *ssa.Parameter
	Path  string // ".Field.Field" below Param
	// Foreign stands for the parameter, in place of Param, where the text comes
	// from a function of another package; the engine knows what it is.
	Foreign any
}

// HoleKind says what is known about a hole.
type HoleKind uint8

const (
	Unknown HoleKind = iota // any text, or none
	Ident                   // an identifier (pgx.Identifier.Sanitize, pq.QuoteIdentifier, %q of a name)
	Literal                 // a number or a quoted literal (%d, strconv.Itoa, pq.QuoteLiteral)
	List                    // comma-separated placeholders or literals
)
