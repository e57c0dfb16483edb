package bad

import (
	"context"
	"encoding/json"
	"gorm.io/gorm"
	"net/http"
)

type geo struct{ *http.Client }

func (g geo) locate(ctx context.Context, addr string) (lat, lon float64, err error) {
	resp, err := g.Get("http://geo/?q=" + addr)
	if err != nil {
		return 0, 0, err
	}
	defer resp.Body.Close()
	var p struct{ Lat, Lon float64 }
	err = json.NewDecoder(resp.Body).Decode(&p)
	return p.Lat, p.Lon, err
}

type Places struct {
	db     *gorm.DB
	locate func(ctx context.Context, addr string) (float64, float64, error)
}

func New(db *gorm.DB) *Places { return &Places{db: db, locate: geo{http.DefaultClient}.locate} }

func (p *Places) Move(ctx context.Context, id uint, addr string) error {
	tx := p.db.WithContext(ctx).Begin()
	defer tx.Rollback()
	if err := tx.Exec("UPDATE places SET addr = ? WHERE id = ?", addr, id).Error; err != nil {
		return err
	}
	lat, lon, err := p.locate(ctx, addr) // expect: externalcall
	if err != nil {
		return err
	}
	if err := tx.Exec("UPDATE places SET lat = ?, lon = ? WHERE id = ?", lat, lon, id).Error; err != nil {
		return err
	}
	return tx.Commit().Error
}
