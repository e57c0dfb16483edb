package libraries_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/internal/proof"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/gormshop"
)

func TestGorm(t *testing.T) {
	proveShop(t, "gormshop", func(g *gate.DB) shop { return gormshop.New(g.Gorm()) })
}

func TestGormVersions(t *testing.T) {
	drafts := func(run func(*gormshop.Drafts, context.Context) error) func(context.Context, *gate.DB) error {
		return func(ctx context.Context, db *gate.DB) error { return run(gormshop.New(db.Gorm()).Drafts(), ctx) }
	}
	entitles := func(entitle func(d *gormshop.Drafts, ctx context.Context, id, seen int, title string) error) proof.Scenario {
		return proof.Scenario{Schema: tickets, Run: func(h *gate.H) string {
			save := func(title string) error {
				return h.Session("editor of "+title, drafts(func(d *gormshop.Drafts, ctx context.Context) error { return entitle(d, ctx, 1, 0, title) })).Finish()
			}
			if err := save("Aida"); err != nil {
				h.T().Error(err)
			}
			second := save("Tosca")
			if title := h.Look(`SELECT title FROM events WHERE id = 1`); second == nil && title != "Tosca" {
				return "both editors are told that their title is saved, and the title is " + title
			}
			return ""
		}}
	}
	proof.Harm(t, "gormshop.(*Drafts).Entitle", entitles((*gormshop.Drafts).Entitle))
	proof.NoHarm(t, "gormshop.(*Drafts).EntitleChecked", entitles((*gormshop.Drafts).EntitleChecked))

	books := func(book func(d *gormshop.Drafts, ctx context.Context, id, n int) error) proof.Scenario {
		return proof.Scenario{Schema: tickets, Run: func(h *gate.H) string {
			a := h.Session("booking of 6", drafts(func(d *gormshop.Drafts, ctx context.Context) error { return book(d, ctx, 1, 6) }))
			b := h.Session("booking of 3", drafts(func(d *gormshop.Drafts, ctx context.Context) error { return book(d, ctx, 1, 3) }))
			if err := errors.Join(h.Race(a, b, "SELECT")); err != nil {
				h.T().Error(err)
			}
			if left := h.Look(`SELECT seats FROM events WHERE id = 1`); left != "1" {
				return fmt.Sprintf("6 and 3 of 10 seats are booked, and %s are left", left)
			}
			return ""
		}}
	}
	proof.Harm(t, "gormshop.(*Drafts).Book", books((*gormshop.Drafts).Book))
	proof.Harm(t, "gormshop.(*Drafts).BookUnversioned", books((*gormshop.Drafts).BookUnversioned))
	proof.NoHarm(t, "gormshop.(*Drafts).BookVersion", books((*gormshop.Drafts).BookVersion))
}
