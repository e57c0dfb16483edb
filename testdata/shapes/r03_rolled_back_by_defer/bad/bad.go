package bad

import (
	"context"
	"errors"

	"github.com/lib/pq"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/r03_rolled_back_by_defer/bad/lock"
)

type Queue struct{ lock *lock.Lock }

// Fill queues a message for every alert that is due.
func (q *Queue) Fill(ctx context.Context) error {
	tx, err := q.lock.BeginTx(ctx)
	if err != nil {
		return err
	}
	defer lock.Rollback(tx)
	_, err = tx.ExecContext(ctx, "INSERT INTO messages (contact, alert) SELECT contact, alert FROM due")
	var pqErr *pq.Error
	if errors.As(err, &pqErr) && pqErr.Code == "23503" {
		return tx.Commit() // expect: abortedtx
	}
	if err != nil {
		return err
	}
	return tx.Commit()
}

// Run fills the queue once.
func (q *Queue) Run(ctx context.Context) error { return q.Fill(ctx) }
