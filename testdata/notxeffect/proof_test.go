package notxeffect_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/internal/proof"
	"github.com/pgtxvet/pgtxvet/testdata/notxeffect/audit"
	"github.com/pgtxvet/pgtxvet/testdata/notxeffect/badges"
	badgespg "github.com/pgtxvet/pgtxvet/testdata/notxeffect/badges/postgres"
	"github.com/pgtxvet/pgtxvet/testdata/notxeffect/branches"
	"github.com/pgtxvet/pgtxvet/testdata/notxeffect/clinics"
	clinicspg "github.com/pgtxvet/pgtxvet/testdata/notxeffect/clinics/postgres"
	"github.com/pgtxvet/pgtxvet/testdata/notxeffect/export"
	"github.com/pgtxvet/pgtxvet/testdata/notxeffect/invoices"
	"github.com/pgtxvet/pgtxvet/testdata/notxeffect/shifts"
)

func TestMain(m *testing.M) { os.Exit(proof.Main(m)) }

func TestAudit(t *testing.T) {
	scenario := func(raise func(p *audit.Payroll, ctx context.Context, actor, person string, amount int) error) proof.Scenario {
		return proof.Scenario{
			Schema: `
				CREATE TABLE salaries (person text PRIMARY KEY, amount int);
				CREATE TABLE salary_log (actor text, person text, amount int);
				CREATE FUNCTION log_salary() RETURNS trigger LANGUAGE plpgsql AS $$
				BEGIN
					INSERT INTO salary_log VALUES (nullif(current_setting('app.actor', true), ''), NEW.person, NEW.amount);
					RETURN NEW;
				END $$;
				CREATE TRIGGER log_salary AFTER UPDATE ON salaries FOR EACH ROW EXECUTE FUNCTION log_salary();
				INSERT INTO salaries VALUES ('kim', 100)`,
			Run: func(h *gate.H) string {
				s := h.Session("request", func(ctx context.Context, db *gate.DB) error {
					return raise(audit.NewPayroll(db.Pool()), ctx, "lee", "kim", 120)
				})
				if err := s.Finish(); err != nil {
					t.Error(err)
				}
				if actor := h.Look(`SELECT coalesce(actor, 'nobody') FROM salary_log`); actor != "lee" {
					return "lee raised the salary, and the log says " + actor + " did"
				}
				return ""
			},
		}
	}
	proof.Harm(t, "audit.(*Payroll).Raise", scenario((*audit.Payroll).Raise))
	proof.NoHarm(t, "audit.(*Payroll).RaiseInTx", scenario((*audit.Payroll).RaiseInTx))
}

func TestBranches(t *testing.T) {
	scenario := func(balance func(r *branches.Tills, ctx context.Context, branch string) (int, error)) proof.Scenario {
		return proof.Scenario{
			Schema: `
				CREATE TABLE till (balance int); INSERT INTO till VALUES (0);
				CREATE SCHEMA berlin; CREATE TABLE berlin.till (balance int); INSERT INTO berlin.till VALUES (250)`,
			Run: func(h *gate.H) string {
				n := -1
				s := h.Session("report", func(ctx context.Context, db *gate.DB) (err error) {
					n, err = balance(branches.NewTills(db.SQL()), ctx, "berlin")
					return err
				})
				if err := s.Finish(); err != nil {
					t.Error(err)
				}
				h.Note("the report says %d", n)
				if n != 250 {
					return fmt.Sprintf("the till of berlin holds 250, and the report says %d: it read another schema's", n)
				}
				return ""
			},
		}
	}
	proof.Harm(t, "branches.(*Tills).Balance", scenario((*branches.Tills).Balance))
	proof.NoHarm(t, "branches.(*Tills).BalanceInTx", scenario((*branches.Tills).BalanceInTx))
}

func TestInvoices(t *testing.T) {
	scenario := func(write func(o *invoices.Office, ctx context.Context, year int) (int, error)) proof.Scenario {
		return proof.Scenario{
			Schema: `CREATE TABLE invoices (year int, number int)`,
			Run: func(h *gate.H) string {
				clerk := func(ctx context.Context, db *gate.DB) error {
					_, err := write(invoices.NewOffice(db.SQL()), ctx, 2025)
					return err
				}
				a, b := h.Session("clerk 1", clerk), h.Session("clerk 2", clerk)
				if errA, errB := h.Race(a, b, "max(number)"); errA != nil || errB != nil {
					t.Error(errA, errB)
				}
				if numbers := h.Look(`SELECT string_agg(number::text, ', ' ORDER BY number) FROM invoices`); numbers != "1, 2" {
					return "two invoices carry the numbers " + numbers
				}
				return ""
			},
		}
	}
	proof.Harm(t, "invoices.(*Office).Write", scenario((*invoices.Office).Write))
	proof.NoHarm(t, "invoices.(*Office).WriteInTx", scenario((*invoices.Office).WriteInTx))
}

