// Package money reckons.
package money

import "database/sql/driver"

type Money struct{ cents int64 }

func Of(cents int64) Money { return Money{cents} }

func (m Money) Sub(n Money) Money { return Money{m.cents - n.cents} }

func (m Money) LessThan(n Money) bool { return m.cents < n.cents }

func (m Money) Value() (driver.Value, error) { return m.cents, nil }

func (m *Money) Scan(v any) error {
	m.cents, _ = v.(int64)
	return nil
}

func Round(m Money, to int64) Money { return Money{m.cents / to * to} }
