// Package bad merges what a request says into the row, and writes all of it.
package bad

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

type Project struct {
	ID        int64
	Title     string
	Budget    int64
	UpdatedAt time.Time
}

type PatchProject struct {
	Title  *string `json:"title"`
	Budget *int64  `json:"budget"`
}

type Handler struct{ pool *pgxpool.Pool }

func (h *Handler) Patch(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		http.Error(w, "bad id", http.StatusBadRequest)
		return
	}
	var req PatchProject
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, "bad body", http.StatusBadRequest)
		return
	}
	p, err := h.find(r.Context(), id)
	if err != nil {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	if req.Title != nil {
		p.Title = *req.Title
	}
	if req.Budget != nil {
		p.Budget = *req.Budget
	}
	p.UpdatedAt = time.Now()
	if err := h.save(r.Context(), p); err != nil { // expect: lostupdate
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	_ = json.NewEncoder(w).Encode(p)
}

func (h *Handler) find(ctx context.Context, id int64) (*Project, error) {
	p := &Project{}
	err := h.pool.QueryRow(ctx, `SELECT id, title, budget, updated_at FROM projects WHERE id = $1`, id).
		Scan(&p.ID, &p.Title, &p.Budget, &p.UpdatedAt)
	return p, err
}

func (h *Handler) save(ctx context.Context, p *Project) error {
	_, err := h.pool.Exec(ctx, `UPDATE projects SET title = $2, budget = $3, updated_at = $4 WHERE id = $1`, p.ID, p.Title, p.Budget, p.UpdatedAt)
	return err
}
