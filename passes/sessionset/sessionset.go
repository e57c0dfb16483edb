package sessionset

import (
	"fmt"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
	"github.com/pgtxvet/pgtxvet/passes/internal/rule"
	"github.com/pgtxvet/pgtxvet/passes/txflow"
)

// Analyzer reports session state set on pooled connections.
var Analyzer = rule.New("sessionset", doc, run)

func run(p *rule.Pass) {
	for _, s := range p.Sites {
		st := s.Always(changesSession)
		if st == nil {
			continue
		}
		pos, end := s.Range()
		if p.Migration(pos) || s.Handle.Root().Lone || s.FromContext && changeOf(st).set {
			continue // where a handle comes from the context, that is said
		}
		if msg, related := check(s, st); msg != "" {
			opts := append(related, fix(s, st))
			if len(s.Path) > 0 {
				origin, _ := s.OriginRange()
				opts = append(opts, rule.Related(origin, "the statement is run here"))
			}
			p.Report(pos, end, msg, opts...)
		}
	}
}

// A change is what a statement leaves behind on its session.
type change struct {
	what    string // for the message
	setting string // the setting's name, "" for other state
	set     bool   // a SET or set_config: LOCAL is its remedy
	param   bool   // a SET whose value is a placeholder, which SET does not take
	tx      bool   // a transaction begun as text
}

// changesSession reports whether the statement changes the session it runs on
// and the rest of the same text does not undo it.
func changesSession(st *pgsql.Statement, before, rest []*pgsql.Statement) bool {
	c := changeOf(st)
	if c.what == "" {
		return false
	}
	for _, r := range rest {
		if undoes(r, c) {
			return false
		}
	}
	return true
}

func changeOf(st *pgsql.Statement) change {
	switch st.Kind {
	case pgsql.Set, pgsql.Select:
		for _, set := range st.Settings {
			if set.Scope != pgsql.ScopeSession || set.Default || !known(set.Name) {
				continue
			}
			what := "SET " + set.Name
			switch {
			case set.Func && set.Name == "":
				what = "set_config(…, false)"
			case set.Func:
				what = fmt.Sprintf("set_config('%s', …, false)", set.Name)
			case set.Name == "role":
				what = "SET ROLE"
			case set.Name == "session_authorization":
				what = "SET SESSION AUTHORIZATION"
			}
			return change{what: what, setting: set.Name, set: true, param: set.Param}
		}
	case pgsql.SetTransaction:
		if st.Tx.Session {
			return change{what: "SET SESSION CHARACTERISTICS", setting: "session characteristics"}
		}
	case pgsql.Begin:
		return change{what: "BEGIN as a statement", tx: true}
	case pgsql.Listen:
		return change{what: "LISTEN " + st.Name, setting: "listen"}
	case pgsql.CreateTable:
		if st.Temp && !st.OnCommitDrop {
			return change{what: "CREATE TEMP TABLE", setting: "temp"}
		}
	case pgsql.Prepare:
		return change{what: "PREPARE " + st.Name, setting: "prepare"}
	}
	return change{}
}

// undoes reports whether the statement takes back the change.
func undoes(st *pgsql.Statement, c change) bool {
	switch st.Kind {
	case pgsql.Discard:
		return true
	case pgsql.Commit, pgsql.Rollback:
		return c.tx
	case pgsql.Unlisten:
		return c.setting == "listen"
	case pgsql.Deallocate:
		return c.setting == "prepare"
	case pgsql.DDL, pgsql.Other:
		return c.setting == "temp" && strings.HasPrefix(strings.ToUpper(st.Text), "DROP")
	}
	for _, set := range st.Settings {
		if c.set && (set.Name == "all" || set.Name == c.setting) && set.Scope != pgsql.ScopeTransaction {
			return true
		}
	}
	return false
}

