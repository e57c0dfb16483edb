// Package flags turns features on and off for the whole program.
package flags

import (
	"context"
	"database/sql"
	"log"
	"sync"
)

var (
	db    *sql.DB
	known sync.Map // name → bool
)

// Use makes the database the one that flags are read from.
func Use(pool *sql.DB) { db = pool }

// Enabled reports whether the feature is on. When in doubt it is off.
func Enabled(ctx context.Context, name string) bool {
	var on bool
	if err := db.QueryRowContext(ctx, `SELECT enabled FROM flags WHERE name = $1`, name).Scan(&on); err != nil {
		log.Printf("flag %s: %v", name, err)
		return false
	}
	known.Store(name, on)
	return on
}

// Remembered reports what Enabled has last reported.
func Remembered(name string) bool {
	on, _ := known.Load(name)
	return on == true
}
