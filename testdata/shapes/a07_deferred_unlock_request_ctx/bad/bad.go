package bad

import (
	"github.com/jackc/pgx/v5/pgxpool"
	"net/http"
)

type Reports struct{ pool *pgxpool.Pool }

func (s *Reports) Build(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		http.Error(w, err.Error(), 503)
		return
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(31337)"); err != nil { // expect: advisorypool
		http.Error(w, err.Error(), 500)
		return
	}
	defer conn.Exec(ctx, "SELECT pg_advisory_unlock(31337)") // or: advisorypool
	if _, err := conn.Exec(ctx, "CALL build_reports()"); err != nil {
		http.Error(w, err.Error(), 500)
	}
}
