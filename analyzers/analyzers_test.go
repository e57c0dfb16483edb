package analyzers_test

import (
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/pgtxvet/pgtxvet/analyzers"
	"github.com/pgtxvet/pgtxvet/internal/ruledoc"
)

func suite() []*analysis.Analyzer { return slices.Concat(analyzers.All(), analyzers.Optional()) }

func TestSuite(t *testing.T) {
	if err := analysis.Validate(suite()); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, a := range suite() {
		if !regexp.MustCompile(`^[a-z][a-z0-9]*$`).MatchString(a.Name) {
			t.Errorf("%q is no name that users can type and go vet can make a flag of", a.Name)
		}
		if seen[a.Name] {
			t.Errorf("two rules are named %s", a.Name)
		}
		seen[a.Name] = true
	}
	for _, list := range [][]*analysis.Analyzer{analyzers.All(), analyzers.Optional()} {
		if !slices.IsSortedFunc(list, func(a, b *analysis.Analyzer) int { return strings.Compare(a.Name, b.Name) }) {
			t.Error("a list is not in the order of the names")
		}
	}
}

func TestDocumentation(t *testing.T) {
	const pages = "docs/rules/"
	for _, a := range suite() {
		t.Run(a.Name, func(t *testing.T) {
			doc := ruledoc.Of(a)
			if doc == nil {
				t.Fatal("no documentation")
			}
			if doc.Title == "" || doc.Text == "" || doc.Since == "" || doc.Severity == 0 {
				t.Error("title, text, version or severity is missing")
			}
			if !strings.HasPrefix(a.Doc, doc.Title) {
				t.Errorf("Doc does not begin with the title %q", doc.Title)
			}
			if (doc.Before == "") != (doc.After == "") {
				t.Error("one of Before and After is missing")
			}
			for _, code := range []string{doc.Before, doc.After} {
				src := "package p\nfunc _() {\n" + code + "\n}"
				if _, err := parser.ParseFile(token.NewFileSet(), "example.go", src, 0); err != nil {
					t.Errorf("%v in\n%s", err, code)
				}
			}
			page := pages + a.Name + ".md"
			if !strings.HasPrefix(a.URL, "https://") || !strings.HasSuffix(a.URL, "/"+page) {
				t.Errorf("URL is %s, not that of %s", a.URL, page)
			}
			if _, err := os.Stat("../" + page); err != nil {
				t.Errorf("%v; run make docs", err)
			}
		})
	}
}
