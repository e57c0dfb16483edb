package usercode

import (
	"go/build"
	"testing"
)

func TestIs(t *testing.T) {
	for _, c := range []struct {
		path, file string
		want       bool
	}{
		{"net/http", build.Default.GOROOT + "/src/net/http/client.go", false},
		{"shop", "/home/u/go/src/shop/main.go", true},
		{"vendor/golang.org/x/net/idna", "/usr/lib/go/src/vendor/golang.org/x/net/idna/idna.go", false},
		{"github.com/jackc/pgx/v5", "/home/u/go/pkg/mod/github.com/jackc/pgx/v5@v5.7.0/conn.go", false},
		{"fmt", "/home/u/go/pkg/mod/golang.org/toolchain@v0.0.1-go1.26.0.linux-amd64/src/fmt/print.go", false},
		{"github.com/jackc/pgx/v5", "/home/u/shop/vendor/github.com/jackc/pgx/v5/conn.go", false},
		{"example.com/shop/store", "/home/u/shop/store/store.go", true},
		{"shop/store", "/home/u/shop/store/store.go", true},
		{"shop/store", "/home/u/src/shop2/store/store.go", true},
		{"example.com/shop", `C:\src\shop\main.go`, true},
	} {
		if got := Is(c.path, c.file); got != c.want {
			t.Errorf("Is(%q, %q) = %v", c.path, c.file, got)
		}
	}
}
