package good

import (
	"gorm.io/driver/mysql"
	"gorm.io/driver/sqlite"
	"gorm.io/gorm"
)

// Open speaks to MySQL, or to SQLite in tests.
func Open(dsn string, test bool) (*gorm.DB, error) {
	dialector := mysql.Open(dsn)
	if test {
		dialector = sqlite.Open(":memory:")
	}
	db, err := gorm.Open(dialector, &gorm.Config{})
	if err != nil {
		return nil, err
	}
	if err := db.Exec("SET time_zone = '+00:00'").Error; err != nil {
		return nil, err
	}
	if err := db.Exec("SET NAMES utf8mb4").Error; err != nil {
		return nil, err
	}
	return db, db.Exec("SET autocommit = 0").Error
}
