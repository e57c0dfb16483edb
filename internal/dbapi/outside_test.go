package dbapi_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

// fakes are packages in the image of libraries, with what the shapes look at.
var fakes = map[string]string{
	"context":                `type Context interface{}`,
	"google.golang.org/grpc": `type CallOption interface{}`,
	"net/http": `
		type Request struct{}
		type Response struct{}
		type ResponseWriter interface{}`,
	"connectrpc.com/connect": `
		type Request[T any] struct{}
		type Response[T any] struct{}`,
	"github.com/aws/aws-sdk-go-v2/service/s3": `
		import "context"
		type Options struct{}
		type PutObjectInput struct{}
		type PutObjectOutput struct{}
		type Client struct{}
		func (*Client) PutObject(context.Context, *PutObjectInput, ...func(*Options)) (*PutObjectOutput, error) { return nil, nil }
		func (*Client) Options() Options { return Options{} }
		type PresignClient struct{}
		func (*PresignClient) PresignPutObject(context.Context, *PutObjectInput) (string, error) { return "", nil }`,
	"github.com/aws/aws-sdk-go/service/sqs": `
		type Request struct{}
		type SendMessageInput struct{}
		type SendMessageOutput struct{}
		type SQS struct{}
		func (*SQS) SendMessage(*SendMessageInput) (*SendMessageOutput, error) { return nil, nil }
		func (*SQS) SendMessageRequest(*SendMessageInput) (*Request, *SendMessageOutput) { return nil, nil }`,
	"github.com/redis/go-redis/v9": `
		import "context"
		type Cmder interface{}
		type StatusCmd struct{}
		type Pipeliner interface{}
		type cmdable func()
		func (cmdable) Set(context.Context, string, any) *StatusCmd { return nil }
		func (cmdable) Pipeline() Pipeliner { return nil }
		type Client struct{ cmdable }`,
	"github.com/segmentio/kafka-go": `type Message struct{}`,
	"github.com/prometheus/client_golang/prometheus/push": `
		type Pusher struct{}
		func (*Pusher) Push() error { return nil }`,
	"example.com/app": `
		import (
			"context"
			"net/http"
			"google.golang.org/grpc"
			"connectrpc.com/connect"
			"github.com/aws/aws-sdk-go-v2/service/s3"
			"github.com/redis/go-redis/v9"
			"github.com/segmentio/kafka-go"
		)
		type Msg struct{}
		type Stream interface{}
		type Doer interface { Do(*http.Request) (*http.Response, error) }
		type DoerMock struct{}
		func (DoerMock) Do(*http.Request) (*http.Response, error) { return nil, nil }
		type Tripper struct{}
		func (Tripper) RoundTrip(*http.Request) (*http.Response, error) { return nil, nil }
		type Handler interface { Do(http.ResponseWriter, *http.Request) }
		type BlobsClient interface {
			Put(context.Context, *Msg, ...grpc.CallOption) (*Msg, error)
			Watch(context.Context, ...grpc.CallOption) (Stream, error)
		}
		type BlobsServer interface { Put(context.Context, *Msg) (*Msg, error) }
		type PingClient interface { Ping(context.Context, *connect.Request[Msg]) (*connect.Response[Msg], error) }
		type PingHandler interface { Ping(context.Context, *connect.Request[Msg]) (*connect.Response[Msg], error) }
		type Putter interface { PutObject(context.Context, *s3.PutObjectInput, ...func(*s3.Options)) (*s3.PutObjectOutput, error) }
		type Check interface { Valid(*s3.PutObjectInput) error }
		type Cache interface { Set(context.Context, string, any) *redis.StatusCmd }
		type Writer interface { WriteMessages(context.Context, ...kafka.Message) error }
		type Consumer interface { Handle(context.Context, kafka.Message) error }
		type Store interface { Get(context.Context, string) ([]byte, error) }
		func Do(*http.Request) (*http.Response, error) { return nil, nil }`,
}

