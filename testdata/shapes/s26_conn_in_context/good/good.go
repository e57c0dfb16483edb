package good

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
	"net/http"
)

type connKey struct{}

type Tenancy struct{ pool *pgxpool.Pool }

func Conn(ctx context.Context) *pgxpool.Conn { return ctx.Value(connKey{}).(*pgxpool.Conn) }

func (t *Tenancy) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := t.pool.Acquire(r.Context())
		if err != nil {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		defer t.giveBack(conn)
		if _, err := conn.Exec(r.Context(), "SELECT set_config('app.tenant_id', $1, false)", r.Header.Get("X-Tenant")); err != nil {
			http.Error(w, "tenant", http.StatusInternalServerError)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), connKey{}, conn)))
	})
}

func (t *Tenancy) giveBack(conn *pgxpool.Conn) {
	if _, err := conn.Exec(context.Background(), "RESET ALL"); err != nil {
		_ = conn.Conn().Close(context.Background())
	}
	conn.Release()
}
