package abortedtx_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"testing"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtxvet/pgtxvet/testdata/abortedtx/devices"
	"github.com/pgtxvet/pgtxvet/testdata/abortedtx/imports"
	"github.com/pgtxvet/pgtxvet/testdata/abortedtx/invites"
	"github.com/pgtxvet/pgtxvet/testdata/abortedtx/invites/postgres"
	"github.com/pgtxvet/pgtxvet/testdata/abortedtx/nightly"
	"github.com/pgtxvet/pgtxvet/testdata/abortedtx/profiles"
	"github.com/pgtxvet/pgtxvet/testdata/abortedtx/shop"
	"github.com/pgtxvet/pgtxvet/testdata/abortedtx/tags"
	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/internal/proof"
)

func TestMain(m *testing.M) { os.Exit(proof.Main(m)) }

func init() { log.SetOutput(io.Discard) }

// aborted reports whether the error says that the transaction was aborted:
// 25P02, or what pgx makes of a COMMIT that PostgreSQL answers with ROLLBACK.
func aborted(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && e.Code == "25P02" || errors.Is(err, pgx.ErrTxCommitRollback)
}

// run is the schedule of one session. What it has done shows in the database:
// look has to give want.
func run(schema, look, want string, fn func(context.Context, *gate.DB) error) proof.Scenario {
	return proof.Scenario{Schema: schema, Run: func(h *gate.H) string {
		h.T().Helper()
		err := h.Session("request", fn).Finish()
		got := h.Look(look)
		switch {
		case aborted(err) && got != want:
			return "nothing is stored: " + err.Error()
		case err != nil || got != want:
			h.T().Errorf("%v; %s gives %s, not %s", err, look, got, want)
		}
		return ""
	}}
}

func TestTags(t *testing.T) {
	const schema = `
		CREATE TABLE tags (name text PRIMARY KEY);
		CREATE TABLE note_tags (note_id bigint, tag text REFERENCES tags);
		INSERT INTO tags VALUES ('old')`
	scenario := func(tag func(n *tags.Notes, ctx context.Context, note int64, tag string) error) proof.Scenario {
		return run(schema, `SELECT count(*) FROM note_tags`, "1", func(ctx context.Context, db *gate.DB) error {
			return tag(tags.NewNotes(db.Pool()), ctx, 1, "old")
		})
	}
	proof.Harm(t, "tags.(*Notes).Tag", scenario((*tags.Notes).Tag))
	proof.NoHarm(t, "tags.(*Notes).TagOrUse", scenario((*tags.Notes).TagOrUse))
	proof.NoHarm(t, "tags.(*Notes).TagFromSavepoint", scenario((*tags.Notes).TagFromSavepoint))
	proof.NoHarm(t, "tags.(*Notes).TagIfNew", run(schema, `SELECT count(*) FROM note_tags`, "0", func(ctx context.Context, db *gate.DB) error {
		isNew, err := tags.NewNotes(db.Pool()).TagIfNew(ctx, 1, "old")
		if isNew {
			t.Error("an old tag is new")
		}
		return err
	}))
}

func TestProfiles(t *testing.T) {
	// The history is full.
	const schema = `
		CREATE TABLE profiles (id bigint PRIMARY KEY, city text NOT NULL);
		CREATE TABLE profile_history (profile_id bigint NOT NULL, city text NOT NULL CHECK (false));
		INSERT INTO profiles VALUES (1, 'Rome')`
	scenario := func(move func(s *profiles.Store, ctx context.Context, id int64, city string) error) proof.Scenario {
		return run(schema, `SELECT city FROM profiles WHERE id = 1`, "Oslo", func(ctx context.Context, db *gate.DB) error {
			return move(profiles.NewStore(db.SQL()), ctx, 1, "Oslo")
		})
	}
	proof.Harm(t, "profiles.(*Store).Move", scenario((*profiles.Store).Move))
	proof.NoHarm(t, "profiles.(*Store).MoveAnyway", scenario((*profiles.Store).MoveAnyway))
	proof.Harm(t, "profiles.(*Store).MoveQuietly", scenario((*profiles.Store).MoveQuietly))
	proof.NoHarm(t, "profiles.(*Store).MoveFirst", scenario((*profiles.Store).MoveFirst))
	proof.NoHarm(t, "profiles.(*Store).Ensure", run(schema, `SELECT city FROM profiles WHERE id = 2`, "nowhere", func(ctx context.Context, db *gate.DB) error {
		_, err := profiles.NewStore(db.SQL()).Ensure(ctx, 2)
		return err
	}))
}

