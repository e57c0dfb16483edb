// Package courses enrols students, with pgx. A course has so many places.
package courses

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrFull says that a course has no place left.
var ErrFull = errors.New("the course is full")

// Office enrols students.
type Office struct {
	pool   *pgxpool.Pool
	places int
}

// NewOffice returns an office of courses with a number of places.
func NewOffice(pool *pgxpool.Pool, places int) *Office { return &Office{pool: pool, places: places} }

// Enrol counts in a transaction; what it counts stays as it is only for itself.
func (o *Office) Enrol(ctx context.Context, course, student int64) error {
	return pgx.BeginFunc(ctx, o.pool, func(tx pgx.Tx) error {
		var n int
		err := tx.QueryRow(ctx, `SELECT count(*) FROM enrolments WHERE course_id = $1`, course).Scan(&n)
		if err != nil {
			return err
		}
		if n >= o.places {
			return ErrFull
		}
		_, err = tx.Exec(ctx, `INSERT INTO enrolments (course_id, student_id) VALUES ($1, $2)`, course, student) // want `whether this row of enrolments is inserted was decided by the read`
		return err
	})
}

// EnrolInTurn locks the course, so that one student at a time is counted.
//
//proof:fixes (*Office).Enrol
func (o *Office) EnrolInTurn(ctx context.Context, course, student int64) error {
	return pgx.BeginFunc(ctx, o.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `SELECT FROM courses WHERE id = $1 FOR NO KEY UPDATE`, course)
		if err != nil {
			return err
		}
		return o.add(ctx, tx, course, student)
	})
}

// EnrolAdvised locks a number that stands for the course.
//
//proof:fixes (*Office).Enrol
func (o *Office) EnrolAdvised(ctx context.Context, course, student int64) error {
	return pgx.BeginFunc(ctx, o.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtext('courses'), $1::int)`, course)
		if err != nil {
			return err
		}
		return o.add(ctx, tx, course, student)
	})
}

func (o *Office) add(ctx context.Context, tx pgx.Tx, course, student int64) error {
	var n int
	err := tx.QueryRow(ctx, `SELECT count(*) FROM enrolments WHERE course_id = $1`, course).Scan(&n)
	if err != nil {
		return err
	}
	if n >= o.places {
		return ErrFull
	}
	_, err = tx.Exec(ctx, `INSERT INTO enrolments (course_id, student_id) VALUES ($1, $2)`, course, student)
	return err
}

// Free says how many places a course has left, for the page that shows it.
func (o *Office) Free(ctx context.Context, course int64) (int, error) {
	var n int
	err := o.pool.QueryRow(ctx, `SELECT count(*) FROM enrolments WHERE course_id = $1`, course).Scan(&n)
	return o.places - n, err
}
