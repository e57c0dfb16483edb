package bad

import (
	"context"
	"database/sql"
)

type Dispatcher struct {
	db  *sql.DB
	run func(int64) error
}

func pending(ctx context.Context, tx *sql.Tx) ([]int64, error) {
	rows, err := tx.QueryContext(ctx, "SELECT id FROM commands WHERE executed = false ORDER BY id FOR UPDATE") // expect: skiplocked
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

func (d *Dispatcher) Dispatch(ctx context.Context) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	ids, err := pending(ctx, tx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := d.run(id); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "UPDATE commands SET executed = true WHERE id = $1", id); err != nil {
			return err
		}
	}
	return tx.Commit()
}
