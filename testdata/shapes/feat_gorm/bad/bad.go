// Package bad has one function for each feature of GORM that docs/libraries.md
// lists.
package bad

import (
	"context"
	"database/sql"
	"errors"

	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Item is a row of items.
type Item struct {
	ID    int64 `gorm:"primaryKey"`
	N     int64
	State string
	Tags  []Tag
}

// Tag is a row of tags.
type Tag struct {
	ID, ItemID int64
	Name       string
}

var errFew = errors.New("too few")

// Store keeps items.
type Store struct{ db *gorm.DB }

// Open opens a store.
func Open(dsn string) (*Store, error) {
	db, err := gorm.Open(postgres.Open(dsn))
	return &Store{db}, err
}

func (s *Store) take(id int64) error {
	return s.db.Model(&Item{}).Where("id = ?", id).Update("n", 0).Error
}

// Locking is clause.Locking, whose strength and options are constants.
func (s *Store) Locking(id int64) error {
	var it Item
	if err := s.db.Clauses(clause.Locking{Strength: "NO KEY UPDATE", Options: "NOWAIT"}).First(&it, id).Error; err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(it.ID)
}

func (s *Store) lockBy(strength string, id int64) (it Item, err error) {
	err = s.db.Clauses(clause.Locking{Strength: strength}).First(&it, id).Error
	return it, err
}

// LockingArgument is a strength that a caller gives.
func (s *Store) LockingArgument(id int64) error {
	it, err := s.lockBy("UPDATE", id) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return s.take(it.ID)
}

// LockingTable is a lock of one table of a join.
func (s *Store) LockingTable(id int64) error {
	var it Item
	tagged := s.db.Joins("JOIN tags ON tags.item_id = items.id").Where("items.id = ?", id)
	err := tagged.Clauses(clause.Locking{Strength: "UPDATE", Table: clause.Table{Name: "items"}}).First(&it).Error // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return s.take(it.ID)
}

func locked(db *gorm.DB) *gorm.DB { return db.Clauses(clause.Locking{Strength: "UPDATE"}) }

// Scopes are functions of the same package.
func (s *Store) Scopes(id int64) error {
	var it Item
	if err := s.db.Scopes(locked).First(&it, id).Error; err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(it.ID)
}

// Raw is a text with Scan.
func (s *Store) Raw(id int64) error {
	var n int64
	if err := s.db.Raw("SELECT n FROM items WHERE id = ? FOR UPDATE", id).Scan(&n).Error; err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(id)
}

// Rows is a text with Rows.
func (s *Store) Rows(id int64) error {
	rows, err := s.db.Raw("SELECT id FROM items WHERE id = ? FOR UPDATE", id).Rows() // expect: lockoutsidetx
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&id); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return s.take(id)
}

// Exec is a text without rows.
func (s *Store) Exec() error {
	return s.db.Exec("SET statement_timeout = 0").Error // expect: sessionset
}

// Session is a new session on the pool.
func (s *Store) Session(ctx context.Context) error {
	return s.db.Session(&gorm.Session{NewDB: true, Context: ctx}).Exec("SET lock_timeout = '1s'").Error // expect: sessionset
}

// Connection holds a session, to which SET is no harm, and gives it back with it.
func (s *Store) Connection() error {
	return s.db.Connection(func(c *gorm.DB) error {
		if err := c.Exec("SET statement_timeout = 0").Error; err != nil { // expect: sessionset
			return err
		}
		return c.Delete(&Item{}, "state = ?", "old").Error
	})
}

// SQLDB is the pool of database/sql below.
func (s *Store) SQLDB(ctx context.Context) error {
	db, err := s.db.DB()
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "SET statement_timeout = 0") // expect: sessionset
	return err
}

// Transaction runs a function, in which the pool is another session.
func (s *Store) Transaction(it *Item) error {
	return s.db.Transaction(func(tx *gorm.DB) error {
		if err := tx.Create(it).Error; err != nil {
			return err
		}
		return s.db.Create(&Tag{ItemID: it.ID}).Error // expect: poolintx
	})
}

// Begin begins by hand.
func (s *Store) Begin(it *Item) error {
	tx := s.db.Begin(&sql.TxOptions{})
	defer tx.Rollback()
	if err := tx.Create(it).Error; err != nil {
		return err
	}
	if err := s.db.Create(&Tag{ItemID: it.ID}).Error; err != nil { // expect: poolintx
		return err
	}
	return tx.Commit().Error
}

// Options are those of Transaction.
func (s *Store) Options(id int64) error {
	return s.db.Transaction(func(tx *gorm.DB) error { // expect: unhandled40001
		var it Item
		if err := tx.First(&it, id).Error; err != nil {
			return err
		}
		return tx.Model(&it).Update("n", it.N-1).Error
	}, &sql.TxOptions{Isolation: sql.LevelSerializable})
}

// First, Take, Last and Find read into a model.
func (s *Store) First(id, n int64) error {
	var it Item
	if err := s.db.First(&it, "id = ?", id).Error; err != nil {
		return err
	}
	return s.db.Model(&it).Update("n", it.N-n).Error // expect: lostupdate
}

// Find reads into a slice.
func (s *Store) Find(ids []int64) error {
	var its []Item
	if err := s.db.Where("id IN ?", ids).Find(&its).Error; err != nil {
		return err
	}
	for _, it := range its {
		if err := s.db.Model(&Item{}).Where("id = ?", it.ID).Update("n", it.N-1).Error; err != nil { // expect: lostupdate
			return err
		}
	}
	return nil
}

