package bad

import (
	"encoding/json"
	"github.com/jmoiron/sqlx"
	"net/http"
)

type Server struct{ db *sqlx.DB }

type ctxKey struct{}

func (s *Server) tx(next func(w http.ResponseWriter, r *http.Request, tx *sqlx.Tx) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		tx, err := s.db.BeginTxx(r.Context(), nil)
		if err != nil {
			http.Error(w, "x", 500)
			return
		}
		if err := next(w, r, tx); err != nil {
			tx.Rollback()
			http.Error(w, "x", 500)
			return
		}
		if err := tx.Commit(); err != nil {
			http.Error(w, "x", 500)
		}
	}
}

func (s *Server) Routes(m *http.ServeMux) {
	m.HandleFunc("/pay", s.tx(s.pay))
}

func (s *Server) pay(w http.ResponseWriter, r *http.Request, tx *sqlx.Tx) error {
	var in struct{ ID int64 }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil { // expect: externalcall
		return err
	}
	var n int
	if err := s.db.GetContext(r.Context(), &n, `SELECT count(*) FROM a`); err != nil { // expect: poolintx
		return err
	}
	_, err := tx.ExecContext(r.Context(), `UPDATE a SET b = $1`, in.ID+int64(n))
	return err
}
