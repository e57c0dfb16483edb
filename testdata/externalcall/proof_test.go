package externalcall_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"os"
	"strings"
	"testing"
	"time"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"

	"github.com/pgtxvet/pgtxvet/testdata/externalcall/documents"
	"github.com/pgtxvet/pgtxvet/testdata/externalcall/labels"
	"github.com/pgtxvet/pgtxvet/testdata/externalcall/orders"
	"github.com/pgtxvet/pgtxvet/testdata/externalcall/orders/payapi"
	"github.com/pgtxvet/pgtxvet/testdata/externalcall/orders/postgres"
	"github.com/pgtxvet/pgtxvet/testdata/externalcall/payments"
	"github.com/pgtxvet/pgtxvet/testdata/externalcall/signup"
	"github.com/pgtxvet/pgtxvet/testdata/externalcall/stores"
	"github.com/pgtxvet/pgtxvet/testdata/externalcall/tickets"
	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/internal/proof"
)

func TestMain(m *testing.M) { os.Exit(proof.Main(m)) }

// during stops the caller where label says, changes the row that it may have
// locked from another session, and returns the harm if that session waits.
func during(h *gate.H, label, name string, fn func(context.Context, *gate.DB) error, change string) string {
	h.T().Helper()
	caller := h.Session(name, fn)
	caller.StepUntil(label)
	other := h.Session("another session", func(ctx context.Context, db *gate.DB) error {
		_, err := db.Pool().Exec(ctx, change)
		return err
	})
	waits := other.Run()
	if err := errors.Join(caller.Finish(), other.Finish()); err != nil {
		h.T().Error(err)
	}
	if waits {
		return "another session waits for the row for as long as " + label
	}
	return ""
}

// server answers each request when the schedule lets it.
func server(ctx context.Context, label, answer string) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		gate.Point(ctx, label)
		io.WriteString(w, answer)
	}))
}

const shop = `
	CREATE TABLE items (name text PRIMARY KEY, quantity int NOT NULL, cents bigint NOT NULL);
	CREATE TABLE orders (id bigserial PRIMARY KEY, item text NOT NULL, cents bigint NOT NULL, receipt text);
	INSERT INTO items VALUES ('lamp', 5, 4900)`

func TestOrders(t *testing.T) {
	const working = "the payment provider works"
	service := func(db *gate.DB, url string) *orders.Service {
		pool := db.Pool()
		tx := manager.Must(trmpgx.NewDefaultFactory(pool))
		return orders.NewService(tx, postgres.NewOrders(pool), payapi.NewClient(url, http.DefaultClient))
	}
	scenario := func(place func(s *orders.Service, ctx context.Context, item string) (int64, error)) proof.Scenario {
		return proof.Scenario{Schema: shop, Run: func(h *gate.H) string {
			harm := during(h, working, "customer", func(ctx context.Context, db *gate.DB) error {
				srv := server(ctx, working, "receipt 1")
				defer srv.Close()
				_, err := place(service(db, srv.URL), ctx, "lamp")
				return err
			}, `UPDATE items SET quantity = quantity + 10 WHERE name = 'lamp'`)
			if receipt := h.Value(`SELECT receipt FROM orders`); receipt != "receipt 1" {
				t.Errorf("receipt %q", receipt)
			}
			return harm
		}}
	}
	proof.Harm(t, "orders.(*Service).Place", scenario((*orders.Service).Place))
	proof.NoHarm(t, "orders.(*Service).PlaceThenCharge", scenario((*orders.Service).PlaceThenCharge))

	proof.NoHarm(t, "orders.(*Service).Preview", proof.Scenario{Schema: shop, Run: func(h *gate.H) string {
		s := h.Session("customer", func(ctx context.Context, db *gate.DB) error {
			srv := server(ctx, working, "receipt 1")
			defer srv.Close()
			_, err := service(db, srv.URL).Preview(ctx, "lamp")
			return err
		})
		if err := s.Finish(); err != nil {
			t.Error(err)
		}
		if strings.Contains(h.Timeline().Transcript(), working) {
			return "the request went out"
		}
		return ""
	}})
}

// mailServer takes mails one after the other, each when the schedule lets it.
func mailServer(ctx context.Context, t *testing.T, label string) (address string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	serve := func(conn *textproto.Conn) error {
		defer conn.Close()
		if err := conn.PrintfLine("220 ready"); err != nil {
			return err
		}
		for {
			line, err := conn.ReadLine()
			if err != nil {
				return err
			}
			answer := "250 ok"
			switch verb, _, _ := strings.Cut(line, " "); verb {
			case "DATA":
				if err := conn.PrintfLine("354 go on"); err != nil {
					return err
				}
				if _, err := conn.ReadDotBytes(); err != nil {
					return err
				}
				gate.Point(ctx, label)
			case "QUIT":
				return conn.PrintfLine("221 bye")
			}
			if err := conn.PrintfLine("%s", answer); err != nil {
				return err
			}
		}
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			if err := serve(textproto.NewConn(conn)); err != nil {
				t.Error(err)
			}
		}
	}()
	return listener.Addr().String()
}

