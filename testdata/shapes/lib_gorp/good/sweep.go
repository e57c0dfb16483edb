package good

import (
	"database/sql"
	"time"

	"github.com/go-gorp/gorp/v3"
)

// A Stray is a row of strays: a file that nobody has asked for.
type Stray struct {
	ID    int64     `db:"id"`
	Path  string    `db:"path"`
	Until time.Time `db:"until"`
	Hash  string    `db:"hash"`
}

func mapStrays(db *gorp.DbMap) {
	db.AddTableWithName(Stray{}, "strays").SetKeys(true, "ID")
}

// Sweep forgets the strays that are old, and notes those that are new: each row is
// for one file.
func (s *Store) Sweep(files []string, remove func(string) error) error {
	var strays []Stray
	if _, err := s.db.Select(&strays, "SELECT * FROM strays ORDER BY id"); err != nil {
		return err
	}
	known := map[string]bool{}
	for _, x := range strays {
		known[x.Path] = true
		if x.Until.Before(time.Now()) {
			if err := remove(x.Path); err != nil {
				return err
			}
			if _, err := s.db.Delete(&x); err != nil {
				return err
			}
		}
	}
	for _, f := range files {
		if known[f] {
			continue
		}
		if err := s.db.Insert(&Stray{Path: f, Until: time.Now().Add(time.Hour)}); err != nil {
			return err
		}
	}
	return nil
}

// SweepAll sweeps what is there.
func (s *Store) SweepAll(list func() ([]string, error), remove func(string) error) error {
	files, err := list()
	if err != nil {
		return err
	}
	return s.Sweep(files, remove)
}

// Upstream is what another store has.
type Upstream struct{ files []Stray }

func (u *Upstream) hash(path string) string {
	for _, f := range u.files {
		if f.Path == path {
			return f.Hash
		}
	}
	return ""
}

// Compare forgets the strays that are gone, and copies those that have changed.
func (s *Store) Compare(upstream *Upstream) error {
	var strays []Stray
	if _, err := s.db.Select(&strays, "SELECT * FROM strays ORDER BY id"); err != nil {
		return err
	}
	for _, x := range strays {
		switch upstream.hash(x.Path) {
		case x.Hash:
			continue
		case "":
			if _, err := s.db.Delete(&x); err != nil {
				return err
			}
			continue
		default:
		}
		if err := replicate(s.db, x, upstream.hash(x.Path)); err != nil {
			return err
		}
	}
	return nil
}

func replicate(db gorp.SqlExecutor, x Stray, hash string) error {
	_, err := db.Exec("INSERT INTO copies (path, hash) VALUES ($1, $2)", x.Path, hash)
	return err
}

// None is read without a table.
func (s *Store) None(id int64) (sql.NullString, error) {
	return s.db.SelectNullStr("SELECT path FROM strays WHERE id = $1", id)
}
