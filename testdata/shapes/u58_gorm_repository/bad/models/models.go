// Package models has the models.
package models

import "time"

type Product struct {
	ID        uint `gorm:"primaryKey"`
	Name      string
	Stock     int
	UpdatedAt time.Time
}

func (Product) TableName() string { return "shop_products" }
