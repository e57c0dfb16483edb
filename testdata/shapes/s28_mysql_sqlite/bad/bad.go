package bad

import (
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

// Open speaks to PostgreSQL.
func Open(dsn string) (*gorm.DB, error) {
	db, err := gorm.Open(postgres.Open(dsn), &gorm.Config{})
	if err != nil {
		return nil, err
	}
	if err := db.Exec("SET TIME ZONE 'Europe/Berlin'").Error; err != nil { // expect: sessionset
		return nil, err
	}
	return db, nil
}