func TestSignup(t *testing.T) {
	const working = "the mail server works"
	scenario := func(join func(c *signup.Club, ctx context.Context, address string) (signup.Member, error)) proof.Scenario {
		return proof.Scenario{
			Schema: `
				CREATE TABLE lists (id bigint PRIMARY KEY, members int NOT NULL);
				CREATE TABLE members (id bigserial PRIMARY KEY, address text NOT NULL);
				INSERT INTO lists VALUES (1, 0)`,
			Run: func(h *gate.H) string {
				return during(h, working, "new member", func(ctx context.Context, db *gate.DB) error {
					_, err := join(signup.NewClub(db.SQL(), mailServer(ctx, t, working)), ctx, "ann@example.org")
					return err
				}, `UPDATE lists SET members = members + 1 WHERE id = 1`)
			},
		}
	}
	proof.Harm(t, "signup.joining.addAndWelcome", scenario((*signup.Club).Join))
	proof.NoHarm(t, "signup.(*Club).JoinThenWelcome", scenario((*signup.Club).JoinThenWelcome))
}

func TestTickets(t *testing.T) {
	const working = "the hook's server works"
	scenario := func(shut func(d *tickets.Desk, ctx context.Context, id int64) error) proof.Scenario {
		return proof.Scenario{
			Schema: `CREATE TABLE tickets (id bigint PRIMARY KEY, closed bool NOT NULL, note text); INSERT INTO tickets VALUES (1, false)`,
			Run: func(h *gate.H) string {
				return during(h, working, "agent", func(ctx context.Context, db *gate.DB) error {
					srv := server(ctx, working, "")
					defer srv.Close()
					return shut(tickets.NewDesk(db.Gorm(), tickets.Hook(srv.URL)), ctx, 1)
				}, `UPDATE tickets SET note = 'thanks' WHERE id = 1`)
			},
		}
	}
	proof.Harm(t, "tickets.(*Desk).Close", scenario((*tickets.Desk).Close))
	proof.NoHarm(t, "tickets.(*Desk).CloseThenTell", scenario((*tickets.Desk).CloseThenTell))
	proof.Harm(t, "tickets.(*Desk).CloseAndTellAll", scenario((*tickets.Desk).CloseAndTellAll))
	proof.NoHarm(t, "tickets.(*Desk).CloseThenTellAll", scenario((*tickets.Desk).CloseThenTellAll))
}

// slowly is a reader that comes to its end when the schedule lets it.
type slowly struct {
	ctx   context.Context
	label string
	text  *bytes.Reader
}

func (s *slowly) Read(p []byte) (int, error) {
	if s.text.Len() == 0 {
		return 0, io.EOF
	}
	gate.Point(s.ctx, s.label)
	return s.text.Read(p)
}

func TestLabels(t *testing.T) {
	const working = "the printer waits for paper"
	scenario := func(print func(p *labels.Printer, ctx context.Context, id int64, draw func(labels.Shipment) io.Reader) error) proof.Scenario {
		return proof.Scenario{
			Schema: `
				CREATE TABLE shipments (id bigint PRIMARY KEY, address text NOT NULL, claimed bool NOT NULL, printed bool NOT NULL);
				INSERT INTO shipments VALUES (1, 'Main Street 1', false, false)`,
			Run: func(h *gate.H) string {
				harm := during(h, working, "worker", func(ctx context.Context, db *gate.DB) error {
					return print(labels.NewPrinter(db.SQLX(), "cat"), ctx, 1, func(s labels.Shipment) io.Reader {
						return &slowly{ctx, working, bytes.NewReader([]byte(s.Address))}
					})
				}, `UPDATE shipments SET address = 'Main Street 2' WHERE id = 1`)
				if printed := h.Value(`SELECT printed FROM shipments`); printed != "t" {
					t.Error("not printed")
				}
				return harm
			},
		}
	}
	proof.Harm(t, "labels.(*Printer).Print", scenario((*labels.Printer).Print))
	proof.NoHarm(t, "labels.(*Printer).PrintBetween", scenario((*labels.Printer).PrintBetween))
}

