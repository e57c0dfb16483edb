package lockoutsidetx

import (
	"fmt"
	"go/token"
	"slices"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/pgsql"
	"github.com/pgtxvet/pgtxvet/passes/internal/rule"
	"github.com/pgtxvet/pgtxvet/passes/txflow"
)

// Analyzer reports row locks taken outside a transaction.
var Analyzer = rule.New("lockoutsidetx", doc, run)

func run(p *rule.Pass) {
	for _, s := range p.Sites {
		st := s.Always(locksAlone)
		if st == nil || !outside(s) {
			continue
		}
		pos, end := s.Range()
		write := writeAfter(p, s)
		p.Report(pos, end, message(s, st, write), related(s, write)...)
	}
}

// locksAlone reports whether the statement only locks rows: a SELECT with a
// locking clause, with nothing before it in the same text that begins a
// transaction and nothing after it that the lock could serve.
func locksAlone(st *pgsql.Statement, before, rest []*pgsql.Statement) bool {
	if st.Kind != pgsql.Select || st.Partial || st.Writing || len(st.Locks) == 0 || len(rest) > 0 {
		return false
	}
	for _, b := range before {
		if b.Kind == pgsql.Begin {
			return false
		}
	}
	return true
}

func outside(s *txflow.Site) bool {
	switch s.State {
	case txflow.Outside:
		return true
	case txflow.Undecided:
		// A whole unit of work on a handle that goes by the name of a database, or
		// a lock on the handle on which this function begins its transaction.
		return s.PresumedPool() && (s.After(func(x *txflow.Effect) bool { return s.Any(x, writes) }) || beganHere(s))
	}
	return false
}

func writes(st *pgsql.Statement) bool { return st.Writing }

// beganHere reports whether the function begins a transaction on the handle of
// s, which gorm refuses on a transaction, or s stands in the body of one.
func beganHere(s *txflow.Site) bool {
	return slices.ContainsFunc(s.Effects(), func(x *txflow.Effect) bool {
		return x.Op == txflow.BeginTx && x.Handle.From != nil && x.Handle.From.Same(s.Handle) &&
			(x.API.Role == dbapi.Begin || x.Instr == s.Instr)
	})
}

func message(s *txflow.Site, st *pgsql.Statement, write token.Pos) string {
	clause := st.Locks[0].Strength.String()
	on := s.HandleWords()
	what := "the row lock ends with the statement, before the rows are used"
	if write.IsValid() {
		what = fmt.Sprintf("the row lock ends with the statement, and the write at line %d finds the rows unlocked", s.LineOf(write))
	}
	return fmt.Sprintf("%s outside a transaction%s: it runs on %s, so %s; run it and the writes that depend on it in one transaction",
		clause, s.Via(), on, what)
}

// writeAfter returns where the function that locks writes afterwards, if it
// does: by itself, or, where an interface is between, to the row that it has read.
func writeAfter(p *rule.Pass, s *txflow.Site) token.Pos {
	if x := nextWrite(s); x != nil {
		pos, _ := s.RangeOf(x)
		return pos
	}
	at, _ := s.Range()
	origin, _ := s.OriginRange()
	for _, l := range p.Links() {
		read, _ := l.Read.Range()
		from, _ := l.Read.OriginRange()
		if write, _ := l.Write.Range(); read == at && from == origin && p.Fset.Position(write).Filename == p.Fset.Position(at).Filename {
			return write
		}
	}
	return token.NoPos
}

// nextWrite returns the first writing effect after s in the same function.
func nextWrite(s *txflow.Site) *txflow.Effect {
	past := false
	for _, x := range s.Effects() {
		if x == s.Effect {
			past = true
			continue
		}
		if past && x.Op == txflow.Run && !x.Deferred && s.Any(x, writes) {
			return x
		}
	}
	return nil
}

func related(s *txflow.Site, write token.Pos) []rule.Option {
	var opts []rule.Option
	if len(s.Path) > 0 {
		pos, _ := s.OriginRange()
		opts = append(opts, rule.Related(pos, "the statement is run here"))
	}
	if write.IsValid() {
		opts = append(opts, rule.Related(write, "the rows are written here"))
	}
	return opts
}
