package abortedtx

import (
	"fmt"

	"github.com/pgtxvet/pgtxvet/passes/internal/rule"
	"github.com/pgtxvet/pgtxvet/passes/txflow"
)

// Analyzer reports statements in a transaction that a failure has aborted.
var Analyzer = rule.New("abortedtx", doc, run)

func run(p *rule.Pass) {
	seen := map[any]bool{}
	for _, s := range p.Effects {
		if s.Op != txflow.Run {
			continue
		}
		next := s.AfterFailure()
		if next == nil || seen[next.At] {
			continue
		}
		seen[next.At] = true
		failed, _ := s.Range()
		pos, end := s.RangeOf(next)
		p.Report(pos, end, message(s.LineOf(failed), next),
			rule.Related(failed, "this statement fails first"))
	}
}

func message(line int, next *txflow.Effect) string {
	if next.Op == txflow.CommitTx {
		return fmt.Sprintf("the statement at line %d has failed on this path and aborted the transaction, so COMMIT rolls everything back (further statements would get 25P02); return the error, or set a savepoint before line %d", line, line)
	}
	return fmt.Sprintf("the statement at line %d has failed on this path and aborted the transaction, so this one fails with 25P02; roll back first, set a savepoint before line %d, or write that statement so that it does not fail (ON CONFLICT)", line, line)
}
