// Package raffles draws winners, with pgx. Its tables are in migrations.
package raffles

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrDrawn says that the raffle has a winner.
var ErrDrawn = errors.New("the raffle has a winner")

// Desk draws winners.
type Desk struct{ pool *pgxpool.Pool }

// NewDesk returns a desk over the pool.
func NewDesk(pool *pgxpool.Pool) *Desk { return &Desk{pool} }

// Enter enters somebody who has not entered. Whoever comes second fails: an index
// that the migrations make lets nobody in twice.
func (d *Desk) Enter(ctx context.Context, raffle int64, email string) error {
	var entered bool
	err := d.pool.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM entrants WHERE raffle_id = $1 AND email = $2)`, raffle, email).Scan(&entered)
	if err != nil || entered {
		return err
	}
	_, err = d.pool.Exec(ctx, `INSERT INTO entrants (raffle_id, email) VALUES ($1, $2)`, raffle, email)
	return err
}

// Draw names the winner of a raffle that has none. No index of the migrations
// keeps a raffle from having two.
func (d *Desk) Draw(ctx context.Context, raffle int64, email string) error {
	var drawn bool
	err := d.pool.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM winners WHERE raffle_id = $1)`, raffle).Scan(&drawn)
	if err != nil {
		return err
	}
	if drawn {
		return ErrDrawn
	}
	_, err = d.pool.Exec(ctx, `INSERT INTO winners (raffle_id, email) VALUES ($1, $2)`, raffle, email) // want `whether this row of winners is inserted was decided by the read`
	return err
}

// DrawInTurn locks the raffle before it looks.
//
//proof:fixes (*Desk).Draw
func (d *Desk) DrawInTurn(ctx context.Context, raffle int64, email string) error {
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT FROM raffles WHERE id = $1 FOR UPDATE`, raffle); err != nil {
			return err
		}
		var drawn bool
		err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM winners WHERE raffle_id = $1)`, raffle).Scan(&drawn)
		if err != nil {
			return err
		}
		if drawn {
			return ErrDrawn
		}
		_, err = tx.Exec(ctx, `INSERT INTO winners (raffle_id, email) VALUES ($1, $2)`, raffle, email)
		return err
	})
}