func TestShifts(t *testing.T) {
	scenario := func(plan func(p *shifts.Planner, ctx context.Context, person string, day int) error) proof.Scenario {
		return proof.Scenario{
			Schema: `CREATE TABLE shifts (id bigserial PRIMARY KEY, person text, day int)`,
			Run: func(h *gate.H) string {
				request := func(ctx context.Context, db *gate.DB) error {
					return plan(shifts.NewPlanner(db.Gorm()), ctx, "kim", 5)
				}
				a, b := h.Session("request 1", request), h.Session("request 2", request)
				a.StepPast("LOCK TABLE")
				b.Run()
				err := a.Finish()
				b.Finish()
				if err != nil {
					return "nobody can plan a shift: " + err.Error()
				}
				if n := h.Look(`SELECT count(*) FROM shifts`); n != "1" {
					return "one person has " + n + " shifts at a time"
				}
				return ""
			},
		}
	}
	proof.Harm(t, "shifts.(*Planner).Plan", scenario((*shifts.Planner).Plan))
	proof.NoHarm(t, "shifts.(*Planner).PlanInTx", scenario((*shifts.Planner).PlanInTx))
}

const customers = `CREATE TABLE customers (name text); INSERT INTO customers VALUES ('ann'), ('bob'), ('test 1')`

func TestExport(t *testing.T) {
	scenario := func(names func(e *export.Exporter, ctx context.Context, each func(string) error) error) proof.Scenario {
		return proof.Scenario{Schema: customers, Run: func(h *gate.H) string {
			n := 0
			s := h.Session("export", func(ctx context.Context, db *gate.DB) error {
				return names(export.NewExporter(db.Pool()), ctx, func(string) error { n++; return nil })
			})
			if err := s.Finish(); err != nil {
				return fmt.Sprintf("%d of 3 names are exported: %v", n, err)
			}
			if n != 3 {
				t.Errorf("%d names", n)
			}
			return ""
		}}
	}
	proof.Harm(t, "export.(*Exporter).Names", scenario((*export.Exporter).Names))
	proof.NoHarm(t, "export.(*Exporter).NamesInTx", scenario((*export.Exporter).NamesInTx))
}

func TestTry(t *testing.T) {
	scenario := func(try func(e *export.Exporter, ctx context.Context) (int64, error)) proof.Scenario {
		return proof.Scenario{Schema: customers, Run: func(h *gate.H) string {
			s := h.Session("dry run", func(ctx context.Context, db *gate.DB) error {
				n, err := try(export.NewExporter(db.Pool()), ctx)
				if err == nil && n != 1 {
					t.Errorf("%d test customers", n)
				}
				return err
			})
			if err := s.Finish(); err != nil {
				return "the dry run cannot even begin: " + err.Error()
			}
			if n := h.Look(`SELECT count(*) FROM customers`); n != "3" {
				return "the dry run has left " + n + " of 3 customers"
			}
			return ""
		}}
	}
	proof.Harm(t, "export.(*Exporter).Try", scenario((*export.Exporter).Try))
	proof.NoHarm(t, "export.(*Exporter).TryInTx", scenario((*export.Exporter).TryInTx))
}

func TestBadges(t *testing.T) {
	scenario := func(hand func(s *badges.Service, ctx context.Context, name string) (int, error)) proof.Scenario {
		return proof.Scenario{
			Schema: `CREATE TABLE badges (number int NOT NULL, name text NOT NULL)`,
			Run: func(h *gate.H) string {
				request := func(name string) *gate.Session {
					return h.Session(name, func(ctx context.Context, db *gate.DB) error {
						pool := db.Pool()
						tx := manager.Must(trmpgx.NewDefaultFactory(pool))
						_, err := hand(badges.NewService(tx, badgespg.New(pool)), ctx, name)
						return err
					})
				}
				if errA, errB := h.Race(request("ann"), request("bob"), "max(number)"); errA != nil || errB != nil {
					t.Error(errA, errB)
				}
				if numbers := h.Look(`SELECT string_agg(number::text, ', ' ORDER BY number) FROM badges`); numbers != "1, 2" {
					return "two badges carry the numbers " + numbers
				}
				return ""
			},
		}
	}
	proof.Harm(t, "badges.(*Service).Hand", scenario((*badges.Service).Hand))
	proof.NoHarm(t, "badges.(*Service).HandInTx", scenario((*badges.Service).HandInTx))
}

func TestClinics(t *testing.T) {
	scenario := func(patients func(s *clinics.Service, ctx context.Context, clinic string) (int, error)) proof.Scenario {
		return proof.Scenario{
			Schema: `
				CREATE TABLE patients (name text, clinic text);
				CREATE VIEW own_patients AS SELECT name FROM patients WHERE clinic = current_setting('app.clinic', true);
				INSERT INTO patients VALUES ('ann', 'north'), ('bob', 'north'), ('eve', 'south')`,
			Run: func(h *gate.H) string {
				n := -1
				s := h.Session("report", func(ctx context.Context, db *gate.DB) (err error) {
					n, err = patients(clinics.NewService(clinicspg.New(db.SQLX())), ctx, "north")
					return err
				})
				if err := s.Finish(); err != nil {
					t.Error(err)
				}
				h.Note("the report says %d", n)
				if n != 2 {
					return fmt.Sprintf("the clinic has 2 patients, and the report says %d", n)
				}
				return ""
			},
		}
	}
	proof.Harm(t, "clinics.(*Service).Patients", scenario((*clinics.Service).Patients))
	proof.NoHarm(t, "clinics.(*Service).PatientsWithin", scenario((*clinics.Service).PatientsWithin))
}
