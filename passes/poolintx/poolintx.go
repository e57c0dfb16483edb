package poolintx

import (
	"fmt"
	"go/token"

	"github.com/pgtxvet/pgtxvet/passes/internal/rule"
	"github.com/pgtxvet/pgtxvet/passes/txflow"
)

// Analyzer reports statements that bypass the transaction open around them.
var Analyzer = rule.New("poolintx", doc, run)

func run(p *rule.Pass) {
	seen := map[token.Pos]bool{}
	for _, s := range p.Effects {
		if s.Beside == nil || s.OnlyGuards() {
			continue
		}
		pos, end := s.Range()
		if seen[pos] {
			continue
		}
		seen[pos] = true
		p.Report(pos, end, message(s), related(s)...)
	}
}

func message(s *txflow.Site) string {
	what := "this statement runs"
	if len(s.Path) > 0 {
		what = "this call runs a statement"
	}
	switch s.Op {
	case txflow.BeginTx:
		what = "this begins another transaction"
	case txflow.Take:
		what = "this takes another session"
	}
	begun := "the transaction that comes in as a parameter"
	if where := s.BegunWhere(s.Beside); where != "" {
		begun = "the transaction begun at " + where
	}
	return fmt.Sprintf("%s outside the transaction that is open here%s: it takes a second connection from %s beside %s, does not see its writes, is not rolled back with it, and waits for ever if the pool has no other connection left; run it on the transaction",
		what, s.Via(), s.PoolWords(), begun)
}

func related(s *txflow.Site) []rule.Option {
	var opts []rule.Option
	if s.Beside.Begin != nil {
		begin, _ := s.RangeOfCall(s.Beside.Begin)
		opts = append(opts, rule.Related(begin, "the transaction is begun here"))
	}
	if len(s.Path) > 0 {
		origin, _ := s.OriginRange()
		opts = append(opts, rule.Related(origin, "the other connection is taken here"))
	}
	return opts
}
