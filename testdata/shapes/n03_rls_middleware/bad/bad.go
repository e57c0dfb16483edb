package bad

import (
	"context"
	"github.com/jmoiron/sqlx"
	"net/http"
)

type RLS struct{ db *sqlx.DB }

func (r *RLS) set(ctx context.Context, tenant string) error {
	_, err := r.db.ExecContext(ctx, `SELECT set_config('app.tenant_id', $1, true)`, tenant) // expect: notxeffect
	return err
}

func (r *RLS) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if err := r.set(req.Context(), req.Header.Get("X-Tenant-ID")); err != nil { // or: notxeffect
			http.Error(w, "tenant", http.StatusInternalServerError)
			return
		}
		next.ServeHTTP(w, req)
	})
}
