package libraries_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/dbrshop"
)

func TestDbr(t *testing.T) {
	proveShop(t, "dbrshop", func(g *gate.DB) shop {
		g.Show(inOrder)
		return dbrshop.New(g.SQL())
	})
}

var setList = regexp.MustCompile(` SET (.*) WHERE `)

// inOrder sorts the assignments of an UPDATE, which dbr keeps in a map.
func inOrder(sql string) string {
	return setList.ReplaceAllStringFunc(sql, func(set string) string {
		list := strings.Split(setList.FindStringSubmatch(set)[1], ", ")
		slices.Sort(list)
		return " SET " + strings.Join(list, ", ") + " WHERE "
	})
}
