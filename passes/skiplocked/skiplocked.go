package skiplocked

import (
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
	"github.com/pgtxvet/pgtxvet/passes/internal/rule"
	"github.com/pgtxvet/pgtxvet/passes/txflow"
)

// Analyzer reports queue claims without SKIP LOCKED.
var Analyzer = rule.New("skiplocked", doc, run)

func run(p *rule.Pass) {
	byOrigin := map[ssa.CallInstruction][]*txflow.Site{}
	var order []ssa.CallInstruction
	for _, s := range p.Effects {
		if s.Op != txflow.Run || s.Fn == nil {
			continue
		}
		if byOrigin[s.Origin] == nil {
			order = append(order, s.Origin)
		}
		byOrigin[s.Origin] = append(byOrigin[s.Origin], s)
	}
	for _, origin := range order {
		check(p, byOrigin[origin])
	}
}

// check looks at one call that runs SQL, in all the functions that reach it.
func check(p *rule.Pass, sites []*txflow.Site) {
	slices.SortStableFunc(sites, func(a, b *txflow.Site) int { return len(a.Path) - len(b.Path) })
	var found []*finding
	for _, s := range sites {
		// The functions that know the text first: it may come in as a parameter,
		// or be hidden in generated code.
		if len(found) > 0 && len(s.Path) > len(found[0].site.Path) {
			break
		}
		if f := find(s, sites); f != nil && !f.saidBelow() {
			found = append(found, f)
		}
	}
	if len(found) == 0 || slices.ContainsFunc(sites, (*txflow.Site).OnlyOne) {
		return
	}
	for _, f := range found {
		if pos, end := f.site.Range(); !p.Migration(pos) {
			p.Report(pos, end, f.message(p, pos), f.options()...)
		}
	}
}

// A finding is a claim, the site that shows it, and what marks the rows.
type finding struct {
	*claim
	site *txflow.Site
	// mark is the effect that marks the rows, nil when the claim marks them
	// itself or nothing is seen to; marker is the site of the function that has it.
	mark   *txflow.Effect
	marker *txflow.Site
}

// find returns the claim that the site shows, or nil. What marks the rows may be
// seen in any of the functions that reach the statement.
func find(s *txflow.Site, sites []*txflow.Site) *finding {
	c := claimOf(s)
	if c == nil {
		return nil
	}
	var callers []string
	for _, other := range sites {
		callers = append(callers, other.Callers()...)
	}
	if named := c.named(s); c.scoped(named) || c.open(s) && !(named && c.lock != nil && c.tests(nil)) || anyHas(callers, onceNames) || !c.changes(c.st.Sets) && !c.likely(s, callers) {
		return nil
	}
	if deletes(c.st) && anyHas(callers, sweeps) || c.hasTwin(s) {
		return nil
	}
	if c.form == inWrite || c.form == unlockedInWrite {
		return &finding{claim: c, site: s}
	}
	mark := c.marked
	if c.form == unlockedRead {
		mark = c.taken
		if anyHas(callers, sweeps) {
			return nil
		}
	}
	var found *finding
	for _, other := range sites {
		// The innermost function that sees both says most.
		if x := mark(other); x != nil && (found == nil || found.mark.Instr == found.marker.Instr) {
			found = &finding{claim: c, site: s, mark: x, marker: other}
		}
	}
	if found == nil && c.evident(s) {
		found = &finding{claim: c, site: s}
	}
	return found
}

// saidBelow reports whether the package of the call that runs the statement, if
// it is another, has seen all that this one sees.
func (f *finding) saidBelow() bool {
	switch {
	case txflow.Here(f.site.Origin), f.site.OriginGenerated(), f.site.TextFromHere():
		return false
	case f.mark == nil || f.evident(f.site):
		return true
	}
	// Read and marked through two calls of this package.
	return f.mark.Instr == f.marker.Instr
}

// hasTwin reports whether the function claims with SKIP LOCKED too: for another
// database, or another setting.
func (c *claim) hasTwin(s *txflow.Site) bool {
	for x := range s.Family() {
		if x.Op == txflow.Run && s.Any(x, c.skips) {
			return true
		}
	}
	return false
}

// skips reports whether the statement passes over locked rows of the claim's table.
func (c *claim) skips(st *pgsql.Statement) bool {
	return slices.ContainsFunc(st.Locks, func(l pgsql.RowLock) bool {
		return l.Policy == pgsql.SkipLocked && slices.ContainsFunc(l.Tables, func(t string) bool { return contains(c.tables, t) })
	})
}

// marked returns the write after the locking read that marks or deletes its rows.
func (c *claim) marked(s *txflow.Site) *txflow.Effect {
	for _, x := range after(s) {
		if s.Any(x, c.marks) {
			return x
		}
	}
	return nil
}

// after are the statements that the function of the site runs after it.
func after(s *txflow.Site) []*txflow.Effect {
	all := s.Effects()
	i := slices.Index(all, s.Effect)
	return slices.DeleteFunc(slices.Clone(all[i+1:]), func(x *txflow.Effect) bool { return x.Op != txflow.Run || x.Origin == s.Origin })
}

// marks reports whether the statement changes what the claim tests.
func (c *claim) marks(st *pgsql.Statement) bool {
	if st.Kind != pgsql.Update && st.Kind != pgsql.Delete || !c.writes(st) {
		return false
	}
	if deletes(st) {
		return c.tables[0] != "" && c.lock != nil && (c.tests(nil) || c.plain())
	}
	unknown := slices.ContainsFunc(st.Sets, func(a pgsql.Assignment) bool { return a.Column == "" })
	return c.changes(st.Sets) || unknown && c.tests(nil)
}

