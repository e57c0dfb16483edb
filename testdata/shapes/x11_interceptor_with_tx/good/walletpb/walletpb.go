package walletpb

type TopUpRequest struct{ ID, Cents int64 }

type TopUpResponse struct{ Cents int64 }

type UnimplementedWalletServer struct{}
