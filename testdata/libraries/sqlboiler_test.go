package libraries_test

import (
	"context"
	"errors"
	"testing"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/internal/proof"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/boilershop"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/boilershop/models"
)

func TestSQLBoiler(t *testing.T) {
	proveShop(t, "boilershop", func(g *gate.DB) shop { return boilershop.New(g.SQL()) })
}

func TestSQLBoilerFeatures(t *testing.T) {
	// Two sessions take a seat each of the opera's ten.
	take := func(name string, take func(s *boilershop.Shop, ctx context.Context) error) {
		proof.Harm(t, "boilershop.(*Shop)."+name, proof.Scenario{Schema: tickets, Run: func(h *gate.H) string {
			one := func(ctx context.Context, db *gate.DB) error { return take(boilershop.New(db.SQL()), ctx) }
			a, b := h.Session("buyer 1", one), h.Session("buyer 2", one)
			if err := errors.Join(h.Race(a, b, "SELECT")); err != nil {
				h.T().Error(err)
			}
			if left := h.Look(`SELECT seats FROM events WHERE title = 'opera'`); left != "8" {
				return "two of 10 seats are taken, and " + left + " are left"
			}
			return ""
		}})
	}
	take("TakeReloaded", func(s *boilershop.Shop, ctx context.Context) error {
		return s.TakeReloaded(ctx, &models.Event{ID: 1}, 1)
	})
	take("TakeBound", func(s *boilershop.Shop, ctx context.Context) error { return s.TakeBound(ctx, 1, 1) })
	take("TakeEach", func(s *boilershop.Shop, ctx context.Context) error { return s.TakeEach(ctx) })
	take("TakeEither", func(s *boilershop.Shop, ctx context.Context) error { return s.TakeEither(ctx, 1, "none") })
}
