// Package stores moves shops to new addresses: a Store that hands itself on
// inside of a transaction, queries as a generator writes them, and a service
// that knows where addresses are.
package stores

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Store is all that the database can do.
type Store interface {
	InTx(ctx context.Context, fn func(Store) error) error
	MoveShop(ctx context.Context, arg MoveShopParams) error
	PlaceShop(ctx context.Context, arg PlaceShopParams) error
	AddJob(ctx context.Context, kind string, args []byte) error
}

// PgStore is the Store on PostgreSQL.
type PgStore struct {
	*Queries
	pool *pgxpool.Pool
}

// NewStore returns a store over the pool.
func NewStore(pool *pgxpool.Pool) *PgStore { return &PgStore{Queries: &Queries{db: pool}, pool: pool} }

// InTx implements [Store].
func (s *PgStore) InTx(ctx context.Context, fn func(Store) error) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		return fn(&PgStore{Queries: s.WithTx(tx), pool: s.pool})
	})
}

// Geocoder finds places.
type Geocoder struct{ base string }

// NewGeocoder returns a geocoder at base.
func NewGeocoder(base string) Geocoder { return Geocoder{base} }

func (g Geocoder) find(address string) (lat, lon float64, err error) {
	resp, err := http.Get(g.base + "/find?q=" + url.QueryEscape(address))
	if err != nil {
		return 0, 0, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return 0, 0, fmt.Errorf("geocoder: %s", resp.Status)
	}
	var place struct{ Lat, Lon float64 }
	err = json.NewDecoder(resp.Body).Decode(&place)
	return place.Lat, place.Lon, err
}

// Service moves shops.
type Service struct {
	store Store
	geo   Geocoder
}

// NewService returns a service over the store.
func NewService(store Store, geo Geocoder) *Service { return &Service{store: store, geo: geo} }

// Move writes the address and then asks where it is.
func (s *Service) Move(ctx context.Context, shop int64, address string) error {
	return s.store.InTx(ctx, func(q Store) error {
		if err := q.MoveShop(ctx, MoveShopParams{ID: shop, Address: address}); err != nil {
			return err
		}
		lat, lon, err := s.geo.find(address) // want "transaction open"
		if err != nil {
			return err
		}
		return q.PlaceShop(ctx, PlaceShopParams{ID: shop, Lat: lat, Lon: lon})
	})
}

// AskThenMove asks first.
//
//proof:fixes (*Service).Move
func (s *Service) AskThenMove(ctx context.Context, shop int64, address string) error {
	lat, lon, err := s.geo.find(address)
	if err != nil {
		return err
	}
	return s.store.InTx(ctx, func(q Store) error {
		if err := q.MoveShop(ctx, MoveShopParams{ID: shop, Address: address}); err != nil {
			return err
		}
		return q.PlaceShop(ctx, PlaceShopParams{ID: shop, Lat: lat, Lon: lon})
	})
}

// MoveLater is right as well: the question is queued in the same database, and
// asked by a worker when this transaction has committed.
func (s *Service) MoveLater(ctx context.Context, shop int64, address string) error {
	args, err := json.Marshal(map[string]any{"shop": shop, "address": address})
	if err != nil {
		return err
	}
	return s.store.InTx(ctx, func(q Store) error {
		if err := q.MoveShop(ctx, MoveShopParams{ID: shop, Address: address}); err != nil {
			return err
		}
		return q.AddJob(ctx, "geocode", args)
	})
}
