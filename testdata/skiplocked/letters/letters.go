// Package letters prints letters in batches, with database/sql. Every process
// runs the poller.
package letters

import (
	"context"
	"database/sql"
	"time"
)

// Printer prints what waits.
type Printer struct {
	db    *sql.DB
	print func(ctx context.Context, letter int64) error
}

// NewPrinter returns a printer that prints with print.
func NewPrinter(db *sql.DB, print func(ctx context.Context, letter int64) error) *Printer {
	return &Printer{db: db, print: print}
}

const (
	batch     = `SELECT id FROM letters WHERE NOT printed AND NOT held ORDER BY id LIMIT 2 FOR UPDATE`
	freeBatch = `SELECT id FROM letters WHERE NOT printed AND NOT held ORDER BY id LIMIT 2 FOR UPDATE SKIP LOCKED`
)

// Run prints until the context ends.
func (p *Printer) Run(ctx context.Context) error {
	tick := time.NewTicker(5 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			if err := p.PrintBatch(ctx); err != nil {
				return err
			}
		}
	}
}

// PrintBatch prints the oldest letters, and keeps their rows locked meanwhile.
func (p *Printer) PrintBatch(ctx context.Context) error {
	tx, err := p.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	rows, err := tx.QueryContext(ctx, batch) // want "without SKIP LOCKED"
	if err != nil {
		return err
	}
	ids, err := collect(rows)
	if err != nil {
		return err
	}
	if err := p.printAll(ctx, tx, ids); err != nil {
		return err
	}
	return tx.Commit()
}

// PrintFreeBatch prints the oldest letters that no other process prints.
//
//proof:fixes (*Printer).PrintBatch
func (p *Printer) PrintFreeBatch(ctx context.Context) error {
	tx, err := p.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	rows, err := tx.QueryContext(ctx, freeBatch)
	if err != nil {
		return err
	}
	ids, err := collect(rows)
	if err != nil {
		return err
	}
	if err := p.printAll(ctx, tx, ids); err != nil {
		return err
	}
	return tx.Commit()
}

func (p *Printer) printAll(ctx context.Context, tx *sql.Tx, ids []int64) error {
	for _, id := range ids {
		if err := p.print(ctx, id); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE letters SET printed = true WHERE id = $1`, id); err != nil {
			return err
		}
	}
	return nil
}

func collect(rows *sql.Rows) ([]int64, error) {
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// PrintAlone is right: the advisory lock lets one process print at a time.
func (p *Printer) PrintAlone(ctx context.Context) error {
	tx, err := p.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var mine bool
	if err := tx.QueryRowContext(ctx, `SELECT pg_try_advisory_xact_lock(4711)`).Scan(&mine); err != nil || !mine {
		return err
	}
	rows, err := tx.QueryContext(ctx, `SELECT id FROM letters WHERE NOT printed ORDER BY id LIMIT 2 FOR UPDATE`)
	if err != nil {
		return err
	}
	ids, err := collect(rows)
	if err != nil {
		return err
	}
	if err := p.printAll(ctx, tx, ids); err != nil {
		return err
	}
	return tx.Commit()
}
