package bad

import (
	"context"
	"time"

	"github.com/gobuffalo/pop/v6"
)

// A Voucher is a row of vouchers.
type Voucher struct {
	ID        int64     `db:"id"`
	Code      string    `db:"code"`
	Left      int64     `db:"uses_left"`
	CreatedAt time.Time `db:"created_at"`
	UpdatedAt time.Time `db:"updated_at"`
	Log       []Use     `has_many:"uses"`
}

// TableName names the table, whatever the context says.
func (Voucher) TableName(context.Context) string { return "vouchers" }

// A Use is a row of uses.
type Use struct {
	ID        int64 `db:"id"`
	VoucherID int64 `db:"voucher_id"`
}

func withCode(code string) pop.ScopeFunc {
	return func(q *pop.Query) *pop.Query { return q.Where("code = ?", code) }
}

// Use saves what it has read, by a query that is built step by step.
func (s *Invitations) Use(code string, newest bool) error {
	q := s.db.Scope(withCode(code))
	if newest {
		q.Order("created_at DESC")
	}
	var v Voucher
	if err := q.First(&v); err != nil {
		return err
	}
	v.Left--
	return s.db.Save(&v, "code") // expect: lostupdate
}

// Issue makes a voucher where there is none.
func (s *Invitations) Issue(code string) error {
	there, err := s.db.Where("code = ?", code).Exists(&Voucher{})
	if err != nil || there {
		return err
	}
	return s.db.Create(&Voucher{Code: code, Left: 1}) // expect: lostupdate
}

// Limit makes no more than ten.
func (s *Invitations) Limit(code string) error {
	n, err := s.db.Where("code = ? AND uses_left > 0", code).Count(&Voucher{})
	if err != nil || n >= 10 {
		return err
	}
	return s.db.Save(&Voucher{Code: code, Left: 1}) // expect: lostupdate
}

// Close closes a voucher that is open, if it is.
func (s *Invitations) Close(id int64) error {
	return s.db.RawQuery("UPDATE vouchers SET state = 'closed' WHERE id = ? AND state = 'open'", id).Exec() // expect: rowsaffected
}