// fakeImporter type-checks fakes.
type fakeImporter struct {
	fset *token.FileSet
	done map[string]*types.Package
}

func (im *fakeImporter) Import(path string) (*types.Package, error) {
	if p := im.done[path]; p != nil {
		return p, nil
	}
	elems := strings.Split(strings.TrimSuffix(path, "/v9"), "/")
	name := strings.TrimSuffix(strings.TrimPrefix(elems[len(elems)-1], "go-"), "-go")
	file, err := parser.ParseFile(im.fset, path, "package "+name+"\n"+fakes[path], 0)
	if err != nil {
		return nil, err
	}
	p, err := (&types.Config{Importer: im}).Check(path, im.fset, []*ast.File{file}, nil)
	im.done[path] = p
	return p, err
}

func TestExternalShape(t *testing.T) {
	fset := token.NewFileSet()
	im := &fakeImporter{fset, map[string]*types.Package{}}
	for path := range fakes {
		if _, err := im.Import(path); err != nil {
			t.Fatal(err)
		}
	}
	const (
		app   = "example.com/app."
		store = "an object-store request"
	)
	want := map[string]string{
		"(" + app + "Doer).Do":                                        "an HTTP request",
		"(*" + app + "Tripper).RoundTrip":                             "an HTTP request",
		"(" + app + "BlobsClient).Put":                                "a gRPC call",
		"(" + app + "BlobsClient).Watch":                              "a gRPC call",
		"(" + app + "PingClient).Ping":                                "a gRPC call",
		"(" + app + "Putter).PutObject":                               store,
		"(" + app + "Cache).Set":                                      "a Redis command",
		"(" + app + "Writer).WriteMessages":                           "a message to Kafka",
		"(*github.com/aws/aws-sdk-go-v2/service/s3.Client).PutObject": store,
		"(*github.com/aws/aws-sdk-go/service/sqs.SQS).SendMessage":    "a message to SQS",
		"(github.com/redis/go-redis/v9.cmdable).Set":                  "a Redis command",
	}
	got := map[string]string{}
	for name, f := range functions(im.done) {
		row := dbapi.ExternalShape(f)
		if row == nil {
			continue
		}
		if row.Role == dbapi.Inside {
			if name != "(*github.com/prometheus/client_golang/prometheus/push.Pusher).Push" {
				t.Errorf("%s is inside", name)
			}
			continue
		}
		got[name] = row.What
		if ctx := f.Signature().Params().At(0).Type().String() == "context.Context"; ctx != (row.Ctx == dbapi.A(1)) {
			t.Errorf("%s: Ctx is argument %d", name, row.Ctx.Index())
		}
	}
	want["("+app+"Tripper).RoundTrip"] = want["(*"+app+"Tripper).RoundTrip"]
	delete(want, "(*"+app+"Tripper).RoundTrip")
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			t.Errorf("%s: %q, want %q", name, got[name], want[name])
		}
	}
	for name, words := range got {
		if want[name] == "" {
			t.Errorf("%s: %q, want none", name, words)
		}
	}
}

// shapeless are shapes that not every package of theirs has functions of.
var shapeless = []string{"github.com/aws/aws-sdk-go-v2/service/", "github.com/streadway/amqp."}

// TestShapes checks that each shape of a package in testdata/libs has functions.
func TestShapes(t *testing.T) {
	pkgs := load(t)
	counts := map[*dbapi.Shape]int{}
	for name, f := range functions(pkgs) {
		if s := dbapi.ShapeOf(f); s != nil && dbapi.Outside(name) == nil {
			counts[s]++
		}
	}
	paths := map[string]bool{}
	for path := range pkgs {
		paths[dbapi.Unversioned(path)] = true
	}
	for _, lib := range dbapi.OutsideLibraries() {
		for i := range lib.Shapes {
			s := &lib.Shapes[i]
			if s.With == "" && paths[s.On[:max(strings.LastIndexByte(s.On, '.'), 0)]] && counts[s] == 0 &&
				!slices.ContainsFunc(shapeless, func(p string) bool { return strings.HasPrefix(s.On, p) }) {
				t.Errorf("%s: no function is %+v", lib.Name, *s)
			}
		}
	}
}

