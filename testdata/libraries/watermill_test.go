package libraries_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	wsql "github.com/ThreeDotsLabs/watermill-sql/v4/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/internal/proof"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/watermillshop"
)

func TestWatermill(t *testing.T) {
	pair := func(bad, good string, scenario func(good bool) proof.Scenario) {
		harm, noHarm := scenario(false), scenario(true)
		harm.Schema, noHarm.Schema = tickets+watermillSchema(t), tickets+watermillSchema(t)
		proof.Harm(t, "watermillshop.(*Shop)."+bad, harm)
		proof.NoHarm(t, "watermillshop.(*Shop)."+good, noHarm)
	}
	pair("Buy", "BuyInTx", watermillBuys)
	pair("Publish", "PublishAfter", watermillPublishes)
	pair("Rename", "RenameInTx", watermillRenames)
	pair("Add", "AddOnce", watermillAdds)
	pair("Save", "SaveChecked", watermillSaves)
	pair("Sell", "SellLocked", watermillSells)
	pair("Sweep", "SweepInTx", watermillSweeps)
}

// watermillSchema is the table of the topic.
func watermillSchema(t *testing.T) string {
	t.Helper()
	queries, err := wsql.DefaultPostgreSQLSchema{InitializeSchemaWithoutTransaction: true}.SchemaInitializingQueries(
		wsql.SchemaInitializingQueriesParams{Topic: watermillshop.Mails})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, q := range queries {
		b.WriteString(";\n" + strings.TrimRight(q.Query, "; \n\t"))
	}
	return b.String()
}

func watermillShop(db *gate.DB) *watermillshop.Shop {
	s, err := watermillshop.New(db.SQL())
	if err != nil {
		panic(err) // the configuration is complete
	}
	return s
}

// watermillSale is a message as a handler gets it.
func watermillSale(ctx context.Context, sale watermillshop.Sale) (*message.Message, error) {
	payload, err := json.Marshal(sale)
	msg := message.NewMessage("1", payload)
	msg.SetContext(ctx)
	return msg, err
}

const watermillMails = `SELECT count(*) FROM watermill_mails`

// watermillBuys is buys.
func watermillBuys(good bool) proof.Scenario {
	return proof.Scenario{Run: func(h *gate.H) string {
		buy := func(n int) func(context.Context, *gate.DB) error {
			return func(ctx context.Context, db *gate.DB) error {
				if good {
					return watermillShop(db).BuyInTx(ctx, 1, n)
				}
				return watermillShop(db).Buy(ctx, 1, n)
			}
		}
		a, b := h.Session("buyer of 6", buy(6)), h.Session("buyer of 3", buy(3))
		errA, errB := h.Race(a, b, "FOR UPDATE")
		if left := h.Look(`SELECT seats FROM events WHERE id = 1`); errA != nil || errB != nil || left != "1" {
			return fmt.Sprintf("6 and 3 of 10 tickets were sold, and %s are left", left)
		}
		return ""
	}}
}

// watermillPublishes is publishes.
func watermillPublishes(good bool) proof.Scenario {
	const answers = "the partner answers"
	return proof.Scenario{Run: func(h *gate.H) string {
		caller := h.Session("request", func(ctx context.Context, db *gate.DB) error {
			partner := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { gate.Point(ctx, answers) }))
			defer partner.Close()
			if good {
				return watermillShop(db).PublishAfter(ctx, 1, partner.URL)
			}
			return watermillShop(db).Publish(ctx, 1, partner.URL)
		})
		caller.StepUntil(answers)
		other := h.Session("another request", func(ctx context.Context, db *gate.DB) error {
			_, err := db.Pool().Exec(ctx, `UPDATE events SET seats = seats + 1 WHERE id = 1`)
			return err
		})
		waits := other.Run()
		if err := errors.Join(caller.Finish(), other.Finish()); err != nil {
			h.T().Error(err)
		}
		if waits {
			return "another request waits for the event until the partner answers"
		}
		return ""
	}}
}

