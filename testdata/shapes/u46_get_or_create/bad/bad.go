// Package bad creates what it does not find.
package bad

import (
	"context"
	"errors"

	"gorm.io/gorm"
)

type Tag struct {
	ID   uint
	Name string
}

type Tags struct{ db *gorm.DB }

func (t *Tags) Ensure(ctx context.Context, name string) (*Tag, error) {
	var tag Tag
	err := t.db.WithContext(ctx).Where("name = ?", name).First(&tag).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		tag = Tag{Name: name}
		if err := t.db.WithContext(ctx).Create(&tag).Error; err != nil { // expect: lostupdate
			return nil, err
		}
		return &tag, nil
	}
	return &tag, err
}

func (t *Tags) EnsureStruct(ctx context.Context, name string) (*Tag, error) {
	tags := []Tag{}
	if err := t.db.WithContext(ctx).Find(&tags, "name = ?", name).Error; err != nil {
		return nil, err
	}
	if len(tags) > 0 {
		return &tags[0], nil
	}
	tag := &Tag{Name: name}
	return tag, t.db.WithContext(ctx).Create(tag).Error // expect: lostupdate
}
