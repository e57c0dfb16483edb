package externalcall

import (
	"fmt"
	"go/token"
	"strings"

	"github.com/pgtxvet/pgtxvet/passes/internal/rule"
	"github.com/pgtxvet/pgtxvet/passes/txflow"
)

// Analyzer reports outside calls made while a transaction is open.
var Analyzer = rule.New("externalcall", doc, run)

func run(p *rule.Pass) {
	seen := map[token.Pos]bool{}
	for _, s := range p.Effects {
		if s.Op != txflow.External || !s.InScope() {
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
	where := ""
	if begun := s.BegunWhere(s.Scope()); begun != "" {
		where = "begun at " + begun
	}
	if via := strings.Trim(s.Via(), " ()"); via != "" {
		if where != "" {
			where += ", "
		}
		where += "the call goes " + via
	}
	if where != "" {
		where = " (" + where + ")"
	}
	return fmt.Sprintf("%s with a transaction open%s: the transaction holds its row locks and its connection for as long as this takes, and a rollback does not undo it; move it behind the end of the transaction, or record it in the same database and send it later",
		s.What, where)
}

func related(s *txflow.Site) []rule.Option {
	var opts []rule.Option
	if sc := s.Scope(); sc.Begin != nil {
		begin, _ := s.RangeOfCall(sc.Begin)
		opts = append(opts, rule.Related(begin, "the transaction is begun here"))
	}
	if len(s.Path) > 0 {
		origin, _ := s.OriginRange()
		opts = append(opts, rule.Related(origin, "the call is made here"))
	}
	return opts
}
