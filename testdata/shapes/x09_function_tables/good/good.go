package good

import (
	"context"
	"database/sql"
	"net/http"
)

func ping(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://bus/ping", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Hooks is a variable of the package that its users set.
var Hooks = map[string]func(context.Context) error{"ping": ping}

type Job struct {
	db *sql.DB
	// Done is set by whoever makes the job.
	Done func(ctx context.Context) error
	note func(ctx context.Context, tx *sql.Tx) error
}

// An Option sets what is not known here.
type Option func(*Job)

func WithNote(f func(ctx context.Context, tx *sql.Tx) error) Option {
	return func(j *Job) { j.note = f }
}

func New(db *sql.DB, opts ...Option) *Job {
	j := &Job{db: db, Done: ping, note: record}
	for _, o := range opts {
		o(j)
	}
	return j
}

func record(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO notes DEFAULT VALUES")
	return err
}

func (j *Job) Run(ctx context.Context, hook string) error {
	tx, err := j.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := j.note(ctx, tx); err != nil {
		return err
	}
	if f := Hooks[hook]; f != nil {
		if err := f(ctx); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return j.Done(ctx)
}

// A queue keeps what is to be done when the transaction is over.
type queue struct{ after []func(context.Context) error }

func (q *queue) add(f func(context.Context) error) { q.after = append(q.after, f) }

func (j *Job) Later(ctx context.Context) error {
	q := &queue{}
	tx, err := j.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := record(ctx, tx); err != nil {
		return err
	}
	q.add(ping)
	q.add(func(ctx context.Context) error { return ping(ctx) })
	if err := tx.Commit(); err != nil {
		return err
	}
	for _, f := range q.after {
		if err := f(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Tables that others fill in.
type registry struct {
	steps map[string]func(context.Context) error
}

func fill(m map[string]func(context.Context) error, f func(context.Context) error) { m["x"] = f }

func Registered(ctx context.Context, db *sql.DB, f func(context.Context) error) error {
	m := map[string]func(context.Context) error{}
	fill(m, f)
	r := registry{steps: m}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := r.steps["x"](ctx); err != nil {
		return err
	}
	return tx.Commit()
}