func TestPayments(t *testing.T) {
	scenario := func(pay func(p *payments.Payments, ctx context.Context, id int64) error) proof.Scenario {
		return proof.Scenario{
			Schema: `CREATE TABLE payments (id bigint PRIMARY KEY, state text, confirmed bool NOT NULL); INSERT INTO payments VALUES (1, 'new', false)`,
			Run: func(h *gate.H) string {
				customer := h.Session("customer", func(ctx context.Context, db *gate.DB) error {
					return pay(payments.New(db.Pool(), time.Millisecond), ctx, 1)
				})
				customer.StepPast("SELECT confirmed")
				provider := h.Session("provider", func(ctx context.Context, db *gate.DB) error {
					return payments.New(db.Pool(), 0).Confirm(ctx, 1)
				})
				waits := provider.Run()
				err := customer.Finish()
				if err := provider.Finish(); err != nil {
					t.Error(err)
				}
				switch {
				case waits && errors.Is(err, payments.ErrPending):
					return "the provider cannot confirm while the customer waits for the confirmation"
				case waits || err != nil:
					t.Errorf("the provider waits: %t; the customer: %v", waits, err)
				}
				return ""
			},
		}
	}
	proof.Harm(t, "payments.(*Payments).Pay", scenario((*payments.Payments).Pay))
	proof.NoHarm(t, "payments.(*Payments).PayInTurns", scenario((*payments.Payments).PayInTurns))
	proof.Harm(t, "payments.(*Payments).PayOrWait", scenario((*payments.Payments).PayOrWait))
	proof.NoHarm(t, "payments.(*Payments).PayAndWait", scenario((*payments.Payments).PayAndWait))
}

func TestStores(t *testing.T) {
	const working = "the geocoder works"
	const schema = `
		CREATE TABLE shops (id bigint PRIMARY KEY, address text NOT NULL, lat float8, lon float8);
		CREATE TABLE jobs (id bigserial PRIMARY KEY, kind text NOT NULL, args jsonb NOT NULL);
		INSERT INTO shops VALUES (1, 'Main Street 1')`
	service := func(ctx context.Context, db *gate.DB) (*stores.Service, func()) {
		srv := server(ctx, working, `{"lat": 52.5, "lon": 13.4}`)
		return stores.NewService(stores.NewStore(db.Pool()), stores.NewGeocoder(srv.URL)), srv.Close
	}
	scenario := func(move func(s *stores.Service, ctx context.Context, shop int64, address string) error) proof.Scenario {
		return proof.Scenario{Schema: schema, Run: func(h *gate.H) string {
			return during(h, working, "owner", func(ctx context.Context, db *gate.DB) error {
				s, done := service(ctx, db)
				defer done()
				return move(s, ctx, 1, "Main Street 2")
			}, `UPDATE shops SET lat = NULL WHERE id = 1`)
		}}
	}
	proof.Harm(t, "stores.(*Service).Move", scenario((*stores.Service).Move))
	proof.NoHarm(t, "stores.(*Service).AskThenMove", scenario((*stores.Service).AskThenMove))

	proof.NoHarm(t, "stores.(*Service).MoveLater", proof.Scenario{Schema: schema, Run: func(h *gate.H) string {
		s := h.Session("owner", func(ctx context.Context, db *gate.DB) error {
			s, done := service(ctx, db)
			defer done()
			return s.MoveLater(ctx, 1, "Main Street 2")
		})
		if err := s.Finish(); err != nil {
			t.Error(err)
		}
		if n := h.Look(`SELECT count(*) FROM jobs`); n != "1" {
			return n + " jobs are queued"
		}
		return ""
	}})
}

func TestDocuments(t *testing.T) {
	const working = "the client sends its document"
	scenario := func(put func(h *documents.Handler, w http.ResponseWriter, r *http.Request)) proof.Scenario {
		return proof.Scenario{
			Schema: `
				CREATE TABLE documents (name text PRIMARY KEY, version int NOT NULL);
				CREATE TABLE versions (name text NOT NULL, version int NOT NULL, body bytea NOT NULL);
				INSERT INTO documents VALUES ('plan', 1)`,
			Run: func(h *gate.H) string {
				return during(h, working, "request", func(ctx context.Context, db *gate.DB) error {
					body := &slowly{ctx, working, bytes.NewReader([]byte("the plan"))}
					r := httptest.NewRequestWithContext(ctx, http.MethodPut, "/documents/plan", body)
					r.SetPathValue("name", "plan")
					w := httptest.NewRecorder()
					put(documents.NewHandler(db.Pool()), w, r)
					if w.Code != http.StatusOK {
						return fmt.Errorf("status %d", w.Code)
					}
					return nil
				}, `UPDATE documents SET version = 10 WHERE name = 'plan'`)
			},
		}
	}
	proof.Harm(t, "documents.(*Handler).Put", scenario((*documents.Handler).Put))
	proof.NoHarm(t, "documents.(*Handler).PutRead", scenario((*documents.Handler).PutRead))
}
