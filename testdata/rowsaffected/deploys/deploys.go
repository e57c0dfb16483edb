// Package deploys records what the instances of a controller have done: gorm.
package deploys

import (
	"errors"

	"gorm.io/gorm"
)

// ErrNotOwner says that another instance has the deploy.
var ErrNotOwner = errors.New("another instance has the deploy")

// A Deploy is one run of a release.
type Deploy struct {
	ID     int64
	Status string
	Owner  string
}

// An Instance is one of several controllers.
type Instance struct {
	db   *gorm.DB
	name string
}

// NewInstance returns an instance with a name of its own.
func NewInstance(db *gorm.DB, name string) *Instance { return &Instance{db: db, name: name} }

// Finish records how a deploy of this instance ended. It looks at the error only.
func (i *Instance) Finish(id int64, status string) error {
	return i.db.Model(&Deploy{}).Where("id = ? AND owner = ?", id, i.name).Updates(Deploy{Status: status}).Error // want `UPDATE of deploys changes: where "owner = \?"`
}

// FinishOwn records how a deploy ended, if it is this instance's.
//
//proof:fixes (*Instance).Finish
func (i *Instance) FinishOwn(id int64, status string) error {
	res := i.db.Model(&Deploy{}).Where("id = ? AND owner = ?", id, i.name).Updates(Deploy{Status: status})
	if res.Error != nil {
		return res.Error
	}
	if res.RowsAffected == 0 {
		return ErrNotOwner
	}
	return nil
}

// Adopt takes a deploy over from another instance.
func (i *Instance) Adopt(id int64) error {
	return i.db.Model(&Deploy{}).Where("id = ?", id).Update("owner", i.name).Error
}