func TestImports(t *testing.T) {
	const schema = `
		CREATE TABLE articles (code text PRIMARY KEY, cents bigint NOT NULL CHECK (cents > 0));
		CREATE TABLE lists (imported int NOT NULL);
		INSERT INTO lists VALUES (0)`
	scenario := func(read func(i *imports.Importer, ctx context.Context, articles []imports.Article) (int, error)) proof.Scenario {
		return run(schema, `SELECT count(*) FROM articles`, "2", func(ctx context.Context, db *gate.DB) error {
			_, err := read(imports.New(db.Gorm()), ctx, []imports.Article{{Code: "a", Cents: 100}, {Code: "b", Cents: -1}, {Code: "c", Cents: 300}})
			return err
		})
	}
	proof.Harm(t, "imports.(*Importer).Import", scenario((*imports.Importer).Import))
	proof.NoHarm(t, "imports.(*Importer).ImportEach", scenario((*imports.Importer).ImportEach))
	proof.NoHarm(t, "imports.(*Importer).ImportMarked", scenario((*imports.Importer).ImportMarked))
	proof.NoHarm(t, "imports.(*Importer).Price", run(schema, `SELECT cents FROM articles`, "500", func(ctx context.Context, db *gate.DB) error {
		return imports.New(db.Gorm()).Price(ctx, "d", 500)
	}))
}

func TestInvites(t *testing.T) {
	const schema = `
		CREATE TABLE people (id bigserial PRIMARY KEY, address text UNIQUE NOT NULL);
		CREATE TABLE invites (person_id bigint NOT NULL REFERENCES people);
		INSERT INTO people (address) VALUES ('ann@example.org')`
	service := func(db *gate.DB) *invites.Service {
		pool := db.Pool()
		return invites.NewService(manager.Must(trmpgx.NewDefaultFactory(pool)), postgres.New(pool))
	}
	scenario := func(invite func(s *invites.Service, ctx context.Context, address string) error) proof.Scenario {
		return run(schema, `SELECT count(*) FROM invites`, "1", func(ctx context.Context, db *gate.DB) error {
			return invite(service(db), ctx, "ann@example.org")
		})
	}
	proof.Harm(t, "invites.(*Service).Invite", scenario((*invites.Service).Invite))
	proof.NoHarm(t, "invites.(*Service).InviteKnown", scenario((*invites.Service).InviteKnown))
	proof.NoHarm(t, "invites.(*Service).InviteOrFind", run(schema, `SELECT count(*) FROM invites`, "0", func(ctx context.Context, db *gate.DB) error {
		id, err := service(db).InviteOrFind(ctx, "ann@example.org")
		if err == nil && id != 1 {
			t.Errorf("ann is number %d", id)
		}
		return err
	}))
}

func TestDevices(t *testing.T) {
	const schema = `
		CREATE TABLE devices (name text PRIMARY KEY, level int NOT NULL);
		CREATE TABLE counters (reports int NOT NULL);
		INSERT INTO devices VALUES ('pump', 1);
		INSERT INTO counters VALUES (0)`
	scenario := func(keep func(r *devices.Registry, ctx context.Context, report devices.Report) error) proof.Scenario {
		return run(schema, `SELECT level FROM devices`, "7", func(ctx context.Context, db *gate.DB) error {
			return keep(devices.NewRegistry(db.SQLX()), ctx, devices.Report{Device: "pump", Level: 7})
		})
	}
	proof.Harm(t, "devices.(*Registry).Keep", scenario((*devices.Registry).Keep))
	proof.NoHarm(t, "devices.(*Registry).KeepEither", scenario((*devices.Registry).KeepEither))
	proof.NoHarm(t, "devices.(*Registry).KeepOutside", scenario((*devices.Registry).KeepOutside))
	proof.NoHarm(t, "devices.(*Registry).Level", run(schema, `SELECT reports FROM counters`, "1", func(ctx context.Context, db *gate.DB) error {
		_, err := devices.NewRegistry(db.SQLX()).Level(ctx, "valve")
		return err
	}))
}

const coupons = `
	CREATE TABLE coupons (code text PRIMARY KEY, uses_left int NOT NULL CHECK (uses_left >= 0));
	CREATE TABLE orders (item text NOT NULL);
	INSERT INTO coupons VALUES ('SPRING', 0)`

func TestShop(t *testing.T) {
	scenario := func(order func(s *shop.Service, ctx context.Context, item, coupon string) error) proof.Scenario {
		return run(coupons, `SELECT count(*) FROM orders`, "1", func(ctx context.Context, db *gate.DB) error {
			return order(shop.NewService(shop.NewStore(db.Pool())), ctx, "lamp", "SPRING")
		})
	}
	proof.Harm(t, "shop.(*Service).Order", scenario((*shop.Service).Order))
	proof.NoHarm(t, "shop.(*Service).OrderAnyway", scenario((*shop.Service).OrderAnyway))
}

