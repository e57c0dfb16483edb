package service

import (
	"context"
	"database/sql"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/x08_ignored_where_it_stands/good/offer"
)

type Offers struct {
	db       *sql.DB
	notifier offer.Notifier
}

func New(db *sql.DB, n offer.Notifier) *Offers { return &Offers{db: db, notifier: n} }

func (s *Offers) Accept(ctx context.Context, o offer.Offer) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE offers SET accepted = true WHERE id = $1", o.ID); err != nil {
		return err
	}
	if err := s.notifier.Notify(ctx, o); err != nil { //pgtxvet:ignore externalcall the webhook of the test bench answers at once
		return err
	}
	return tx.Commit()
}
