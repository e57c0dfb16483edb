package rpc

import (
	"context"
	"log"
	"net/http"
	"strconv"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/x07_roots_of_servers/bad/wallet"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/x07_roots_of_servers/bad/walletpb"
)

type Server struct {
	walletpb.UnimplementedWalletServer
	store wallet.Store
}

func (s *Server) TopUp(ctx context.Context, req *walletpb.TopUpRequest) (*walletpb.TopUpResponse, error) {
	w, err := s.add(ctx, req.ID, req.Cents)
	if err != nil {
		return nil, err
	}
	return &walletpb.TopUpResponse{Cents: w.Cents}, nil
}

func (s *Server) add(ctx context.Context, id, cents int64) (wallet.Wallet, error) {
	w, err := s.store.Lock(ctx, id) // expect: lockoutsidetx
	if err != nil {
		return w, err
	}
	w.Cents += cents
	return w, s.store.Save(ctx, w)
}

func (s *Server) Routes(mux *http.ServeMux) {
	mux.HandleFunc("POST /wallets/{id}/empty", func(rw http.ResponseWriter, r *http.Request) {
		id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
		if err != nil {
			http.Error(rw, err.Error(), http.StatusBadRequest)
			return
		}
		w, err := s.store.Lock(r.Context(), id) // expect: lockoutsidetx
		if err != nil {
			http.Error(rw, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Cents = 0
		if err := s.store.Save(r.Context(), w); err != nil {
			log.Print(err)
		}
	})
}

// Sweep starts a worker of its own.
func (s *Server) Sweep(ids []int64) {
	go func() {
		ctx := context.Background()
		for _, id := range ids {
			w, err := s.store.Lock(ctx, id) // expect: lockoutsidetx
			if err != nil {
				log.Print(err)
				continue
			}
			w.Cents = 0
			if err := s.store.Save(ctx, w); err != nil {
				log.Print(err)
			}
		}
	}()
}
