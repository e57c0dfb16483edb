// Package data keeps invoices on whichever database the environment names.
package data

import (
	"database/sql"
	"os"

	up "github.com/upper/db/v4"
	"github.com/upper/db/v4/adapter/mysql"
	"github.com/upper/db/v4/adapter/postgresql"
)

// Upper is the database.
var Upper up.Session

// Open opens it.
func Open(pool *sql.DB) {
	switch os.Getenv("DATABASE_TYPE") {
	case "mysql":
		Upper, _ = mysql.New(pool)
	case "postgres":
		Upper, _ = postgresql.New(pool)
	}
}

// Invoice is a row of invoices.
type Invoice struct {
	ID     int    `db:"id,omitempty"`
	Title  string `db:"title"`
	Paid   int    `db:"paid"`
	Booked *bool  `db:"booked,omitempty"`
}

// Table is the table.
func (*Invoice) Table() string { return "invoices" }

// Get reads an invoice.
func (t *Invoice) Get(id int) (*Invoice, error) {
	var one Invoice
	res := Upper.Collection(t.Table()).Find(up.Cond{"id": id})
	if err := res.One(&one); err != nil {
		return nil, err
	}
	return &one, nil
}

// Update writes one.
func (t *Invoice) Update(tx up.Session, m Invoice) error {
	return tx.Collection(t.Table()).Find(m.ID).Update(&m)
}

// Remove removes one.
func (t *Invoice) Remove(id int) error {
	return Upper.Collection(t.Table()).Find(id).Delete()
}
