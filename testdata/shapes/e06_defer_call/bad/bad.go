package bad

import (
	"context"
	"gorm.io/gorm"
	"net/http"
)

func Run(ctx context.Context, db *gorm.DB) error {
	return db.Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec(`UPDATE a SET b = 1`).Error; err != nil {
			return err
		}
		if err := tx.Exec(`SAVEPOINT s`).Error; err != nil {
			return err
		}
		return ping(ctx) // expect: externalcall
	})
}

func ping(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, "GET", "https://x", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
