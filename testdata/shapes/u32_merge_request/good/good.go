// Package good leaves what a request does not say as it is, in SQL.
package good

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/jackc/pgx/v5/pgxpool"
)

type Project struct {
	ID     int64
	Owner  string
	Title  string
	Budget int64
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
	if p.Owner != r.Header.Get("X-User") {
		http.Error(w, "forbidden", http.StatusForbidden)
		return
	}
	_, err = h.pool.Exec(r.Context(), `UPDATE projects SET title = COALESCE($2, title), budget = COALESCE($3, budget), updated_at = now() WHERE id = $1`, id, req.Title, req.Budget)
	if err != nil {
		http.Error(w, "internal error", http.StatusInternalServerError)
	}
}

// Put replaces all that a client can set.
func (h *Handler) Put(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		http.Error(w, "bad id", http.StatusBadRequest)
		return
	}
	p, err := h.find(r.Context(), id)
	if err != nil {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	var req Project
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, "bad body", http.StatusBadRequest)
		return
	}
	p.Title, p.Budget = req.Title, req.Budget
	_, err = h.pool.Exec(r.Context(), `UPDATE projects SET title = $2, budget = $3 WHERE id = $1`, p.ID, p.Title, p.Budget)
	if err != nil {
		http.Error(w, "internal error", http.StatusInternalServerError)
	}
}

func (h *Handler) find(ctx context.Context, id int64) (*Project, error) {
	p := &Project{}
	err := h.pool.QueryRow(ctx, `SELECT id, owner, title, budget FROM projects WHERE id = $1`, id).
		Scan(&p.ID, &p.Owner, &p.Title, &p.Budget)
	return p, err
}
