package bad

import (
	"context"
	"database/sql"

	"github.com/uptrace/bun"
)

type Event struct {
	bun.BaseModel `bun:"table:events,alias:e"`

	ID    int64 `bun:"id,pk,autoincrement"`
	Seats int   `bun:"seats,notnull"`
}

func get1(ctx context.Context, db bun.IDB, id int) (*Event, error) {
	e := new(Event)
	err := db.NewSelect().Model(e).Where("id = ?", id).Scan(ctx)
	return e, err
}
func get2(ctx context.Context, db bun.IDB, id int) (*Event, error) {
	e := &Event{ID: int64(id)}
	err := db.NewSelect().Model(e).WherePK().Scan(ctx)
	return e, err
}
func get3(ctx context.Context, db bun.IDB, id int64) (*Event, error) {
	e := &Event{ID: id}
	err := db.NewSelect().Model(e).WherePK().Scan(ctx)
	return e, err
}
func save(ctx context.Context, db bun.IDB, e *Event) error {
	_, err := db.NewUpdate().Model(e).Column("seats").WherePK().Exec(ctx)
	return err
}

func A(ctx context.Context, db *bun.DB, id int) error {
	e, err := get1(ctx, db, id)
	if err != nil {
		return err
	}
	e.Seats -= 5
	return save(ctx, db, e) // expect: lostupdate
}
func B(ctx context.Context, db *bun.DB, id int) error {
	e, err := get2(ctx, db, id)
	if err != nil {
		return err
	}
	e.Seats -= 5
	return save(ctx, db, e) // expect: lostupdate
}
func C(ctx context.Context, db *bun.DB, id int) error {
	e, err := get3(ctx, db, int64(id))
	if err != nil {
		return err
	}
	e.Seats -= 5
	return save(ctx, db, e) // expect: lostupdate
}
func D(ctx context.Context, db *bun.DB, id int) error {
	e := &Event{ID: int64(id)}
	err := db.NewSelect().Model(e).WherePK().Scan(ctx)
	if err != nil {
		return err
	}
	e.Seats -= 5
	return save(ctx, db, e) // expect: lostupdate
}
func G(ctx context.Context, db *bun.DB, id int) error {
	return db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		e, err := get1(ctx, tx, id)
		if err != nil {
			return err
		}
		e.Seats -= 5
		return save(ctx, tx, e) // expect: lostupdate
	})
}
func H(ctx context.Context, db *bun.DB, id int) error {
	return db.RunInTx(ctx, &sql.TxOptions{}, func(ctx context.Context, tx bun.Tx) error {
		e, err := get1(ctx, tx, id)
		if err != nil {
			return err
		}
		e.Seats -= 5
		return save(ctx, tx, e) // expect: lostupdate
	})
}

func I(ctx context.Context, db *bun.DB, id int) error {
	return db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		e := new(Event)
		if err := tx.NewSelect().Model(e).Where("id = ?", id).Scan(ctx); err != nil {
			return err
		}
		e.Seats -= 5
		_, err := tx.NewUpdate().Model(e).Column("seats").WherePK().Exec(ctx) // expect: lostupdate
		return err
	})
}

func in(ctx context.Context, tx bun.Tx, id int) error {
	e, err := get1(ctx, tx, id)
	if err != nil {
		return err
	}
	e.Seats -= 5
	return save(ctx, tx, e) // expect: lostupdate
}

func J(ctx context.Context, db *bun.DB, id int) error {
	return db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		return in(ctx, tx, id)
	})
}

func K(ctx context.Context, db *bun.DB, id int) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	e, err := get1(ctx, tx, id)
	if err != nil {
		return err
	}
	e.Seats -= 5
	if err := save(ctx, tx, e); err != nil { // expect: lostupdate
		return err
	}
	return tx.Commit()
}
