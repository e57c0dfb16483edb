// Package sqltext finds the SQL texts that an SSA value can hold.
//
// It folds constants, concatenation, fmt.Sprintf and its like, package
// variables that are never reassigned, struct and map literals, embedded files
// and results of functions of the same package into a small set of texts.
// What it does not know becomes a [Hole]; a function's own parameters stay
// symbolic so that a caller can substitute them.
package sqltext

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// MaxTexts bounds the alternatives of a [Set]; a value with more is unknown.
const MaxTexts = 8

// A Set is the texts a value can hold. A nil or empty Set means that nothing
// is known.
type Set []Text

// A Text is one text, as literal parts and holes in order.
type Text []Part

// A Part is a literal piece of text, or a hole when Hole is not nil.
type Part struct {
	Lit  string
	Pos  token.Pos // where the literal stands in the source, if it is known
	Hole *Hole
}

// A Hole is a part of a text that is not known here.
type Hole struct {
	Kind HoleKind
	// Param is the parameter whose value (or whose field, by Path) stands
	// here; nil when the value is simply unknown.
	Param *ssa.Parameter
	Path  string // ".Field.Field" below Param
}

// HoleKind says what is known about a hole.
type HoleKind uint8

const (
	Unknown HoleKind = iota // any text, or none
	Ident                   // an identifier (pgx.Identifier.Sanitize, pq.QuoteIdentifier, %q of a name)
	Literal                 // a number or a quoted literal (%d, strconv.Itoa, pq.QuoteLiteral)
	List                    // comma-separated placeholders or literals
)
