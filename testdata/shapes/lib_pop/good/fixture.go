package good

import (
	"github.com/gobuffalo/pop/v6"
)

// DefaultVoucher returns a voucher that others look for at the same time. It is
// called in a transaction, and so sets a savepoint.
func DefaultVoucher(db *pop.Connection) (*Voucher, error) {
	if err := db.RawQuery("SAVEPOINT default_voucher").Exec(); err != nil {
		return nil, err
	}
	if err := db.RawQuery("LOCK TABLE vouchers IN EXCLUSIVE MODE").Exec(); err != nil {
		return nil, err
	}
	v := &Voucher{}
	if err := db.Where("code = ?", "default").First(v); err != nil {
		v = &Voucher{Code: "default"}
		if err := db.Create(v); err != nil {
			return nil, err
		}
	}
	return v, db.RawQuery("RELEASE SAVEPOINT default_voucher").Exec()
}

// MakeUse makes a use of it.
func MakeUse(db *pop.Connection) error {
	v, err := DefaultVoucher(db)
	if err != nil {
		return err
	}
	return db.RawQuery("INSERT INTO uses (voucher_id) VALUES (?)", v.ID).Exec()
}
