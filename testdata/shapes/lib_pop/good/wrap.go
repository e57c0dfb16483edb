package good

import (
	"context"

	"github.com/gobuffalo/pop/v6"
)

// A Conn is Pop's connection with a name.
type Conn struct {
	*pop.Connection
	name string
}

func Dial(env string) (*Conn, error) {
	db, err := pop.Connect(env)
	if err != nil {
		return nil, err
	}
	return &Conn{Connection: db, name: env}, nil
}

func (c *Conn) Copy() *Conn {
	cpy := *c
	return &cpy
}

func (c *Conn) WithContext(ctx context.Context) *Conn {
	cpy := c.Copy()
	cpy.Connection = cpy.Connection.WithContext(ctx)
	return cpy
}

// Transaction uses the transaction that is open, if there is one.
func (c *Conn) Transaction(fn func(*Conn) error) error {
	if c.TX == nil {
		return c.Connection.Transaction(func(tx *pop.Connection) error {
			conn := c.Copy()
			conn.Connection = tx
			return fn(conn)
		})
	}
	return fn(c)
}

func lockConn(tx *Conn, id int64) (*Invitation, error) {
	inv := new(Invitation)
	err := tx.RawQuery("SELECT * FROM invitations WHERE id = ? FOR UPDATE", id).First(inv)
	return inv, err
}

// Use locks the row in a transaction.
func Use(ctx context.Context, id int64) error {
	db, err := Dial("production")
	if err != nil {
		return err
	}
	return db.WithContext(ctx).Transaction(func(tx *Conn) error {
		inv, err := lockConn(tx, id)
		if err != nil {
			return err
		}
		inv.Uses--
		return tx.UpdateColumns(inv, "uses")
	})
}
