package good

import (
	"context"
	"encoding/json"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

func Run(ctx context.Context, pool *pgxpool.Pool, items []string) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		sums := make([]int, len(items))
		var wg sync.WaitGroup
		for i, it := range items {
			wg.Add(1)
			go func() {
				defer wg.Done()
				sums[i] = len(strings.ToUpper(it))
			}()
		}
		wg.Wait()
		var mu sync.Mutex
		mu.Lock()
		defer mu.Unlock()
		_, err := tx.Exec(ctx, `UPDATE a SET b = $1`, sums)
		return err
	})
}

func Upload(w http.ResponseWriter, r *http.Request, pool *pgxpool.Pool) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	ctx := r.Context()
	_ = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		rd := strings.NewReader(string(body))
		var v map[string]any
		if err := json.NewDecoder(io.LimitReader(rd, 10)).Decode(&v); err != nil {
			return err
		}
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		select {
		case <-ctx.Done():
			return ctx.Err()
		default:
		}
		_, err := tx.Exec(ctx, `UPDATE a SET b = $1`, v)
		return err
	})
}
