// Package good is a service over a repository that tells of duplicates, and adds
// in SQL.
package good

import (
	"context"
	"errors"
	"fmt"
	"net/http"
)

var (
	ErrNotFound = errors.New("not found")
	ErrExists   = errors.New("exists")
)

type Member struct {
	ID     int64
	Email  string
	Points int64
}

type MemberRepository interface {
	FindByEmail(ctx context.Context, email string) (*Member, error)
	FindByID(ctx context.Context, id int64) (*Member, error)
	Create(ctx context.Context, m *Member) error
	AddPoints(ctx context.Context, id, n int64) error
	Rename(ctx context.Context, id int64, email string) error
}

type Handler struct{ members *Service }

func NewHandler(s *Service) *Handler { return &Handler{s} }

func (h *Handler) Register(w http.ResponseWriter, r *http.Request) {
	m, err := h.members.Register(r.Context(), r.FormValue("email"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	fmt.Fprintln(w, m.ID)
}

func (h *Handler) Reward(w http.ResponseWriter, r *http.Request) {
	if err := h.members.Reward(r.Context(), 1, 10); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
	}
	if err := h.members.Rename(r.Context(), 1, r.FormValue("email")); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
	}
}

type Service struct{ repo MemberRepository }

func NewService(repo MemberRepository) *Service { return &Service{repo} }

func (s *Service) Register(ctx context.Context, email string) (*Member, error) {
	existing, err := s.repo.FindByEmail(ctx, email)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return nil, err
	}
	if existing != nil {
		return nil, ErrExists
	}
	m := &Member{Email: email}
	if err := s.repo.Create(ctx, m); err != nil {
		return nil, fmt.Errorf("register: %w", err)
	}
	return m, nil
}

func (s *Service) Reward(ctx context.Context, id, points int64) error {
	if _, err := s.repo.FindByID(ctx, id); err != nil {
		return fmt.Errorf("reward: %w", err)
	}
	return s.repo.AddPoints(ctx, id, points)
}

func (s *Service) Rename(ctx context.Context, id int64, email string) error {
	m, err := s.repo.FindByID(ctx, id)
	if err != nil {
		return err
	}
	if m.Email == email {
		return nil
	}
	return s.repo.Rename(ctx, m.ID, email)
}
