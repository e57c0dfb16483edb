// Package labels prints the labels of shipments with a program of the
// printer's maker: sqlx and os/exec.
package labels

import (
	"context"
	"fmt"
	"io"
	"os/exec"

	"github.com/jmoiron/sqlx"
)

// Shipment is a row of shipments.
type Shipment struct {
	ID      int64  `db:"id"`
	Address string `db:"address"`
}

// Printer prints labels.
type Printer struct {
	db      *sqlx.DB
	command string
}

// NewPrinter returns a printer whose program is command. It reads the label
// from its standard input.
func NewPrinter(db *sqlx.DB, command string) *Printer { return &Printer{db: db, command: command} }

// run starts the program and waits for its end.
func (p *Printer) run(ctx context.Context, label io.Reader) error {
	cmd := exec.CommandContext(ctx, p.command)
	cmd.Stdin = label
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("print: %w: %s", err, out)
	}
	return nil
}

// Print prints the label that draw draws, and marks the shipment. The printer
// may be out of paper: the shipment stays locked until somebody brings some.
func (p *Printer) Print(ctx context.Context, id int64, draw func(Shipment) io.Reader) error {
	tx, err := p.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var s Shipment
	if err := tx.GetContext(ctx, &s, `SELECT id, address FROM shipments WHERE id = $1 AND NOT printed FOR NO KEY UPDATE`, id); err != nil {
		return err
	}
	if err := p.run(ctx, draw(s)); err != nil { // want "transaction open"
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE shipments SET printed = true WHERE id = $1`, id); err != nil {
		return err
	}
	return tx.Commit()
}

// PrintBetween claims the shipment in one statement and confirms it in
// another. In between no transaction is open.
//
//proof:fixes (*Printer).Print
func (p *Printer) PrintBetween(ctx context.Context, id int64, draw func(Shipment) io.Reader) error {
	var s Shipment
	err := p.db.GetContext(ctx, &s, `
		UPDATE shipments SET claimed = true WHERE id = $1 AND NOT claimed AND NOT printed
		RETURNING id, address`, id)
	if err != nil {
		return err
	}
	if err := p.run(ctx, draw(s)); err != nil {
		return err
	}
	_, err = p.db.ExecContext(ctx, `UPDATE shipments SET printed = true WHERE id = $1`, id)
	return err
}