// watermillRenames gives an event the title of another, which fails.
func watermillRenames(good bool) proof.Scenario {
	return proof.Scenario{Run: func(h *gate.H) string {
		s := h.Session("request", func(ctx context.Context, db *gate.DB) error {
			if good {
				return watermillShop(db).RenameInTx(ctx, 1, "ballet")
			}
			return watermillShop(db).Rename(ctx, 1, "ballet")
		})
		if err := s.Finish(); err == nil {
			h.T().Error("two events have one title")
		}
		if n := h.Look(watermillMails); n != "0" {
			return "the new title is rolled back, and a message says that it is there"
		}
		return ""
	}}
}

// watermillAdds adds an event that is there.
func watermillAdds(good bool) proof.Scenario {
	return proof.Scenario{Run: func(h *gate.H) string {
		s := h.Session("request", func(ctx context.Context, db *gate.DB) error {
			if good {
				return watermillShop(db).AddOnce(ctx, "ballet")
			}
			return watermillShop(db).Add(ctx, "ballet")
		})
		err := s.Finish()
		if n := h.Look(watermillMails); n != "1" || err != nil {
			return fmt.Sprintf("the event is there, and there are %s messages about its poster: %v", n, err)
		}
		return ""
	}}
}

// watermillSaves has two people save what they have made of one version.
func watermillSaves(good bool) proof.Scenario {
	return proof.Scenario{Run: func(h *gate.H) string {
		save := func(title string) error {
			return h.Session("editor of "+title, func(ctx context.Context, db *gate.DB) error {
				if good {
					return watermillShop(db).SaveChecked(ctx, 1, 0, title)
				}
				return watermillShop(db).Save(ctx, 1, 0, title)
			}).Finish()
		}
		first, second := save("Aida"), save("Tosca")
		if first != nil {
			h.T().Error(first)
		}
		if n := h.Look(watermillMails); second == nil && n == "2" {
			return "two messages say that a title is saved, and one is"
		}
		return ""
	}}
}

// watermillSells has two handlers take 6 and 3 of 10 seats.
func watermillSells(good bool) proof.Scenario {
	return proof.Scenario{Run: func(h *gate.H) string {
		handle := func(n int) func(context.Context, *gate.DB) error {
			return func(ctx context.Context, db *gate.DB) error {
				msg, err := watermillSale(ctx, watermillshop.Sale{Event: 1, Seats: n})
				switch {
				case err != nil:
					return err
				case good:
					return watermillShop(db).SellLocked(msg)
				}
				return watermillShop(db).Sell(msg)
			}
		}
		a, b := h.Session("message about 6", handle(6)), h.Session("message about 3", handle(3))
		errA, errB := h.Race(a, b, "SELECT seats")
		if err := errors.Join(errA, errB); err != nil {
			h.T().Error(err)
		}
		if left := h.Look(`SELECT seats FROM events WHERE id = 1`); left != "1" {
			return fmt.Sprintf("6 and 3 of 10 seats are sold, and %s are left", left)
		}
		return ""
	}}
}

// watermillSweeps has a second process sweep after the first.
func watermillSweeps(good bool) proof.Scenario {
	return proof.Scenario{Run: func(h *gate.H) string {
		sweep := func(ctx context.Context, db *gate.DB) error {
			msg, err := watermillSale(ctx, watermillshop.Sale{})
			switch {
			case err != nil:
				return err
			case good:
				return watermillShop(db).SweepInTx(msg)
			}
			return watermillShop(db).Sweep(msg)
		}
		if err := h.Session("process 1", sweep).Finish(); err != nil {
			h.T().Error(err)
		}
		if h.Session("process 2", sweep).Run() {
			return "the message is handled, the lock is still held, and another process waits for ever"
		}
		return ""
	}}
}
