package dbapi

// insiders is the table of packages whose functions look as if they left the
// process and do not, or send on another goroutine what nobody waits for: loggers,
// metrics, traces, and test doubles.
func insiders() *Library {
	lib := &Library{Name: "insiders"}
	for _, pkg := range []string{
		"github.com/jarcoal/httpmock", "github.com/h2non/gock", "google.golang.org/grpc/test/bufconn",
		"github.com/alicebob/miniredis/...", "github.com/prometheus/client_golang/prometheus/...",
		"go.opentelemetry.io/...", "go.opencensus.io/...", "github.com/opentracing/opentracing-go/...", "github.com/getsentry/sentry-go/...",
		"github.com/DataDog/dd-trace-go/...", "gopkg.in/DataDog/dd-trace-go/...", "github.com/DataDog/datadog-go/...", "github.com/newrelic/go-agent/...",
		"go.uber.org/zap/...", "github.com/rs/zerolog/...", "github.com/sirupsen/logrus/...", "log/...", "github.com/go-logr/logr/...",
		"google.golang.org/grpc/metadata",
	} {
		lib.Shapes = append(lib.Shapes, Shape{On: pkg + ".*", Funcs: true, Role: Inside})
	}
	return lib
}
