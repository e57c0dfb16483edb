package dbapi

// rpc is the table of gRPC, https://pkg.go.dev/google.golang.org/grpc, of
// Connect, https://pkg.go.dev/connectrpc.com/connect, and of their generated
// clients, which are told by their form.
func rpc() *Library {
	const (
		grpc    = "google.golang.org/grpc"
		connect = "connectrpc.com/connect"
		twirp   = "github.com/twitchtv/twirp"
	)
	invoke := join(
		ext("Invoke", "conn ctx method in out opts", grpcCall),
		ext("NewStream", "conn ctx desc method opts", grpcCall),
	)
	return &Library{
		Name:     "rpc",
		Packages: []string{grpc, connect, twirp, "storj.io/drpc", "github.com/cloudwego/kitex/...", "github.com/smallnest/rpcx/..."},
		Funcs: join(
			on("*"+grpc+".ClientConn", invoke),
			on(grpc+".ClientConnInterface", invoke),
			in(grpc,
				ext("Invoke", "ctx method in out conn opts", grpcCall),
				ext("DialContext", "ctx target opts", connection, maybe), // waits only with WithBlock
			),
			on(grpc+".ClientStream", ext("RecvMsg SendMsg", "stream m", grpcCall), ext("Header CloseSend", "stream", grpcCall)),
			on(grpc+".ServerStream", ext("RecvMsg SendMsg", "stream m", grpcCall)),
			on("*"+connect+".Client",
				ext("CallUnary CallServerStream", "client ctx req", grpcCall),
				ext("CallClientStream CallBidiStream CallClientStreamSimple CallBidiStreamSimple", "client ctx", grpcCall, async),
			),
			on("*"+connect+".ClientStreamForClient", ext("Send", "stream val", grpcCall), ext("CloseAndReceive", "stream", grpcCall)),
			on("*"+connect+".BidiStreamForClient", ext("Send", "stream val", grpcCall), ext("Receive", "stream", grpcCall)),
			on("*"+connect+".ServerStreamForClient", ext("Receive", "stream", grpcCall)),
		),
		Shapes: []Shape{
			{With: grpc + ".CallOption", Context: true, Error: true, What: grpcCall},
			{With: "github.com/googleapis/gax-go.CallOption", Context: true, Error: true, What: grpcCall},
			{With: "github.com/micro/go-micro/client.CallOption", Context: true, Error: true, What: grpcCall},
			{With: "go-micro.dev/client.CallOption", Context: true, Error: true, What: grpcCall},
			{With: "github.com/cloudwego/kitex/client/callopt.Option", Context: true, Error: true, What: "a remote call"},
			// A handler has the same form; only the name tells a client.
			{With: connect + ".Request", On: "....*Client", Context: true, Result: connect + ".Response", Error: true, What: grpcCall},
			{On: grpc + ".ServerStreamingClient", Names: "Recv", What: grpcCall},
			{On: grpc + ".ClientStreamingClient", Names: "Send CloseAndRecv", What: grpcCall},
			{On: grpc + ".BidiStreamingClient", Names: "Send Recv", What: grpcCall},
		},
	}
}
