// Package nested begins one transaction at a time.
package nested

import "github.com/upper/db/v4"

// Stock is a stock.
type Stock struct{ sess db.Session }

func take(sess db.Session, id, n int) error {
	return sess.Tx(func(tx db.Session) error {
		_, err := tx.SQL().Update("stock").Set("n = n - ?", n).Where("id", id).Exec()
		return err
	})
}

// Ship takes the goods before its own transaction.
func (s *Stock) Ship(id, n int) error {
	if err := take(s.sess, id, n); err != nil {
		return err
	}
	return s.sess.Tx(func(tx db.Session) error {
		_, err := tx.Collection("shipments").Insert(map[string]any{"item": id, "n": n})
		return err
	})
}
