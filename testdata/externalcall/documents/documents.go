// Package documents takes uploads: a handler on a pgx pool that reads the
// client's body.
package documents

import (
	"io"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const maxSize = 1 << 20

// Handler takes uploads.
type Handler struct{ pool *pgxpool.Pool }

// NewHandler returns a handler over the pool.
func NewHandler(pool *pgxpool.Pool) *Handler { return &Handler{pool: pool} }

const (
	nextVersion = `UPDATE documents SET version = version + 1 WHERE name = $1 RETURNING version`
	addVersion  = `INSERT INTO versions (name, version, body) VALUES ($1, $2, $3)`
)

// Put answers PUT /documents/{name}. A client on a slow line, or one that
// means harm, keeps the document locked.
func (h *Handler) Put(w http.ResponseWriter, r *http.Request) {
	ctx, name := r.Context(), r.PathValue("name")
	err := pgx.BeginFunc(ctx, h.pool, func(tx pgx.Tx) error {
		var version int
		if err := tx.QueryRow(ctx, nextVersion, name).Scan(&version); err != nil {
			return err
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxSize)) // want "transaction open"
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, addVersion, name, version, body)
		return err
	})
	reply(w, err)
}

// PutRead reads before it begins.
//
//proof:fixes (*Handler).Put
func (h *Handler) PutRead(w http.ResponseWriter, r *http.Request) {
	ctx, name := r.Context(), r.PathValue("name")
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxSize))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	err = pgx.BeginFunc(ctx, h.pool, func(tx pgx.Tx) error {
		var version int
		if err := tx.QueryRow(ctx, nextVersion, name).Scan(&version); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, addVersion, name, version, body)
		return err
	})
	reply(w, err)
}

func reply(w http.ResponseWriter, err error) {
	if err != nil {
		http.Error(w, "internal error", http.StatusInternalServerError)
	}
}
