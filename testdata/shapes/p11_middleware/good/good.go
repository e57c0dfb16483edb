package good

import (
	"context"
	"encoding/json"
	"github.com/jmoiron/sqlx"
	"net/http"
	"strings"
)

type Server struct{ db *sqlx.DB }

func (s *Server) pay(w http.ResponseWriter, r *http.Request) {
	var in struct{ ID int64 }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, "x", 400)
		return
	}
	var n int
	if err := s.db.GetContext(r.Context(), &n, `SELECT count(*) FROM a`); err != nil {
		http.Error(w, "x", 500)
		return
	}
	tx, err := s.db.BeginTxx(r.Context(), nil)
	if err != nil {
		http.Error(w, "x", 500)
		return
	}
	defer tx.Rollback()
	if err := store(r.Context(), tx, in.ID); err != nil {
		http.Error(w, "x", 500)
		return
	}
	if err := tx.Commit(); err != nil {
		http.Error(w, "x", 500)
		return
	}
	if err := s.db.GetContext(r.Context(), &n, `SELECT count(*) FROM a`); err != nil {
		http.Error(w, "x", 500)
	}
}

func store(ctx context.Context, tx *sqlx.Tx, id int64) error {
	var v struct{ A int }
	if err := json.NewDecoder(strings.NewReader("{}")).Decode(&v); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `UPDATE a SET b = $1`, id)
	return err
}
