package good

import (
	"context"
	"errors"
	"time"

	sq "github.com/Masterminds/squirrel"
	"github.com/uptrace/bun"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

var ErrChanged = errors.New("changed")

type Order struct {
	ID        int64
	UserID    int64
	Status    string
	Total     int64
	Version   int64
	Stock     int64
	DeletedAt *time.Time
}

type Orders struct {
	db  *gorm.DB
	bun *bun.DB
	sq  sq.StatementBuilderType
}

func (o *Orders) Pay(id int64) error {
	tx := o.db.Model(&Order{}).Where("id = ? AND status = ?", id, "new").Update("status", "paid")
	if tx.Error != nil {
		return tx.Error
	}
	if tx.RowsAffected == 0 {
		return ErrChanged
	}
	return nil
}

// save gives the result to whoever calls it.
func (o *Orders) save(order *Order) *gorm.DB {
	return o.db.Model(order).Where("version = ?", order.Version).Updates(map[string]any{"total": order.Total, "version": order.Version + 1})
}

func (o *Orders) Save(order *Order) error {
	if n := o.save(order).RowsAffected; n != 1 {
		return ErrChanged
	}
	return nil
}

func (o *Orders) Update(id, user int64, total int64) error {
	return o.db.Model(&Order{}).Where("id = ? AND user_id = ?", id, user).Updates(Order{Total: total}).Error
}

func (o *Orders) Delete(id int64, now time.Time) error {
	return o.db.Model(&Order{}).Where("id = ? AND deleted_at IS NULL", id).Update("deleted_at", now).Error
}

// Either has a condition with an OR, so that the state is no guard.
func (o *Orders) Either(id int64) error {
	return o.db.Model(&Order{}).Where("id = ?", id).Where("status = ?", "new").Or("total = 0").Update("status", "paid").Error
}

// Same writes what it tests.
func (o *Orders) Same(id int64, status string) error {
	return o.db.Model(&Order{}).Where("id = ? AND status = ?", id, status).Update("status", status).Error
}

// Locked has the row locked.
func (o *Orders) Locked(id, n int64) error {
	return o.db.Transaction(func(tx *gorm.DB) error {
		var order Order
		if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).First(&order, id).Error; err != nil {
			return err
		}
		if order.Stock < n {
			return ErrChanged
		}
		return tx.Model(&Order{}).Where("id = ?", id).Where("stock >= ?", n).UpdateColumn("stock", gorm.Expr("stock - ?", n)).Error
	})
}

// Returned looks at the model that RETURNING fills.
func (o *Orders) Returned(id int64) error {
	var order Order
	if err := o.db.Model(&order).Clauses(clause.Returning{}).Where("id = ? AND status = ?", id, "new").Update("status", "paid").Error; err != nil {
		return err
	}
	if order.ID == 0 {
		return ErrChanged
	}
	return nil
}

// Expire is for any number of rows.
func (o *Orders) Expire() error {
	return o.db.Model(&Order{}).Where("status = ?", "new").Updates(Order{Status: "expired"}).Error
}

func (o *Orders) Ship(ctx context.Context, order *Order) error {
	res, err := o.bun.NewUpdate().Model(order).Set("status = 'shipped'").WherePK().Where("status = ?", "paid").Exec(ctx)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n != 1 {
		return errors.Join(ErrChanged, err)
	}
	return nil
}

func (o *Orders) Rename(ctx context.Context, order *Order) error {
	_, err := o.bun.NewUpdate().Model(order).Column("total", "status").WherePK().Exec(ctx)
	return err
}

func (o *Orders) Cancel(ctx context.Context, id int64) error {
	res, err := o.sq.Update("orders").Set("status", "cancelled").Where(sq.Eq{"id": id, "status": "new"}).ExecContext(ctx)
	if err != nil {
		return err
	}
	if n, _ := res.RowsAffected(); n == 0 {
		return ErrChanged
	}
	return nil
}

func (o *Orders) Bulk(ctx context.Context, ids []int64) error {
	_, err := o.sq.Update("orders").Set("status", "cancelled").Where(sq.Eq{"id": ids, "status": "new"}).ExecContext(ctx)
	return err
}
