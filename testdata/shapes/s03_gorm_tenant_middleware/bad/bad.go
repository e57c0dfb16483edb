package bad

import (
	"encoding/json"
	"fmt"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"net/http"
)

type Note struct {
	ID   uint
	Body string
}

type Server struct{ db *gorm.DB }

func NewServer(dsn string) (*Server, error) {
	db, err := gorm.Open(postgres.Open(dsn), &gorm.Config{})
	if err != nil {
		return nil, err
	}
	return &Server{db: db}, nil
}

// tenant chooses the schema for the request, as it thinks.
func (s *Server) tenant(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := fmt.Sprintf(`SET search_path TO %q, public`, r.Header.Get("X-Tenant"))
		if err := s.db.WithContext(r.Context()).Exec(q).Error; err != nil { // expect: sessionset
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	var notes []Note
	if err := s.db.WithContext(r.Context()).Find(&notes).Error; err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_ = json.NewEncoder(w).Encode(notes)
}