// check decides whether the change stays behind where somebody else finds it,
// and says so.
func check(s *txflow.Site, st *pgsql.Statement) (string, []rule.Option) {
	c := changeOf(st)
	undone := func(x *txflow.Effect) bool {
		return x.Handle.Same(s.Handle) && s.Any(x, func(st *pgsql.Statement) bool { return undoes(st, c) })
	}
	switch s.Handle.Kind {
	case txflow.Pool:
		return poolMessage(s, c), nil
	case txflow.Tx:
		if !c.set || undoneInTx(s, c) || neverCommits(s) || s.OwnPool() || s.SessionsAreReset() {
			return "", nil
		}
		return fmt.Sprintf("%s in a transaction%s outlives the commit: the session goes back to the pool with it, and its next borrower inherits it; write %s",
			c.what, s.Via(), localForm(c)), nil
	case txflow.Ambient:
		if !c.set || undoneInTx(s, c) {
			return "", nil
		}
		return fmt.Sprintf("%s%s changes the session: in the context's transaction it outlives the commit, and without one it runs on any session of the pool; write %s inside a transaction",
			c.what, s.Via(), localForm(c)), nil
	case txflow.Session:
		if s.State == txflow.Undecided {
			return "", nil
		}
		if c.tx || c.setting == "listen" && s.Listens() || s.OwnPool() || s.SessionsAreReset() {
			// An open transaction has a rule of its own, and a listener gives its
			// session back when it ends.
			return "", nil
		}
		leak := s.Leak(s.Handle, func(x *txflow.Effect) bool { return undone(x) })
		if leak == nil {
			return "", nil
		}
		return fmt.Sprintf("%s%s stays on the session when it goes back to the pool (line %d): its next borrower inherits it; %s",
				c.what, s.Via(), s.Line(leak.At), sessionRemedy(c)),
			[]rule.Option{rule.Related(s.Pos(leak.At), "the session goes back to the pool here")}
	}
	if s.PresumedPool() && c.set {
		return poolMessage(s, c), nil
	}
	return "", nil
}

func poolMessage(s *txflow.Site, c change) string {
	return fmt.Sprintf("%s runs on whichever session of %s comes first%s: this code's next statement may run on another session, and the next borrower of this one inherits it; %s",
		c.what, s.HandleWords(), s.Via(), poolRemedy(c))
}

// undoneInTx reports whether the function, or a closure of it, takes the change
// back on the same transaction or on the session below it, anywhere: by a reset,
// or by setting the same name again.
func undoneInTx(s *txflow.Site, c change) bool {
	for x := range s.Family() {
		if x.Origin == s.Origin || x.Op != txflow.Run {
			continue
		}
		same := x.Handle.Same(s.Handle)
		for f := s.Handle.From; f != nil && f.Kind != txflow.Pool && !same; f = f.From {
			same = x.Handle.Same(*f)
		}
		if same && s.Any(x, func(st *pgsql.Statement) bool { return undoes(st, c) }) {
			return true
		}
	}
	return false
}

// neverCommits reports whether the function rolls the transaction back and nowhere
// commits it: with it goes what was set.
// Source: https://www.postgresql.org/docs/current/sql-set.html
func neverCommits(s *txflow.Site) bool {
	rollsBack := false
	for x := range s.Family() {
		if !x.Handle.Same(s.Handle) {
			continue
		}
		switch x.Op {
		case txflow.CommitTx:
			return false
		case txflow.RollbackTx:
			rollsBack = true
		}
	}
	return rollsBack
}

// localForm is the form of the change that ends with the transaction.
func localForm(c change) string {
	switch {
	case strings.HasPrefix(c.what, "set_config"):
		return "set_config(…, true)"
	case c.param:
		return fmt.Sprintf("SELECT set_config('%s', …, true) (SET takes no parameters)", c.setting)
	}
	return "SET LOCAL" + strings.TrimPrefix(c.what, "SET")
}

func poolRemedy(c change) string {
	switch {
	case c.tx:
		return "use the library's Begin, which holds one session until Commit"
	case c.set:
		return "write " + localForm(c) + " inside the transaction it is meant for, or set it for all sessions in the pool's configuration"
	case c.setting == "listen":
		return "listen on a connection of its own that is kept open"
	case c.setting == "temp":
		return "create it inside a transaction with ON COMMIT DROP, or on one session held for its whole use"
	}
	return "run it on one session held for its whole use"
}

func sessionRemedy(c change) string {
	if c.set {
		return "run " + localForm(c) + " inside a transaction, or RESET it on every path before the session is given back"
	}
	return "undo it on every path before the session is given back"
}

// fix makes a SET in a transaction local.
func fix(s *txflow.Site, st *pgsql.Statement) rule.Option {
	none := rule.Fix("")
	if s.Handle.Kind != txflow.Tx || st.Kind != pgsql.Set || changeOf(st).param || len(s.Path) > 0 || len(s.Texts) != 1 {
		return none
	}
	text, _ := s.Texts[0].Join()
	if st.End > len(text) {
		return none
	}
	words := strings.Fields(strings.ToUpper(text[st.Pos:st.End]))
	if len(words) < 2 || words[0] != "SET" || words[1] == "SESSION" {
		return none
	}
	at := s.Texts[0].Pos(st.Pos + len("SET"))
	if !at.IsValid() {
		return none
	}
	return rule.Fix("set it until the end of the transaction", analysis.TextEdit{Pos: at, End: at, NewText: []byte(" LOCAL")})
}
