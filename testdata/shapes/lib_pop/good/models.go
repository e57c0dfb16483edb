package good

import (
	"context"
	"errors"
	"slices"

	"github.com/gobuffalo/pop/v6"
)

// A Voucher is a row of vouchers.
type Voucher struct {
	ID    int64  `db:"id"`
	Code  string `db:"code"`
	Left  int64  `db:"uses_left"`
	Total int64  `db:"total" rw:"r"`
}

// TableName names the table, which depends on the context.
func (Voucher) TableName(ctx context.Context) string {
	if t, ok := ctx.Value(Voucher{}).(string); ok {
		return t
	}
	return "vouchers"
}

// Entitle writes the one column that it is about.
func (s *Invitations) Entitle(id int64, code string) error {
	var v Voucher
	if err := s.db.Find(&v, id); err != nil {
		return err
	}
	v.Code = code
	return s.db.Update(&v, "uses_left")
}

// UpdateOnly leaves out all columns but those that are named.
func (c *Conn) UpdateOnly(model any, columns ...string) error {
	var others []string
	for _, name := range []string{"code", "uses_left"} {
		if !slices.Contains(columns, name) {
			others = append(others, name)
		}
	}
	return c.Update(model, others...)
}

// Recode writes it too.
func (c *Conn) Recode(id int64, code string) error {
	var v Invitation
	if err := c.Find(&v, id); err != nil {
		return err
	}
	v.Uses = 0
	return c.UpdateOnly(&v, "uses_left")
}

// Close looks at the number.
func (s *Invitations) Close(id int64) error {
	n, err := s.db.RawQuery("UPDATE vouchers SET state = 'closed' WHERE id = ? AND state = 'open'", id).ExecWithCount()
	if err == nil && n == 0 {
		err = errors.New("not open")
	}
	return err
}

// Reset does so by a query.
func (s *Invitations) Reset(id int64) error {
	n, err := s.db.Where("id = ? AND state = ?", id, "open").UpdateQuery(&Voucher{Left: 1}, "uses_left")
	if err == nil && n == 0 {
		err = errors.New("not open")
	}
	return err
}

// Count counts in a transaction that locks what it counts.
func (s *Invitations) Count(id int64) error {
	return s.db.Transaction(func(tx *pop.Connection) error {
		inv, err := locked(tx, id)
		if err != nil {
			return err
		}
		inv.Uses++
		return tx.Save(inv)
	})
}
