// Package good has read the form before it begins.
package good

import (
	"errors"
	"io"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const maxUpload = 1 << 20

type Handler struct{ pool *pgxpool.Pool }

func (h *Handler) Upload(w http.ResponseWriter, r *http.Request) {
	if err := limit(w, r); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	ctx := r.Context()
	err := pgx.BeginFunc(ctx, h.pool, func(tx pgx.Tx) error {
		data, err := field(r)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO uploads (name, data) VALUES ($1, $2)`, r.FormValue("name"), data)
		return err
	})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func limit(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, maxUpload)
	if err := r.ParseMultipartForm(maxUpload); err != nil {
		return errors.New("too much")
	}
	return nil
}

func field(r *http.Request) ([]byte, error) {
	file, _, err := r.FormFile("file")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}
