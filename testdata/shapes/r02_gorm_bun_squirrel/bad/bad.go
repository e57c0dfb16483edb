package bad

import (
	"context"

	sq "github.com/Masterminds/squirrel"
	"github.com/uptrace/bun"
	"gorm.io/gorm"
)

type Order struct {
	ID      int64
	Status  string
	Total   int64
	Version int64
	Stock   int64
}

type Orders struct {
	db  *gorm.DB
	bun *bun.DB
	sq  sq.StatementBuilderType
}

func (o *Orders) Pay(id int64) error {
	return o.db.Model(&Order{}).Where("id = ? AND status = ?", id, "new").Update("status", "paid").Error // expect: rowsaffected
}

func (o *Orders) Save(order *Order) error {
	res := o.db.Model(order).Where("version = ?", order.Version).Updates(map[string]any{"total": order.Total, "version": order.Version + 1}) // expect: rowsaffected
	if res.Error != nil {
		return res.Error
	}
	return nil
}

func (o *Orders) Reserve(ctx context.Context, id, n int64) error {
	return o.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		err := tx.Model(&Order{}).Where("id = ?", id).Where("stock >= ?", n).UpdateColumn("stock", gorm.Expr("stock - ?", n)).Error // expect: rowsaffected
		if err != nil {
			return err
		}
		return tx.Create(&Order{Total: n}).Error
	})
}

func (o *Orders) Raw(id int64, status string) error {
	return o.db.Exec("UPDATE orders SET status = ? WHERE id = ? AND status = 'new'", status, id).Error // expect: rowsaffected
}

func (o *Orders) Drop(id int64) error {
	if err := o.db.Where(&Order{ID: id, Status: "draft"}).Delete(&Order{}).Error; err != nil { // expect: rowsaffected
		return err
	}
	return nil
}

func (o *Orders) Ship(ctx context.Context, order *Order) error {
	_, err := o.bun.NewUpdate().Model(order).Set("status = 'shipped'").WherePK().Where("status = ?", "paid").Exec(ctx) // expect: rowsaffected
	return err
}

func (o *Orders) Bump(ctx context.Context, id, version int64) error {
	_, err := o.bun.NewUpdate().Table("orders").Set("version = version + 1").Where("id = ?", id).Where("version = ?", version).Exec(ctx) // expect: rowsaffected
	return err
}

func (o *Orders) Cancel(ctx context.Context, id int64) error {
	_, err := o.sq.Update("orders").Set("status", "cancelled").Where(sq.Eq{"id": id, "status": "new"}).ExecContext(ctx) // expect: rowsaffected
	return err
}

func (o *Orders) Take(ctx context.Context, id, n int64) error {
	_, err := o.sq.Update("stock").Set("amount", sq.Expr("amount - ?", n)).Where(sq.And{sq.Eq{"id": id}, sq.GtOrEq{"amount": n}}).ExecContext(ctx) // expect: rowsaffected
	return err
}
