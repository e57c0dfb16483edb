// Package rollup sums the sales of a day: gorm.
package rollup

import (
	"context"

	"gorm.io/gorm"
)

const rollupKey = 3_104

// Job sums sales.
type Job struct{ db *gorm.DB }

// NewJob returns a job over the database.
func NewJob(db *gorm.DB) *Job { return &Job{db: db} }

const sumDay = `
	INSERT INTO totals (day, amount) SELECT day, sum(amount) FROM sales WHERE day = ? GROUP BY day
	ON CONFLICT (day) DO UPDATE SET amount = excluded.amount`

// Sum sums the day. The lock is the session's, which outlives the commit.
func (j *Job) Sum(ctx context.Context, day int) error {
	return j.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec(`SELECT pg_advisory_lock(?)`, rollupKey).Error; err != nil { // want "advisory lock"
			return err
		}
		return tx.Exec(sumDay, day).Error
	})
}

// SumInTx sums the day under a lock that ends with the transaction.
//
//proof:fixes (*Job).Sum
func (j *Job) SumInTx(ctx context.Context, day int) error {
	return j.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec(`SELECT pg_advisory_xact_lock(?)`, rollupKey).Error; err != nil {
			return err
		}
		return tx.Exec(sumDay, day).Error
	})
}