// taken returns the write after the unlocked read that takes what it returned,
// if nothing else sees to it that only one worker gets a row.
func (c *claim) taken(s *txflow.Site) *txflow.Effect {
	for _, x := range s.Effects() {
		if x.Op == txflow.BeginTx && x.Mode.Isolation >= pgsql.RepeatableRead {
			return nil // 40001
		}
		if x.Op != txflow.Run || x.Origin == s.Origin {
			continue
		}
		if s.Any(x, func(st *pgsql.Statement) bool { return len(st.Locks) > 0 || len(st.Advisory) > 0 || c.guards(st) }) {
			return nil
		}
	}
	for _, x := range after(s) {
		pops := s.Any(x, c.pops)
		if (pops && s.CountDropped(x) || !pops && s.Any(x, c.marks)) && s.Feeds(s.Effect, x) {
			return x
		}
	}
	return nil
}

// pops reports whether the statement deletes what the claim picked: by a key, it
// deletes a row once, and only the count tells who did.
func (c *claim) pops(st *pgsql.Statement) bool {
	return deletes(st) && !st.Returning && c.writes(st) && c.tables[0] != "" && (c.tests(nil) || c.plain())
}

// guards reports whether a write of the table tests the state again.
func (c *claim) guards(st *pgsql.Statement) bool {
	return st.Writing && c.writes(st) && (st.Partial || c.restated(st))
}

// message says what the claim reported at pos does.
func (f *finding) message(p *rule.Pass, pos token.Pos) string {
	table := f.tables[0]
	if table == "" {
		table = "a table"
	}
	then := "writes them"
	if f.mark != nil {
		then = "the write at " + f.markPlace(p, pos) + " marks them"
	} else if f.form == lockedRead {
		then = "locks them"
	}
	via := f.site.Via()
	switch {
	case f.lock == nil && f.form == unlockedRead:
		return fmt.Sprintf("queue claim without a lock%s: this picks rows of %s by their state and %s by their key alone, so two workers read the same row and both get it; in one transaction with the write, add FOR UPDATE SKIP LOCKED here", via, table, then)
	case f.lock == nil:
		return fmt.Sprintf("queue claim without a lock%s: the subquery picks rows of %s by their state without locking them, so two workers pick the same row, the second waits for the first and then writes it too; add FOR UPDATE SKIP LOCKED to the subquery", via, table)
	case f.lock.Policy == pgsql.NoWait:
		return fmt.Sprintf("queue claim with NOWAIT%s: all workers pick the same rows of %s by their state, and all but the first get 55P03 although other rows are free; write SKIP LOCKED in place of NOWAIT", via, table)
	}
	return fmt.Sprintf("queue claim with %s but without SKIP LOCKED%s: this picks rows of %s by their state and %s, and every other worker waits for the same rows until this transaction ends; write %s SKIP LOCKED, so that each takes the next free row", f.lock.Strength, via, table, then, f.lock.Strength)
}

// markPlace says where the rows are marked, for a reader of pos: "line 42".
func (f *finding) markPlace(p *rule.Pass, pos token.Pos) string {
	at, _ := f.marker.RangeOf(f.mark)
	mark := p.Fset.Position(at)
	if mark.Filename != p.Fset.Position(pos).Filename {
		return fmt.Sprintf("%s:%d", filepath.Base(mark.Filename), mark.Line)
	}
	return fmt.Sprintf("line %d", mark.Line)
}

func (f *finding) options() []rule.Option {
	opts := []rule.Option{f.fix()}
	if f.mark != nil {
		pos, _ := f.marker.RangeOf(f.mark)
		opts = append(opts, rule.Related(pos, "the rows are marked here"))
	}
	if len(f.site.Path) > 0 {
		pos, _ := f.site.OriginRange()
		opts = append(opts, rule.Related(pos, "the statement is run here"))
	}
	return opts
}

// fix passes over locked rows. Where there is no lock, none is offered: an
// unlocked read may stand outside the transaction of its write. Generated code
// would lose the edit, and GORM has a field for the words.
func (f *finding) fix() rule.Option {
	none := rule.Fix("")
	if f.lock == nil || len(f.site.Texts) != 1 || f.lock.End < 0 || f.site.OriginGenerated() || f.site.Library() == "gorm" {
		return none
	}
	text, _ := f.site.Texts[0].Join()
	if f.lock.Policy == pgsql.NoWait {
		const word = "NOWAIT"
		at := f.lock.End - len(word)
		if at < 0 || f.lock.End > len(text) || !strings.EqualFold(text[at:f.lock.End], word) {
			return none
		}
		pos, end := f.site.TextPos(0, at), f.site.TextPos(0, f.lock.End-1)
		if !pos.IsValid() || !end.IsValid() {
			return none
		}
		return rule.Fix("pass over locked rows", analysis.TextEdit{Pos: pos, End: end + 1, NewText: []byte("SKIP LOCKED")})
	}
	last := f.site.TextPos(0, f.lock.End-1)
	if !last.IsValid() {
		return none
	}
	return rule.Fix("pass over locked rows", analysis.TextEdit{Pos: last + 1, End: last + 1, NewText: []byte(" SKIP LOCKED")})
}
