package good

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

func (s *Server) as(r *http.Request, fn func(tx *gorm.DB) error) error {
	return s.db.WithContext(r.Context()).Transaction(func(tx *gorm.DB) error {
		q := fmt.Sprintf(`SET LOCAL search_path TO %q, public`, r.Header.Get("X-Tenant"))
		if err := tx.Exec(q).Error; err != nil {
			return err
		}
		return fn(tx)
	})
}

func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	var notes []Note
	if err := s.as(r, func(tx *gorm.DB) error { return tx.Find(&notes).Error }); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_ = json.NewEncoder(w).Encode(notes)
}
