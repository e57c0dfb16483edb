package good

import (
	"context"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"
	"github.com/jackc/pgx/v5/pgxpool"
)

type JobRepo struct {
	pool   *pgxpool.Pool
	getter *trmpgx.CtxGetter
}

func (r *JobRepo) FindReady(ctx context.Context) (id int64, err error) {
	conn := r.getter.DefaultTrOrDB(ctx, r.pool)
	err = conn.QueryRow(ctx, `SELECT id FROM jobs WHERE status = 'ready' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`).Scan(&id)
	return id, err
}

func (r *JobRepo) SetStatus(ctx context.Context, id int64, status string) error {
	_, err := r.getter.DefaultTrOrDB(ctx, r.pool).Exec(ctx, `UPDATE jobs SET status = $2 WHERE id = $1`, id, status)
	return err
}

type UseCase struct {
	repo *JobRepo
	trm  *manager.Manager
}

func (u *UseCase) Start(ctx context.Context) (id int64, err error) {
	err = u.trm.Do(ctx, func(ctx context.Context) error {
		id, err = u.repo.FindReady(ctx)
		if err != nil {
			return err
		}
		return u.repo.SetStatus(ctx, id, "running")
	})
	return id, err
}
