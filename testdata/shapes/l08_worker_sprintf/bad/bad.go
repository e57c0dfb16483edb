package bad

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"time"
)

const jobsTable = "mail_jobs"

type Worker struct {
	db   *sql.DB
	stop chan struct{}
}

func (w *Worker) Start() {
	for i := 0; i < 4; i++ {
		go w.loop()
	}
}

func (w *Worker) loop() {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-t.C:
			if err := w.one(context.Background()); err != nil {
				log.Print(err)
			}
		}
	}
}

func (w *Worker) one(ctx context.Context) error {
	q := fmt.Sprintf("SELECT id, payload FROM %s WHERE done_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED", jobsTable)
	var id int64
	var payload []byte
	err := w.db.QueryRowContext(ctx, q).Scan(&id, &payload) // expect: lockoutsidetx
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	log.Printf("send %d: %s", id, payload)
	_, err = w.db.ExecContext(ctx, fmt.Sprintf("UPDATE %s SET done_at = now() WHERE id = $1", jobsTable), id)
	return err
}
