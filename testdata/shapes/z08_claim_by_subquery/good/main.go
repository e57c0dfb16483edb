// Command good claims jobs with a query that is an argument of another.
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
	"gorm.io/gorm/clause"
)

// A Job is work for later.
type Job struct {
	bun.BaseModel `bun:"table:jobs,alias:j" gorm:"-"`

	ID     int64 `bun:"id,pk"`
	Status string
}

// A Queue keeps jobs with bun.
type Queue struct{ db *bun.DB }

// Next claims the oldest job.
func (q *Queue) Next(ctx context.Context) (*Job, error) {
	j := new(Job)
	oldest := q.db.NewSelect().Model((*Job)(nil)).Column("id").
		Where("status = ?", "new").
		OrderExpr("id").Limit(1).For("UPDATE SKIP LOCKED")
	err := q.db.NewUpdate().Model(j).Set("status = ?", "running").Where("id = (?)", oldest).Returning("*").Scan(ctx)
	return j, err
}

// A Table keeps jobs with GORM.
type Table struct{ db *gorm.DB }

// Next claims the oldest job.
func (t *Table) Next(ctx context.Context, worker string) error {
	oldest := t.db.Model(&Job{}).Select("id").Where("status = ?", "new").Order("id").Limit(1).
		Clauses(clause.Locking{Strength: "UPDATE", Options: "SKIP LOCKED"})
	return t.db.WithContext(ctx).Model(&Job{}).Where("id = (?)", oldest).
		Updates(map[string]any{"status": "running", "worker": worker}).Error
}

func main() {
	conn, err := sql.Open("pgx", "postgres://localhost/jobs")
	if err != nil {
		log.Fatal(err)
	}
	g, err := gorm.Open(postgres.Open("host=localhost"))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	_, err = (&Queue{db: bun.NewDB(conn, pgdialect.New())}).Next(ctx)
	log.Print(err, (&Table{db: g}).Next(ctx, "w1"))
}
