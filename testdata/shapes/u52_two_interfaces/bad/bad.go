// Package bad is a handler over a service's interface, over a repository's.
package bad

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
	Points Points
}

// Points are never negative.
type Points int64

func (p Points) Plus(n int64) Points { return p + Points(n) }

type MemberRepository interface {
	FindByEmail(ctx context.Context, email string) (*Member, error)
	FindByID(ctx context.Context, id int64) (*Member, error)
	Create(ctx context.Context, m *Member) error
	Update(ctx context.Context, m *Member) error
}

type MemberService interface {
	Register(ctx context.Context, email string) (*Member, error)
	Reward(ctx context.Context, id, points int64) error
}

type Handler struct{ members MemberService }

func NewHandler(s MemberService) *Handler { return &Handler{s} }

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
}

type service struct{ repo MemberRepository }

func NewService(repo MemberRepository) MemberService { return &service{repo} }

func (s *service) Register(ctx context.Context, email string) (*Member, error) {
	existing, err := s.repo.FindByEmail(ctx, email)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return nil, err
	}
	if existing != nil {
		return nil, ErrExists
	}
	m := &Member{Email: email}
	if err := s.repo.Create(ctx, m); err != nil { // missed: lostupdate
		return nil, fmt.Errorf("register: %w", err)
	}
	return m, nil
}

func (s *service) Reward(ctx context.Context, id, points int64) error {
	m, err := s.repo.FindByID(ctx, id)
	if err != nil {
		return fmt.Errorf("reward: %w", err)
	}
	m.Points = m.Points.Plus(points)
	return s.repo.Update(ctx, m) // expect: lostupdate
}
