// Package signup lets people join a club: database/sql, a generic helper that
// runs a function in a transaction, and mail.
package signup

import (
	"context"
	"database/sql"
	"fmt"
	"net/smtp"
)

// InTx runs fn in a transaction and returns what it returns.
func InTx[T any](ctx context.Context, db *sql.DB, fn func(ctx context.Context, tx *sql.Tx) (T, error)) (result T, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return result, err
	}
	defer tx.Rollback()
	if result, err = fn(ctx, tx); err != nil {
		return result, err
	}
	return result, tx.Commit()
}

// Member is a row of members.
type Member struct {
	ID      int64
	Address string
}

// Club is where people join.
type Club struct {
	db       *sql.DB
	mailHost string
	list     int64
}

// NewClub returns a club that sends its mail through the host.
func NewClub(db *sql.DB, mailHost string) *Club {
	return &Club{db: db, mailHost: mailHost, list: 1}
}

// Join adds a member and welcomes it.
func (c *Club) Join(ctx context.Context, address string) (Member, error) {
	return InTx(ctx, c.db, joining{c, address}.addAndWelcome)
}

// joining is one application, so that its steps can be method values.
type joining struct {
	*Club
	address string
}

// addAndWelcome sends the mail while the row of the club's list is locked, which
// everybody who joins needs.
func (j joining) addAndWelcome(ctx context.Context, tx *sql.Tx) (Member, error) {
	m, err := j.add(ctx, tx)
	if err != nil {
		return m, err
	}
	return m, j.welcome(m) // want "transaction open"
}

func (j joining) add(ctx context.Context, tx *sql.Tx) (Member, error) {
	m := Member{Address: j.address}
	if _, err := tx.ExecContext(ctx, `UPDATE lists SET members = members + 1 WHERE id = $1`, j.list); err != nil {
		return m, err
	}
	err := tx.QueryRowContext(ctx, `INSERT INTO members (address) VALUES ($1) RETURNING id`, m.Address).Scan(&m.ID)
	return m, err
}

func (c *Club) welcome(m Member) error {
	body := fmt.Appendf(nil, "Subject: Welcome\r\n\r\nYou are member %d.\r\n", m.ID)
	return smtp.SendMail(c.mailHost, nil, "club@example.org", []string{m.Address}, body)
}

// JoinThenWelcome mails after the commit. A mail that fails is no reason to
// lose the member.
//
//proof:fixes joining.addAndWelcome
func (c *Club) JoinThenWelcome(ctx context.Context, address string) (Member, error) {
	m, err := InTx(ctx, c.db, joining{c, address}.add)
	if err != nil {
		return m, err
	}
	return m, c.welcome(m)
}
