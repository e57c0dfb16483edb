// Package good creates what it does not find, once.
package good

import (
	"context"
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type Tag struct {
	ID   uint
	Name string `gorm:"uniqueIndex"`
}

type Mark struct {
	ID   uint
	Name string
}

type Tags struct{ db *gorm.DB }

func (t *Tags) Ensure(ctx context.Context, name string) (*Tag, error) {
	var tag Tag
	err := t.db.WithContext(ctx).Where("name = ?", name).First(&tag).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		tag = Tag{Name: name}
		return &tag, t.db.WithContext(ctx).Create(&tag).Error
	}
	return &tag, err
}

func (t *Tags) EnsureMark(ctx context.Context, name string) (*Mark, error) {
	var m Mark
	err := t.db.WithContext(ctx).Where("name = ?", name).First(&m).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		m = Mark{Name: name}
		err = t.db.WithContext(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&m).Error
	}
	return &m, err
}

func (t *Tags) EnsureTranslated(ctx context.Context, name string) (*Mark, error) {
	var m Mark
	err := t.db.WithContext(ctx).Where("name = ?", name).First(&m).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		m = Mark{Name: name}
		err = t.db.WithContext(ctx).Create(&m).Error
		if errors.Is(err, gorm.ErrDuplicatedKey) {
			return t.EnsureTranslated(ctx, name)
		}
	}
	return &m, err
}
