// Package imports loads prices on a connection that it takes from the pool.
package imports

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Price is one line of an import.
type Price struct {
	Item  string
	Cents int
}

// Loader loads prices.
type Loader struct{ pool *pgxpool.Pool }

// NewLoader returns a loader over the pool.
func NewLoader(pool *pgxpool.Pool) *Loader { return &Loader{pool: pool} }

const upsert = `
	INSERT INTO prices (item, cents) VALUES ($1, $2)
	ON CONFLICT (item) DO UPDATE SET cents = excluded.cents`

// Load writes the prices and does not wait for locks. It resets the setting at
// its end, which an error never reaches.
func (l *Loader) Load(ctx context.Context, prices []Price) error {
	conn, err := l.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, `SET lock_timeout = '50ms'`); err != nil { // want "session"
		return err
	}
	for _, p := range prices {
		if _, err := conn.Exec(ctx, upsert, p.Item, p.Cents); err != nil {
			return fmt.Errorf("load %s: %w", p.Item, err)
		}
	}
	_, err = conn.Exec(ctx, `RESET lock_timeout`)
	return err
}

// LoadAndReset resets the setting on every path, and lets go of a connection
// that it cannot reset.
//
//proof:fixes (*Loader).Load
func (l *Loader) LoadAndReset(ctx context.Context, prices []Price) (err error) {
	conn, err := l.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	defer func() {
		clean := context.WithoutCancel(ctx)
		if _, resetErr := conn.Exec(clean, `RESET lock_timeout`); resetErr != nil {
			err = errors.Join(err, resetErr, conn.Conn().Close(clean))
		}
	}()
	if _, err := conn.Exec(ctx, `SET lock_timeout = '50ms'`); err != nil {
		return err
	}
	for _, p := range prices {
		if _, err := conn.Exec(ctx, upsert, p.Item, p.Cents); err != nil {
			return fmt.Errorf("load %s: %w", p.Item, err)
		}
	}
	return nil
}
