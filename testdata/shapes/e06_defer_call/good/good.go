package good

import (
	"context"
	"gorm.io/gorm"
	"net/http"
)

func Run(ctx context.Context, db *gorm.DB) (err error) {
	defer func() {
		if err == nil {
			ping(ctx)
		}
	}()
	tx := db.Begin()
	defer tx.Rollback()
	if err := tx.Exec(`UPDATE a SET b = 1`).Error; err != nil {
		ping(context.Background())
		return err
	}
	return tx.Commit().Error
}

func ping(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, "GET", "https://x", nil)
	if err != nil {
		return err
	}
	go func() {
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			resp.Body.Close()
		}
	}()
	return nil
}