func TestOutside(t *testing.T) {
	for name, want := range map[string]dbapi.Func{
		"(*net/http.Client).Do":   {Role: dbapi.External, What: "an HTTP request"},
		"net/smtp.SendMail":       {Role: dbapi.External, What: "a mail"},
		"(*os/exec.Cmd).Start":    {Role: dbapi.External, What: "a subprocess", Async: true},
		"time.Sleep":              {Role: dbapi.Wait, What: "a sleep"},
		"net/http.ListenAndServe": {Role: dbapi.Wait, What: "serving requests", Endless: true},
		"golang.org/x/crypto/bcrypt.GenerateFromPassword":                       {Role: dbapi.Slow, What: "a password hash"},
		"net/http.NewRequestWithContext":                                        {Role: dbapi.Inside},
		"github.com/avast/retry-go/v4.Do":                                       {Role: dbapi.Retry, Again: dbapi.OnError},
		"(*github.com/avast/retry-go/v5.RetrierWithData[T]).Do":                 {Role: dbapi.Retry, Again: dbapi.OnError},
		"github.com/sethvargo/go-retry.Do":                                      {Role: dbapi.Retry, Again: dbapi.OnMarked},
		"(github.com/ThreeDotsLabs/watermill/components/cqrs.EventBus).Publish": {Role: dbapi.External, What: "a message to a broker", Maybe: true},
	} {
		f := dbapi.Outside(name)
		if f == nil {
			t.Errorf("no %s", name)
			continue
		}
		if f.Role != want.Role || f.What != want.What || f.Async != want.Async || f.Maybe != want.Maybe || f.Endless != want.Endless || f.Again != want.Again {
			t.Errorf("%s: %+v", name, f)
		}
		if dbapi.LibraryOf(f) == nil {
			t.Errorf("%s: no library", name)
		}
		if dbapi.Lookup(name) != nil {
			t.Errorf("%s is in the database tables", name)
		}
	}
	if f := dbapi.Lookup("github.com/cockroachdb/cockroach-go/v2/crdb.ExecuteTx"); f == nil || f.Role != dbapi.RunTx || !slices.Equal(f.Retries, []string{"40001"}) {
		t.Errorf("crdb.ExecuteTx: %+v", f)
	}
	for path, want := range map[string]bool{
		"net/http": true, "net/smtp": true, "os/exec": true, "github.com/segmentio/kafka-go": true,
		"github.com/aws/aws-sdk-go-v2/service/lambda": true, "github.com/redis/go-redis/v9": true, "cloud.google.com/go/storage": true,
		"time": false, "sync": false, "log/slog": false, "net/http/httptest": false, "net/url": false, "database/sql": false, "": false,
		"github.com/avast/retry-go/v4": false, "go.uber.org/zap": false, "golang.org/x/crypto/bcrypt": false,
	} {
		if got := dbapi.Sink(path); got != want {
			t.Errorf("Sink(%q) = %v", path, got)
		}
	}
	if !dbapi.Collects("github.com/redis/go-redis/v9.Pipeliner") || dbapi.Collects("*github.com/redis/go-redis/v9.Client") {
		t.Error("Collects: a pipeline collects, a client sends")
	}
	if s := dbapi.Streams(); !slices.Contains(s, "net/http.Request.Body") {
		t.Errorf("Streams() = %v", s)
	}
}

func BenchmarkExternalShape(b *testing.B) {
	fset := token.NewFileSet()
	im := &fakeImporter{fset, map[string]*types.Package{}}
	if _, err := im.Import("example.com/app"); err != nil {
		b.Fatal(err)
	}
	funcs := slices.Collect(maps.Values(functions(im.done)))
	for i := 0; b.Loop(); i++ {
		dbapi.ExternalShape(funcs[i%len(funcs)])
	}
}
