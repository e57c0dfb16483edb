package boilershop

import (
	"context"

	"github.com/aarondl/sqlboiler/v4/boil"
	"github.com/aarondl/sqlboiler/v4/queries"
	"github.com/aarondl/sqlboiler/v4/queries/qm"

	"github.com/pgtxvet/pgtxvet/testdata/libraries/boilershop/models"
)

// TakeReloaded reads a model again that it was given.
func (s *Shop) TakeReloaded(ctx context.Context, e *models.Event, n int64) error {
	if err := e.Reload(ctx, s.db); err != nil {
		return err
	}
	if e.Seats < n {
		return ErrSoldOut
	}
	e.Seats -= n
	_, err := e.Update(ctx, s.db, boil.Infer()) // want "lost update"
	return err
}

// TakeBound reads into a struct of its own.
func (s *Shop) TakeBound(ctx context.Context, id, n int64) error {
	var got struct {
		Seats int64 `boil:"seats"`
	}
	if err := queries.Raw(`SELECT seats FROM events WHERE id = $1`, id).Bind(ctx, s.db, &got); err != nil {
		return err
	}
	if got.Seats < n {
		return ErrSoldOut
	}
	_, err := models.Events(models.EventWhere.ID.EQ(id)).UpdateAll(ctx, s.db, models.M{"seats": got.Seats - n}) // want "lost update"
	return err
}

// TakeSlice writes what it has read through a slice, which is not seen.
func (s *Shop) TakeSlice(ctx context.Context, title string) error {
	all, err := models.Events(models.EventWhere.Title.EQ(title)).All(ctx, s.db)
	if err != nil || len(all) == 0 {
		return err
	}
	_, err = all.UpdateAll(ctx, s.db, models.M{"seats": all[0].Seats - 1}) // missed: lostupdate
	return err
}

// TakeEach writes each row of a loop.
func (s *Shop) TakeEach(ctx context.Context) error {
	all, err := models.Events(qm.Where("seats > ?", 0)).All(ctx, s.db)
	if err != nil {
		return err
	}
	for _, e := range all {
		e.Seats--
		if _, err := e.Update(ctx, s.db, boil.Whitelist("seats")); err != nil { // want "lost update"
			return err
		}
	}
	return nil
}

// TakeEither finds the row by one of two conditions.
func (s *Shop) TakeEither(ctx context.Context, id int64, title string) error {
	e, err := models.Events(qm.Expr(models.EventWhere.ID.EQ(id), qm.Or2(models.EventWhere.Title.EQ(title)))).One(ctx, s.db)
	if err != nil {
		return err
	}
	e.Seats--
	_, err = e.Update(ctx, s.db, boil.Blacklist("title")) // want "lost update"
	return err
}
