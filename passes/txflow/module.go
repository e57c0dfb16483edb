package txflow

import (
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/mod/modfile"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

// foreignModules says, by the path of a go.mod file, whether the module requires
// drivers of other databases and none of PostgreSQL.
var foreignModules sync.Map

// Forget drops what is kept about go.mod files for the life of the process.
func Forget() { foreignModules.Clear() }

// inForeignModule reports whether a directory belongs to a module whose go.mod
// names a driver of another database and none of PostgreSQL: a package that
// imports only an ORM does not show which database is behind it.
func inForeignModule(dir string) bool {
	for {
		file := filepath.Join(dir, "go.mod")
		if got, ok := foreignModules.Load(file); ok {
			return got.(bool)
		}
		if data, err := os.ReadFile(file); err == nil {
			foreign := requiresForeign(file, data)
			foreignModules.Store(file, foreign)
			return foreign
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}

func requiresForeign(file string, data []byte) bool {
	f, err := modfile.ParseLax(file, data, nil)
	if err != nil {
		return false // the go command says what is wrong with it
	}
	other := false
	for _, r := range f.Require {
		switch d := dbapi.Dialect(r.Mod.Path); d {
		case "":
		case "postgres":
			return false
		default:
			other = other || !r.Indirect
		}
	}
	return other
}
