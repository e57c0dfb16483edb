package retry

import (
	"context"
	"errors"
	"github.com/avito-tech/go-transaction-manager/trm/v2"
	"github.com/jackc/pgx/v5/pgconn"
)

// Manager runs a transaction again after a conflict.
type Manager struct {
	Inner trm.Manager
	Max   int
}

func (m Manager) DoWithSettings(ctx context.Context, s trm.Settings, fn func(context.Context) error) (err error) {
	for i := 0; i < m.Max; i++ {
		err = m.Inner.DoWithSettings(ctx, s, fn)
		var pe *pgconn.PgError
		if err == nil || !errors.As(err, &pe) || (pe.Code != "40001" && pe.Code != "40P01") {
			return err
		}
	}
	return err
}
