package rpc

import (
	"context"
	"log"
	"net/http"
	"strconv"

	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/x07_roots_of_servers/good/wallet"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/x07_roots_of_servers/good/walletpb"
)

type Server struct {
	walletpb.UnimplementedWalletServer
	store wallet.Store
	tm    *manager.Manager
}

func (s *Server) TopUp(ctx context.Context, req *walletpb.TopUpRequest) (resp *walletpb.TopUpResponse, err error) {
	err = s.tm.Do(ctx, func(ctx context.Context) error {
		w, err := s.Add(ctx, req.ID, req.Cents)
		resp = &walletpb.TopUpResponse{Cents: w.Cents}
		return err
	})
	return resp, err
}

// Add is a step of a transaction; who calls it from elsewhere is not known.
func (s *Server) Add(ctx context.Context, id, cents int64) (wallet.Wallet, error) {
	w, err := s.store.Lock(ctx, id)
	if err != nil {
		return w, err
	}
	w.Cents += cents
	return w, s.store.Save(ctx, w)
}

// Reset is for whoever uses this package, in a transaction or not.
func (s *Server) Reset(ctx context.Context, id int64) error {
	w, err := s.store.Lock(ctx, id)
	if err != nil {
		return err
	}
	w.Cents = 0
	return s.store.Save(ctx, w)
}

func (s *Server) Routes(mux *http.ServeMux) {
	mux.HandleFunc("POST /wallets/{id}/empty", func(rw http.ResponseWriter, r *http.Request) {
		id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
		if err != nil {
			http.Error(rw, err.Error(), http.StatusBadRequest)
			return
		}
		if err := s.tm.Do(r.Context(), func(ctx context.Context) error { return s.Reset(ctx, id) }); err != nil {
			http.Error(rw, err.Error(), http.StatusInternalServerError)
		}
	})
}

func (s *Server) Sweep(ids []int64) {
	go func() {
		for _, id := range ids {
			err := s.tm.Do(context.Background(), func(ctx context.Context) error { return s.Reset(ctx, id) })
			if err != nil {
				log.Print(err)
			}
		}
	}()
}
