// Command bad keeps rows of any type in one repository: which table that is, only the
// type argument tells.
package main

import (
	"context"
	"database/sql"
	"log"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

// A Ticket is answered.
type Ticket struct {
	bun.BaseModel `bun:"table:tickets" gorm:"-"`

	ID      int64 `bun:"id,pk"`
	Replies int
}

func find[T any](ctx context.Context, db bun.IDB, id int64) (*T, error) {
	row := new(T)
	if err := db.NewSelect().Model(row).Where("id = ?", id).Scan(ctx); err != nil {
		return nil, err
	}
	return row, nil
}

// Tickets keeps tickets with bun.
type Tickets struct{ db *bun.DB }

// Reply counts in Go.
func (t *Tickets) Reply(ctx context.Context, id int64) error {
	row, err := find[Ticket](ctx, t.db, id)
	if err != nil {
		return err
	}
	row.Replies++
	_, err = t.db.NewUpdate().Model(row).Column("replies").WherePK().Exec(ctx) // missed: lostupdate
	return err
}

// A Repository keeps rows with GORM.
type Repository[T any] struct{ db *gorm.DB }

// Get reads a row.
func (r *Repository[T]) Get(ctx context.Context, id int64) (*T, error) {
	var row T
	if err := r.db.WithContext(ctx).First(&row, id).Error; err != nil {
		return nil, err
	}
	return &row, nil
}

// Save writes a row.
func (r *Repository[T]) Save(ctx context.Context, row *T) error {
	return r.db.WithContext(ctx).Save(row).Error
}

// A Desk answers tickets.
type Desk struct{ tickets *Repository[Ticket] }

// Reply counts in Go.
func (d *Desk) Reply(ctx context.Context, id int64) error {
	row, err := d.tickets.Get(ctx, id)
	if err != nil {
		return err
	}
	row.Replies++
	return d.tickets.Save(ctx, row) // missed: lostupdate
}

func main() {
	conn, err := sql.Open("pgx", "postgres://localhost/desk")
	if err != nil {
		log.Fatal(err)
	}
	db, err := gorm.Open(postgres.Open("host=localhost"))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	t := &Tickets{db: bun.NewDB(conn, pgdialect.New())}
	d := &Desk{tickets: &Repository[Ticket]{db: db}}
	log.Print(t.Reply(ctx, 1), d.Reply(ctx, 1))
}
