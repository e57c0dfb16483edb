// Package nested begins transactions in transactions, which upper/db does on
// another connection.
package nested

import "github.com/upper/db/v4"

// Stock is a stock.
type Stock struct{ sess db.Session }

// take takes goods, in a transaction.
func take(sess db.Session, id, n int) error {
	return sess.Tx(func(tx db.Session) error {
		_, err := tx.SQL().Update("stock").Set("n = n - ?", n).Where("id", id).Exec()
		return err
	})
}

// Ship takes the goods beside its own transaction.
func (s *Stock) Ship(id, n int) error {
	return s.sess.Tx(func(tx db.Session) error {
		if err := take(tx, id, n); err != nil { // expect: poolintx
			return err
		}
		_, err := tx.Collection("shipments").Insert(map[string]any{"item": id, "n": n})
		return err
	})
}

// Return begins another transaction on its own.
func (s *Stock) Return(id, n int) error {
	return s.sess.Tx(func(tx db.Session) error {
		if _, err := tx.Collection("returns").Insert(map[string]any{"item": id, "n": n}); err != nil {
			return err
		}
		return tx.Tx(func(tx db.Session) error { // expect: poolintx
			_, err := tx.SQL().Update("stock").Set("n = n + ?", n).Where("id", id).Exec()
			return err
		})
	})
}
