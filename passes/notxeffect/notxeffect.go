package notxeffect

import (
	"fmt"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
	"github.com/pgtxvet/pgtxvet/passes/internal/rule"
	"github.com/pgtxvet/pgtxvet/passes/txflow"
)

// Analyzer reports statements that have no effect outside a transaction.
var Analyzer = rule.New("notxeffect", doc, run)

func run(p *rule.Pass) {
	for _, s := range p.Sites {
		st := s.Always(needsTx)
		if st == nil || !outside(s) {
			continue
		}
		pos, end := s.Range()
		var opts []rule.Option
		if len(s.Path) > 0 {
			origin, _ := s.OriginRange()
			opts = append(opts, rule.Related(origin, "the statement is run here"))
		}
		opts = append(opts, fix(s, st))
		p.Report(pos, end, message(s, st), opts...)
	}
}

// needsTx reports whether the statement lasts until the end of a transaction
// and nothing else runs in the same text: several statements sent as one text
// run in one transaction.
func needsTx(st *pgsql.Statement, before, rest []*pgsql.Statement) bool {
	if what, _ := effect(st); what == "" || len(rest) > 0 {
		return false
	}
	for _, b := range before {
		if b.Kind == pgsql.Begin {
			return false
		}
	}
	return true
}

// effect says what the statement would do for the rest of a transaction, and
// what becomes of it outside one.
func effect(st *pgsql.Statement) (what, harm string) {
	const gone = "is gone when the statement ends"
	const fails = "fails with SQLSTATE 25P01"
	switch st.Kind {
	case pgsql.Set:
		for _, set := range st.Settings {
			if set.Scope == pgsql.ScopeTransaction {
				return "SET LOCAL " + set.Name, gone
			}
		}
	case pgsql.SetTransaction:
		if !st.Tx.Session {
			return "SET TRANSACTION", gone
		}
	case pgsql.SetConstraints:
		return "SET CONSTRAINTS", gone
	case pgsql.LockTable:
		return "LOCK TABLE", fails
	case pgsql.Savepoint:
		return "SAVEPOINT", fails
	case pgsql.Declare:
		if !st.Hold {
			return "DECLARE CURSOR", fails
		}
	case pgsql.Select:
		if st.Writing || st.Partial {
			return "", ""
		}
		for _, call := range st.Advisory {
			if call.Scope == pgsql.ScopeTransaction && !call.Unlock && !call.All {
				return "the advisory lock of " + call.Func, gone
			}
		}
		for _, set := range st.Settings {
			if set.Func && set.Scope == pgsql.ScopeTransaction && len(st.Reads) == 0 {
				return "set_config(…, true)", gone
			}
		}
	}
	return "", ""
}

func outside(s *txflow.Site) bool {
	switch s.State {
	case txflow.Outside:
		return true
	case txflow.Undecided:
		return s.PresumedPool() && s.After(func(x *txflow.Effect) bool {
			return s.Any(x, func(st *pgsql.Statement) bool { return st.Writing })
		})
	}
	return false
}

func message(s *txflow.Site, st *pgsql.Statement) string {
	what, harm := effect(st)
	return fmt.Sprintf("%s outside a transaction%s: it runs on %s and %s; run it in the transaction of the statements it is meant for%s",
		what, s.Via(), s.HandleWords(), harm, otherForm(st))
}

// otherForm says how to write what cannot be written as it is: a SET with a
// placeholder.
func otherForm(st *pgsql.Statement) string {
	for _, set := range st.Settings {
		if st.Kind == pgsql.Set && set.Param {
			return fmt.Sprintf(", as SELECT set_config('%s', …, true) (SET takes no parameters)", set.Name)
		}
	}
	return ""
}

// fix drops LOCAL where the session has no pool behind it: a plain SET then
// lasts as long as the session, which nobody else borrows.
func fix(s *txflow.Site, st *pgsql.Statement) rule.Option {
	none := rule.Fix("")
	if st.Kind != pgsql.Set || s.Handle.Kind != txflow.Session || !s.Handle.Lone || len(s.Path) > 0 || len(s.Texts) != 1 {
		return none
	}
	text, _ := s.Texts[0].Join()
	stmt := strings.ToUpper(text[st.Pos:st.End])
	at := strings.Index(stmt, "LOCAL")
	if !strings.HasPrefix(stmt, "SET") || at < 0 || strings.TrimSpace(stmt[3:at]) != "" {
		return none
	}
	from, to := s.Texts[0].Pos(st.Pos+3), s.Texts[0].Pos(st.Pos+at+len("LOCAL"))
	if !from.IsValid() || !to.IsValid() {
		return none
	}
	return rule.Fix("set it for the session, which has no pool behind it", analysis.TextEdit{Pos: from, End: to})
}
