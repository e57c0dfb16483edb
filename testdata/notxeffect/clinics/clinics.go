// Package clinics counts the patients of a clinic, each of which sees its own
// rows only: a service over a repository, whose transaction is in the context.
package clinics

import "context"

// Repository stores the patients of all clinics.
type Repository interface {
	// As makes the clinic the one whose rows the transaction sees.
	As(ctx context.Context, clinic string) error
	Count(ctx context.Context) (int, error)
	Within(ctx context.Context, fn func(ctx context.Context) error) error
}

// Service counts patients.
type Service struct{ repo Repository }

// NewService returns a service over the repository.
func NewService(repo Repository) *Service { return &Service{repo: repo} }

// Patients counts the patients of the clinic. The setting has ended with its
// own statement.
func (s *Service) Patients(ctx context.Context, clinic string) (int, error) {
	if err := s.repo.As(ctx, clinic); err != nil { // want "outside a transaction"
		return 0, err
	}
	return s.repo.Count(ctx)
}

// PatientsWithin counts in the transaction that the setting is for.
//
//proof:fixes (*Service).Patients
func (s *Service) PatientsWithin(ctx context.Context, clinic string) (n int, err error) {
	err = s.repo.Within(ctx, func(ctx context.Context) error {
		if err := s.repo.As(ctx, clinic); err != nil {
			return err
		}
		n, err = s.repo.Count(ctx)
		return err
	})
	return n, err
}
