package dbapi

// contexts is the table of the functions that make contexts: those of context,
// https://pkg.go.dev/context, and of packages that hand on what a context
// carries. It has no Packages: to import them is not to use a database.
func contexts() *Library {
	return &Library{
		Name: "context",
		// A request's context carries a transaction only if a middleware has put
		// it there, which makes a new request.
		Contexts: []string{"*github.com/gin-gonic/gin.Context", "*github.com/valyala/fasthttp.RequestCtx"},
		Funcs: join(
			in("context",
				f("Background TODO", CtxRoot, ""),
				f("WithCancel WithCancelCause", CtxDerive, "ctx"),
				f("WithDeadline WithTimeout WithDeadlineCause WithTimeoutCause", CtxDerive, "ctx limit"),
				f("WithValue", CtxDerive, "ctx key val"),
				f("WithoutCancel", CtxDetach, "ctx"),
			),
			in("os/signal", f("NotifyContext", CtxDerive, "ctx signals")),
			in("golang.org/x/sync/errgroup", f("WithContext", CtxDerive, "ctx")),

			on("*net/http.Request", f("Context", CtxRoot, "req")),
			on("*testing.common", f("Context", CtxRoot, "t")),
			on("testing.TB", f("Context", CtxRoot, "t")),
			on("*github.com/gofiber/fiber/v2.Ctx", f("Context UserContext", CtxRoot, "c")),
			on("*github.com/spf13/cobra.Command", f("Context", CtxRoot, "cmd")),
			on("google.golang.org/grpc.ServerStream", f("Context", CtxRoot, "stream")),

			in("google.golang.org/grpc/metadata",
				f("NewIncomingContext NewOutgoingContext", CtxDerive, "ctx md"),
				f("AppendToOutgoingContext", CtxDerive, "ctx kv")),
			on("go.opentelemetry.io/otel/trace.Tracer", f("Start", CtxDerive, "tracer ctx name opts")),
			in("go.opentelemetry.io/otel/trace", f("ContextWithSpan ContextWithSpanContext ContextWithRemoteSpanContext", CtxDerive, "ctx span")),
			in("github.com/opentracing/opentracing-go",
				f("StartSpanFromContext", CtxDerive, "ctx name opts"),
				f("ContextWithSpan", CtxDerive, "ctx span")),
			on("github.com/rs/zerolog.Logger", f("WithContext", CtxDerive, "logger ctx")),
		),
	}
}
