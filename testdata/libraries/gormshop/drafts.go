package gormshop

import (
	"context"

	"gorm.io/gorm"

	"github.com/pgtxvet/pgtxvet/testdata/libraries/gormshop/version"
)

// A Draft is a row of events with a version that GORM compares by itself.
type Draft struct {
	ID      int
	Title   string
	Seats   int
	Version version.Version
}

// TableName implements [schema.Tabler].
func (Draft) TableName() string { return "events" }

// Drafts are the events that several people edit at the same time.
type Drafts struct{ db *gorm.DB }

// Drafts returns the drafts of the shop.
func (s *Shop) Drafts() *Drafts { return &Drafts{s.db} }

func (s *Drafts) get(ctx context.Context, id int) (Draft, error) {
	var d Draft
	err := s.db.WithContext(ctx).First(&d, id).Error
	return d, err
}

// Entitle writes the title into the version that the editor has seen, and does
// not look whether it is still that one.
func (s *Drafts) Entitle(ctx context.Context, id, seen int, title string) error {
	d := Draft{ID: id, Version: version.Of(seen)}
	return s.db.WithContext(ctx).Model(&d).Update("title", title).Error // want "row"
}

// EntitleChecked looks.
//
//proof:fixes (*Drafts).Entitle
func (s *Drafts) EntitleChecked(ctx context.Context, id, seen int, title string) error {
	d := Draft{ID: id, Version: version.Of(seen)}
	res := s.db.WithContext(ctx).Model(&d).Update("title", title)
	if res.Error != nil {
		return res.Error
	}
	if res.RowsAffected == 0 {
		return ErrChanged
	}
	return nil
}

// Book takes seats from the draft that it has read. Save inserts the row where
// its UPDATE has met no such version, and so writes over the other booking.
func (s *Drafts) Book(ctx context.Context, id, n int) error {
	d, err := s.get(ctx, id)
	if err != nil {
		return err
	}
	if d.Seats < n {
		return ErrSoldOut
	}
	d.Seats -= n
	return s.db.WithContext(ctx).Save(&d).Error // want "lost update"
}

// BookUnversioned takes them by a new value, which has no version to compare.
func (s *Drafts) BookUnversioned(ctx context.Context, id, n int) error {
	d, err := s.get(ctx, id)
	if err != nil {
		return err
	}
	if d.Seats < n {
		return ErrSoldOut
	}
	return s.db.WithContext(ctx).Model(&Draft{}).Where("id = ?", id).Update("seats", d.Seats-n).Error // want "lost update"
}

// BookVersion takes them while the version is the one that was read, again if
// it is another.
//
//proof:fixes (*Drafts).Book (*Drafts).BookUnversioned
func (s *Drafts) BookVersion(ctx context.Context, id, n int) error {
	for {
		d, err := s.get(ctx, id)
		if err != nil {
			return err
		}
		if d.Seats < n {
			return ErrSoldOut
		}
		res := s.db.WithContext(ctx).Model(&d).Update("seats", d.Seats-n)
		if res.Error != nil || res.RowsAffected == 1 {
			return res.Error
		}
	}
}

// BookFields does the same with the fields of a struct.
func (s *Drafts) BookFields(ctx context.Context, id, n int) error {
	d, err := s.get(ctx, id)
	if err != nil {
		return err
	}
	d.Seats -= n
	res := s.db.WithContext(ctx).Select("seats").Updates(&d)
	if res.Error == nil && res.RowsAffected == 0 {
		return ErrChanged
	}
	return res.Error
}
