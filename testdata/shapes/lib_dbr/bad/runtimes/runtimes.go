// Package runtimes starts runtimes. It knows no database.
package runtimes

import (
	"net/http"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/lib_dbr/bad/sessions"
)

// Service starts runtimes.
type Service struct{ sessions sessions.Opener }

// Start asks for a cluster while the runtime is locked. The transaction is begun
// behind one interface and handed out behind another.
func (s *Service) Start(id string) error {
	tx, err := s.sessions.Open()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := tx.SetState(id, "starting"); err != nil {
		return err
	}
	resp, err := http.Post("https://clusters.example/"+id, "text/plain", http.NoBody) // missed: externalcall
	if err != nil {
		return err
	}
	if err := resp.Body.Close(); err != nil {
		return err
	}
	return tx.Commit()
}