func TestRedeem(t *testing.T) {
	scenario := func(redeem func(s *shop.Service, ctx context.Context, item, coupon string) error) proof.Scenario {
		return proof.Scenario{Schema: coupons, Run: func(h *gate.H) string {
			err := h.Session("request", func(ctx context.Context, db *gate.DB) error {
				return redeem(shop.NewService(shop.NewStore(db.Pool())), ctx, "lamp", "SPRING")
			}).Finish()
			if n := h.Look(`SELECT count(*) FROM orders`); n != "0" || err == nil {
				t.Errorf("%s orders: %v", n, err)
			}
			if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == "23514" {
				return "" // the caller knows
			}
			return fmt.Sprintf("the order is lost, and the caller is not told why: %v", err)
		}}
	}
	proof.Harm(t, "shop.(*Service).Redeem", scenario((*shop.Service).Redeem))
	proof.NoHarm(t, "shop.(*Service).RedeemWhole", scenario((*shop.Service).RedeemWhole))
}

func TestNightly(t *testing.T) {
	const schema = `
		CREATE TABLE subscriptions (id bigint PRIMARY KEY, charged int NOT NULL);
		CREATE TABLE thanks (subscription_id bigint PRIMARY KEY);
		INSERT INTO subscriptions VALUES (1, 0), (2, 0), (3, 0);
		INSERT INTO thanks VALUES (1)`
	charge := func(charge func(b *nightly.Biller, ctx context.Context, id int64) error) proof.Scenario {
		return proof.Scenario{Schema: schema, Run: func(h *gate.H) string {
			err := h.Session("biller", func(ctx context.Context, db *gate.DB) error {
				return charge(nightly.NewBiller(db.Pool()), ctx, 1)
			}).Finish()
			if err != nil {
				t.Error(err)
			}
			if n := h.Look(`SELECT charged FROM subscriptions WHERE id = 1`); n != "1" {
				return "the caller is told that all went well, and nothing is charged"
			}
			return ""
		}}
	}
	proof.Harm(t, "nightly.(*Biller).Charge", charge((*nightly.Biller).Charge))
	proof.NoHarm(t, "nightly.(*Biller).ChargeOnly", charge((*nightly.Biller).ChargeOnly))

	all := func(all func(b *nightly.Biller, ctx context.Context, ids []int64) error) proof.Scenario {
		return proof.Scenario{Schema: schema, Run: func(h *gate.H) string {
			editor := h.Session("editor", func(ctx context.Context, db *gate.DB) error {
				return pgx.BeginFunc(ctx, db.Pool(), func(tx pgx.Tx) error {
					_, err := tx.Exec(ctx, `UPDATE subscriptions SET charged = charged WHERE id = 2`)
					return err
				})
			})
			editor.StepPast("UPDATE")
			err := h.Session("biller", func(ctx context.Context, db *gate.DB) error {
				return all(nightly.NewBiller(db.Pool()), ctx, []int64{1, 2, 3})
			}).Finish()
			if err := editor.Finish(); err != nil {
				t.Error(err)
			}
			charged := strings.Join(h.Rows(`SELECT id FROM subscriptions WHERE charged > 0 ORDER BY id`), ", ")
			switch {
			case aborted(err):
				return "one row of three is held, and none is charged: " + err.Error()
			case err != nil || charged != "1, 3":
				t.Errorf("%v; %s are charged", err, charged)
			}
			return ""
		}}
	}
	proof.Harm(t, "nightly.(*Biller).Run", all((*nightly.Biller).Run))
	proof.NoHarm(t, "nightly.(*Biller).RunPast", all((*nightly.Biller).RunPast))
}

// TestCommitOfAborted records what the ways to commit say about a transaction
// that PostgreSQL has aborted: the drivers look at the command tag, and who
// sends COMMIT as text has to look himself.
func TestCommitOfAborted(t *testing.T) {
	const fails = `INSERT INTO full_table VALUES (1)`
	said := map[string]error{}
	h := gate.New(t, `CREATE TABLE full_table (n int CHECK (false))`)
	s := h.Session("A", func(ctx context.Context, db *gate.DB) error {
		ptx, err := db.Pool().Begin(ctx)
		if err != nil {
			return err
		}
		ptx.Exec(ctx, fails)
		said["pgx"] = ptx.Commit(ctx)

		stx, err := db.SQL().BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		stx.ExecContext(ctx, fails)
		said["database/sql"] = stx.Commit()

		gtx := db.Gorm().WithContext(ctx).Begin()
		gtx.Exec(fails)
		said["gorm"] = gtx.Commit().Error

		conn, err := db.SQL().Conn(ctx)
		if err != nil {
			return err
		}
		defer conn.Close()
		conn.ExecContext(ctx, "BEGIN")
		conn.ExecContext(ctx, fails)
		_, said["text"] = conn.ExecContext(ctx, "COMMIT")
		return nil
	})
	if err := s.Finish(); err != nil {
		t.Fatal(err)
	}
	for _, way := range []string{"pgx", "database/sql", "gorm"} {
		if !errors.Is(said[way], pgx.ErrTxCommitRollback) {
			t.Errorf("%s: %v", way, said[way])
		}
	}
	if said["text"] != nil {
		t.Errorf("COMMIT as text: %v", said["text"])
	}
}
