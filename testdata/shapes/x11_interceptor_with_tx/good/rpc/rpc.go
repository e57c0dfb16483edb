package rpc

import (
	"context"

	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/x11_interceptor_with_tx/good/wallet"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/x11_interceptor_with_tx/good/walletpb"
)

type Server struct {
	walletpb.UnimplementedWalletServer
	store wallet.Store
}

func (s *Server) TopUp(ctx context.Context, req *walletpb.TopUpRequest) (*walletpb.TopUpResponse, error) {
	w, err := s.store.Lock(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	w.Cents += req.Cents
	return &walletpb.TopUpResponse{Cents: w.Cents}, s.store.Save(ctx, w)
}

type Info struct{ FullMethod string }

type Handler func(ctx context.Context, req any) (any, error)

// InTx is an interceptor: each call runs in one transaction.
func InTx(tm *manager.Manager) func(context.Context, any, *Info, Handler) (any, error) {
	return func(ctx context.Context, req any, _ *Info, handler Handler) (resp any, err error) {
		err = tm.Do(ctx, func(ctx context.Context) error {
			resp, err = handler(ctx, req)
			return err
		})
		return resp, err
	}
}
