package bad

import (
	"context"
	"database/sql"
	"log"

	"github.com/jmoiron/sqlx"
)

type Accounts struct {
	db *sql.DB
	x  *sqlx.DB
	q  *Queries
}

func (a *Accounts) Debit(ctx context.Context, id, amount int64) error {
	res, err := a.db.ExecContext(ctx, `UPDATE accounts SET balance = balance - $2 WHERE id = $1 AND balance >= $2`, id, amount) // expect: rowsaffected
	if err != nil {
		return err
	}
	_, err = res.RowsAffected()
	return err
}

type doc struct {
	ID      int64
	Body    string
	Version int
}

func (a *Accounts) Edit(ctx context.Context, d doc) error {
	_, err := a.x.NamedExecContext(ctx, `UPDATE docs SET body = :body, version = :version + 1 WHERE id = :id AND version = :version`, d) // expect: rowsaffected
	return err
}

func (a *Accounts) Must(id int64) {
	a.x.MustExec(`UPDATE tickets SET status = 'closed' WHERE id = $1 AND status = 'open'`, id) // expect: rowsaffected
	log.Print("closed")
}

func (a *Accounts) Redeem(ctx context.Context, code string, user int64) error {
	return a.q.RedeemCode(ctx, RedeemCodeParams{Code: code, RedeemedBy: user}) // expect: rowsaffected
}

func (a *Accounts) Ack(ctx context.Context, id int64) error {
	_, err := a.q.AckJob(ctx, id) // expect: rowsaffected
	return err
}

func (a *Accounts) Fail(ctx context.Context, id int64) error {
	if _, err := a.q.FailJob(ctx, id); err != nil { // expect: rowsaffected
		log.Print(err)
		return err
	}
	return nil
}

// Prepared runs a statement that was prepared before.
func (a *Accounts) Prepared(ctx context.Context, ids []int64) error {
	stmt, err := a.db.PrepareContext(ctx, `UPDATE tickets SET status = 'closed' WHERE id = $1 AND status = 'open'`)
	if err != nil {
		return err
	}
	defer stmt.Close()
	for _, id := range ids {
		if _, err := stmt.ExecContext(ctx, id); err != nil { // expect: rowsaffected
			return err
		}
	}
	return nil
}

// Repo is behind an interface that knows of errors only.
type Repo interface {
	Publish(ctx context.Context, id int64, version int) error
}

type pgRepo struct{ db *sql.DB }

func (r *pgRepo) Publish(ctx context.Context, id int64, version int) error {
	_, err := r.db.ExecContext(ctx, `UPDATE pages SET published = true, version = version + 1 WHERE id = $1 AND version = $2`, id, version) // expect: rowsaffected
	return err
}

func Publish(ctx context.Context, r Repo, id int64) error { return r.Publish(ctx, id, 1) }

// number returns the number of rows.
func (r *pgRepo) number(ctx context.Context, id, by int64) (n int64, err error) {
	defer func() {
		if err != nil {
			log.Print(err)
		}
	}()
	res, err := r.db.ExecContext(ctx, `UPDATE seats SET held_by = $2 WHERE id = $1 AND held_by IS NULL`, id, by)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

func (r *pgRepo) Hold(ctx context.Context, id, by int64) error {
	_, err := r.number(ctx, id, by) // expect: rowsaffected
	return err
}
