package since

import (
	"go/token"
	"testing"

	"github.com/pgtxvet/pgtxvet/internal/report"
)

// changed is what git diff --unified=0 prints of a file whose lines 3 and 4 are
// new, from which one was taken away behind line 9, and of a new file whose name
// git quotes.
const changed = `diff --git a/a.go b/b.go
similarity index 90%
rename from a.go
rename to b.go
index 1111111..2222222 100644
--- a/a.go
+++ b/b.go
@@ -2,0 +3,2 @@ func f() {
+	one
+	two
@@ -8 +9,0 @@ func f() {
-	three
diff --git "a/\303\251.go" "b/\303\251.go"
new file mode 100644
index 0000000..3333333
--- /dev/null
+++ "b/\303\251.go"
@@ -0,0 +1 @@
+package e
diff --git a/gone.go b/gone.go
deleted file mode 100644
index 4444444..0000000
--- a/gone.go
+++ /dev/null
@@ -1 +0,0 @@
-package p
`

// TestTouch holds which places count as changed.
func TestTouch(t *testing.T) {
	c := &Changes{files: map[string]*file{"/r/new.go": {whole: true}}}
	if err := c.read("/r", []byte(changed)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name     string
		from, to int
		want     bool
	}{
		{"/r/b.go", 2, 2, false},
		{"/r/b.go", 3, 3, true},
		{"/r/b.go", 4, 4, true},
		{"/r/b.go", 1, 3, true},
		{"/r/b.go", 4, 0, true}, // without an end
		{"/r/b.go", 5, 8, false},
		{"/r/b.go", 9, 9, false}, // beside a line that is gone
		{"/r/b.go", 9, 10, true}, // around it
		{"/r/b.go", 10, 12, false},
		{"/r/a.go", 3, 3, false},
		{"/r/é.go", 1, 1, true},
		{"/r/gone.go", 1, 1, false},
		{"/r/new.go", 99, 99, true},
		{"/elsewhere/b.go", 3, 3, false},
	} {
		at := report.Finding{Pos: place(test.name, test.from), End: place(test.name, test.to)}
		if got := c.Touch(at); got != test.want {
			t.Errorf("%s %d to %d: %v", test.name, test.from, test.to, got)
		}
		beside := report.Finding{Pos: place("/r/x.go", 1), Related: []report.Related{{Pos: at.Pos, End: at.End}}}
		if got := c.Touch(beside); got != test.want {
			t.Errorf("related %s %d to %d: %v", test.name, test.from, test.to, got)
		}
	}
}

func place(file string, line int) token.Position { return token.Position{Filename: file, Line: line} }