// Pluck reads one column.
func (s *Store) Pluck(id int64) error {
	var n int64
	if err := s.db.Model(&Item{}).Where("id = ?", id).Pluck("n", &n).Error; err != nil {
		return err
	}
	return s.db.Model(&Item{}).Where("id = ?", id).Update("n", n-1).Error // expect: lostupdate
}

// Select reads into another struct.
func (s *Store) Select(id int64) error {
	var got struct{ N int64 }
	if err := s.db.Model(&Item{}).Select("n").Where("id = ?", id).Scan(&got).Error; err != nil {
		return err
	}
	return s.db.Model(&Item{}).Where("id = ?", id).Update("n", got.N-1).Error // expect: lostupdate
}

// Preload reads related rows.
func (s *Store) Preload(id int64) error {
	var it Item
	if err := s.db.Preload("Tags").First(&it, id).Error; err != nil {
		return err
	}
	it.Tags[0].Name += "!"
	return s.db.Model(&Tag{}).Where("id = ?", it.Tags[0].ID).Update("name", it.Tags[0].Name).Error // missed: lostupdate
}

// Save writes a model.
func (s *Store) Save(id int64) error {
	var it Item
	if err := s.db.First(&it, id).Error; err != nil {
		return err
	}
	it.N++
	return s.db.Save(&it).Error // expect: lostupdate
}

// UpdatesStruct writes what is not zero.
func (s *Store) UpdatesStruct(id int64) error {
	var it Item
	if err := s.db.First(&it, id).Error; err != nil {
		return err
	}
	return s.db.Model(&it).Updates(Item{N: it.N + 1}).Error // expect: lostupdate
}

// UpdatesMap writes columns by their names.
func (s *Store) UpdatesMap(id int64) error {
	var it Item
	if err := s.db.First(&it, id).Error; err != nil {
		return err
	}
	return s.db.Model(&it).Updates(map[string]any{"n": it.N + 1}).Error // expect: lostupdate
}

// UpdatesSelected writes the fields that Select names.
func (s *Store) UpdatesSelected(id int64) error {
	var it Item
	if err := s.db.First(&it, id).Error; err != nil {
		return err
	}
	it.N++
	return s.db.Select("N").Updates(&it).Error // expect: lostupdate
}

// UpdatesOmit writes all fields but the ones that Omit names.
func (s *Store) UpdatesOmit(id int64) error {
	var it Item
	if err := s.db.First(&it, id).Error; err != nil {
		return err
	}
	it.N++
	return s.db.Omit("State", clause.Associations).Updates(&it).Error // expect: lostupdate
}

// UpdateColumn writes without hooks.
func (s *Store) UpdateColumn(id int64) error {
	var it Item
	if err := s.db.First(&it, id).Error; err != nil {
		return err
	}
	return s.db.Model(&it).UpdateColumn("n", it.N+1).Error // expect: lostupdate
}

// RowsAffected is the count that a guarded write needs.
func (s *Store) RowsAffected(id int64) error {
	return s.db.Model(&Item{}).Where("id = ? AND state = ?", id, "new").Update("state", "done").Error // expect: rowsaffected
}

// Delete has conditions as arguments.
func (s *Store) Delete(id int64) error {
	var it Item
	if err := s.db.Clauses(clause.Locking{Strength: "UPDATE"}).Where(&Item{ID: id}).Take(&it).Error; err != nil { // expect: lockoutsidetx
		return err
	}
	return s.db.Delete(&Item{}, "id = ?", id).Error
}

// FirstOrCreate reads, and inserts where there is nothing.
func (s *Store) FirstOrCreate(name string) (t Tag, err error) {
	err = s.db.Where(Tag{Name: name}).FirstOrCreate(&t).Error // missed: lostupdate
	return t, err
}

// FindInBatches runs a function for each batch.
func (s *Store) FindInBatches() error {
	var its []Item
	return s.db.Where("state = ?", "new").FindInBatches(&its, 100, func(tx *gorm.DB, _ int) error {
		for i := range its {
			its[i].N++
			if err := tx.Save(&its[i]).Error; err != nil { // missed: lostupdate
				return err
			}
		}
		return nil
	}).Error
}

// Association changes related rows.
func (s *Store) Association(it *Item) error {
	return s.db.Transaction(func(tx *gorm.DB) error {
		if err := tx.Save(it).Error; err != nil {
			return err
		}
		return s.db.Model(it).Association("Tags").Clear() // expect: poolintx
	})
}

// Generic is the API with type arguments.
func (s *Store) Generic(ctx context.Context, id int64) error {
	it, err := gorm.G[Item](s.db, clause.Locking{Strength: "UPDATE"}).Where("id = ?", id).First(ctx) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	if it.N < 1 {
		return errFew
	}
	_, err = gorm.G[Item](s.db).Where("id = ?", id).Update(ctx, "n", it.N-1)
	return err
}

// BeforeSave is a hook, which is given the transaction of the statement.
func (t *Tag) BeforeSave(tx *gorm.DB) error {
	if err := tx.Create(&Item{}).Error; err != nil && !errors.Is(err, gorm.ErrDuplicatedKey) {
		return err
	}
	return tx.Model(t).Update("name", "x").Error // missed: abortedtx
}
