package good

import (
	"context"

	"gorm.io/gorm"
)

type Export struct {
	ID    uint
	State string
}

type Pool struct {
	db   *gorm.DB
	size int
}

func (p *Pool) Start(ctx context.Context) {
	for range p.size {
		go p.loop(ctx, p.one)
	}
}

func (p *Pool) loop(ctx context.Context, step func(context.Context) error) {
	for ctx.Err() == nil {
		_ = step(ctx)
	}
}

func (p *Pool) one(ctx context.Context) error {
	return p.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var e Export
		res := tx.Raw("SELECT * FROM exports WHERE state = ? ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED", "new").Scan(&e)
		if res.Error != nil || res.RowsAffected == 0 {
			return res.Error
		}
		e.State = "done"
		return tx.Save(&e).Error
	})
}
