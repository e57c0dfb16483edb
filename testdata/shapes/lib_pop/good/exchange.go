package good

import (
	"crypto/rand"
)

// An Exchange is a row of exchanges: a code for one flow of one tenant.
type Exchange struct {
	ID     int64  `db:"id"`
	Tenant string `db:"tenant"`
	Flow   string `db:"flow"`
	Code   string `db:"code"`
}

func (s *Invitations) exchange(tenant, flow string) (*Exchange, error) {
	var x Exchange
	err := s.db.Where("tenant = ? AND flow = ?", tenant, flow).First(&x)
	return &x, err
}

func (s *Invitations) open(tenant, flow string) (*Exchange, error) {
	x := &Exchange{Tenant: tenant, Flow: flow, Code: rand.Text()}
	return x, s.db.Create(x)
}

// Continue begins another flow where there is nothing to go on with.
func (s *Invitations) Continue(tenant, flow string) (*Exchange, error) {
	x, err := s.exchange(tenant, flow)
	if err != nil {
		return s.open(tenant, rand.Text())
	}
	return x, nil
}
