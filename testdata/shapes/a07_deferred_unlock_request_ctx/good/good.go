package good

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
	"net/http"
	"time"
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
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(31337)"); err != nil {
		http.Error(w, err.Error(), 500)
		return
	}
	defer unlock(conn, 31337)
	if _, err := conn.Exec(ctx, "CALL build_reports()"); err != nil {
		http.Error(w, err.Error(), 500)
	}
}

func unlock(conn *pgxpool.Conn, key int64) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var ok bool
	if err := conn.QueryRow(ctx, "SELECT pg_advisory_unlock($1)", key).Scan(&ok); err != nil || !ok {
		_ = conn.Conn().Close(ctx)
	}
}
