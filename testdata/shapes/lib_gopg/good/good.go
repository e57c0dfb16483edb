// Package good is a ticket shop on go-pg.
package good

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/go-pg/pg/v10"
	"github.com/go-pg/pg/v10/orm"
)

type Ticket struct {
	tableName struct{} `pg:"tickets"`

	ID     int64 `pg:",pk"`
	Holder string
	Price  int64
}

type Wallet struct {
	ID      int64 `pg:",pk"`
	Balance int64
}

var errSold = errors.New("the ticket is sold")

type Shop struct {
	db   *pg.DB
	mail string
}

func (s *Shop) Buy(ctx context.Context, id int64, who string) error {
	return s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		ticket := &Ticket{ID: id}
		if err := tx.ModelContext(ctx, ticket).WherePK().For("UPDATE").Select(); err != nil {
			return err
		}
		if ticket.Holder != "" {
			return errSold
		}
		ticket.Holder = who
		_, err := tx.ModelContext(ctx, ticket).Column("holder").WherePK().Update()
		return err
	})
}

func (s *Shop) Refund(ctx context.Context, ticket, wallet int64) error {
	return s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		if _, err := tx.ModelContext(ctx, (*Ticket)(nil)).Set("holder = ''").Where("id = ?", ticket).Update(); err != nil {
			return err
		}
		return credit(ctx, tx, wallet)
	})
}

// credit takes what both the pool and a transaction are.
func credit(ctx context.Context, db orm.DB, wallet int64) error {
	_, err := db.ExecContext(ctx, "UPDATE wallets SET balance = balance + 10 WHERE id = ?", wallet)
	return err
}

func (s *Shop) Notify(ctx context.Context, id int64) error {
	tx, err := s.db.BeginContext(ctx)
	if err != nil {
		return err
	}
	defer tx.Close()
	if _, err := tx.Model((*Ticket)(nil)).Set("price = 0").Where("id = ?", id).Update(); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	_, err = http.Post(s.mail, "text/plain", strings.NewReader("free"))
	return err
}

// Settle holds one session for the lock.
func (s *Shop) Settle(ctx context.Context, day int64) error {
	conn := s.db.Conn()
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock(?)", day); err != nil {
		return err
	}
	defer conn.ExecContext(ctx, "SELECT pg_advisory_unlock(?)", day)
	_, err := s.db.ExecContext(ctx, "UPDATE tickets SET price = price WHERE holder <> ''")
	return err
}

func (s *Shop) Pay(ctx context.Context, id, sum int64) error {
	return s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		wallet := new(Wallet)
		if err := tx.ModelContext(ctx, wallet).Where("id = ?", id).For("UPDATE").Select(); err != nil {
			return err
		}
		if wallet.Balance < sum {
			return errors.New("not enough")
		}
		wallet.Balance -= sum
		_, err := tx.ModelContext(ctx, wallet).Column("balance").WherePK().Update()
		return err
	})
}

// A Seat has a key of two columns.
type Seat struct {
	Hall   int64  `pg:"hall, pk"`
	Number int64  `pg:"number, pk"`
	Holder string `pg:"holder"`
	Sold   int64  `pg:"sold,use_zero"`
}

// Swap reads one seat of the hall and writes another.
func (s *Shop) Swap(ctx context.Context, hall, from, to int64) error {
	return s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		seat := &Seat{Hall: hall, Number: from}
		if err := tx.ModelContext(ctx, seat).WherePK().Select(); err != nil {
			return err
		}
		other := &Seat{Hall: hall, Number: to, Sold: seat.Sold + 1}
		_, err := tx.ModelContext(ctx, other).Set("sold = ?sold").WherePK().Update()
		return err
	})
}

// Stand fails where the seat is somebody else's: ExecOne counts by itself.
func (s *Shop) Stand(ctx context.Context, hall, number int64, who string) error {
	_, err := s.db.ExecOneContext(ctx, "UPDATE seats SET holder = '' WHERE hall = ? AND number = ? AND holder = ?", hall, number, who)
	return err
}

// Leave gets the row back by RETURNING.
func (s *Shop) Leave(ctx context.Context, hall, number int64, who string) (*Seat, error) {
	seat := &Seat{Hall: hall, Number: number}
	_, err := s.db.ModelContext(ctx, seat).Set("holder = ''").WherePK().Where("holder = ?", who).Returning("*").Update()
	return seat, err
}

// Move leaves the seats that there are none of: ErrNoRows, whose type is one of
// the library's own, is no failure.
func (s *Shop) Move(ctx context.Context, from, to int64) error {
	return s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		_, err := tx.ModelContext(ctx, (*Seat)(nil)).Where("hall = ?", from).Delete()
		if err != nil && err != pg.ErrNoRows {
			return err
		}
		_, err = tx.ModelContext(ctx, &Seat{Hall: to}).Insert()
		return err
	})
}
