package abortedtx

import (
	"fmt"
	"go/token"

	"github.com/pgtxvet/pgtxvet/passes/internal/rule"
	"github.com/pgtxvet/pgtxvet/passes/txflow"
)

// Analyzer reports statements in a transaction that a failure has aborted.
var Analyzer = rule.New("abortedtx", doc, run)

func run(p *rule.Pass) {
	seen := map[token.Pos]bool{}
	for _, s := range p.Effects {
		if s.Op != txflow.Faulty || !s.NewHere() {
			continue
		}
		text := message(s)
		pos, end := s.FaultRange()
		if text == "" || seen[pos] {
			continue
		}
		seen[pos] = true
		p.Report(pos, end, text, rule.Related(s.FailedPos(), "this statement fails first"))
	}
}

// message says what is wrong, or nothing when the fault is another rule's.
func message(s *txflow.Site) string {
	failed := "the statement at " + s.FailedWhere()
	if s.Fault.Again {
		failed = "this statement"
	}
	switch s.Fault.Kind {
	case txflow.UsedAfterFailure:
		after := "this one fails with 25P02"
		if s.Fault.Again {
			after = "its next round fails with 25P02"
		}
		return fmt.Sprintf("%s has failed on this path and aborted the transaction, so %s; roll back first, set a savepoint before it, or write that statement so that it does not fail (ON CONFLICT)", failed, after)
	case txflow.CommittedAfterFailure:
		return fmt.Sprintf("%s has failed on this path and aborted the transaction, so COMMIT rolls everything back (further statements would get 25P02); return the error, or set a savepoint before that statement", failed)
	case txflow.ReturnedAfterFailure:
		return fmt.Sprintf("%s has failed on this path and aborted the transaction, and the function returns nil: the COMMIT that follows rolls everything back (further statements would get 25P02); return the error, or set a savepoint before that statement", failed)
	}
	return ""
}
