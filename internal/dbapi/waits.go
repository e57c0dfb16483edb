package dbapi

// waits is the table of what waits for time or for other goroutines:
// https://pkg.go.dev/time, https://pkg.go.dev/sync, https://pkg.go.dev/golang.org/x/sync,
// https://pkg.go.dev/golang.org/x/time/rate. It has no Packages: all programs import them.
func waits() *Library {
	const (
		goroutines = "waiting for goroutines"
		turn       = "waiting for a turn"
		serving    = "serving requests"
	)
	return &Library{
		Name: "waits",
		Funcs: join(
			in("time", f("Sleep", Wait, "d", what("a sleep"))),
			on("*sync.WaitGroup", f("Wait", Wait, "wg", what(goroutines))),
			on("*sync.Cond", f("Wait", Wait, "cond", what("waiting for a signal"))),
			on("*golang.org/x/sync/errgroup.Group", f("Wait", Wait, "g", what(goroutines))),
			on("*golang.org/x/sync/semaphore.Weighted", f("Acquire", Wait, "s ctx n", what(turn))),
			on("*golang.org/x/sync/singleflight.Group", f("Do", Wait, "g key fn", what("waiting for another caller"))),
			on("*golang.org/x/time/rate.Limiter", f("Wait", Wait, "lim ctx", what(turn)), f("WaitN", Wait, "lim ctx n", what(turn))),
			in("github.com/lestrrat-go/backoff/v2", f("Continue", Wait, "c", what("a pause between tries"))),
			in("k8s.io/apimachinery/pkg/util/wait",
				f("Until NonSlidingUntil", Wait, "fn period stop", what("a loop"), endless),
				f("UntilWithContext NonSlidingUntilWithContext", Wait, "ctx fn(ctx) period", what("a loop"), endless),
				f("Forever", Wait, "fn period", what("a loop"), endless),
			),
			on("*k8s.io/apimachinery/pkg/util/wait.Group", f("Wait", Wait, "g", what(goroutines))),
			on("*google.golang.org/grpc.Server", f("Serve", Wait, "server listener", what(serving), endless), f("GracefulStop", Wait, "server", what("waiting for open calls"))),
			on("*github.com/gin-gonic/gin.Engine", f("Run", Wait, "engine addr", what(serving), endless), f("RunTLS", Wait, "engine addr cert key", what(serving), endless)),
			on("*github.com/gofiber/fiber/v2.App", f("Listen", Wait, "app addr", what(serving), endless)),
		),
		Shapes: []Shape{
			{On: "github.com/sourcegraph/conc/....*", Names: "Wait WaitAndRecover", Role: Wait, What: goroutines},
			{On: "github.com/alitto/pond.*", Names: "StopAndWait Wait", Role: Wait, What: goroutines},
			{On: "gopkg.in/tomb.Tomb", Names: "Wait", Role: Wait, What: goroutines},
			{On: "go.uber.org/ratelimit.Limiter", Names: "Take", Role: Wait, What: turn},
			{On: "github.com/juju/ratelimit.Bucket", Names: "Wait", Role: Wait, What: turn},
			{On: "github.com/labstack/echo.Echo", Names: "Start StartTLS StartServer", Role: Wait, What: serving},
		},
	}
}

// slow is the table of what takes long by design, https://pkg.go.dev/golang.org/x/crypto,
// of encoders of images, and of what a framework writes to its client.
func slow() *Library {
	const (
		crypto   = "golang.org/x/crypto/"
		hash     = "a password hash"
		key      = "making a key pair"
		encoding = "encoding an image"
		gin      = "*github.com/gin-gonic/gin.Context"
		body     = requestBody
	)
	return &Library{
		Name: "slow",
		Funcs: join(
			in(crypto+"bcrypt",
				f("GenerateFromPassword", Slow, "password cost", what(hash)),
				f("CompareHashAndPassword", Slow, "hash password", what(hash)),
			),
			in(crypto+"argon2", f("IDKey Key", Slow, "password salt time memory threads len", what(hash))),
			in(crypto+"scrypt", f("Key", Slow, "password salt cost r p len", what(hash))),
			in(crypto+"pbkdf2", f("Key", Slow, "password salt iter len hash", what(hash))),
			in("crypto/pbkdf2", f("Key", Slow, "hash password salt iter len", what(hash))),
			in("crypto/rsa", f("GenerateKey", Slow, "rand bits", what(key))),
			in("image/png", f("Encode", Slow, "w image", what(encoding))),
			in("image/jpeg", f("Encode", Slow, "w image opts", what(encoding))),
			in("image/gif", f("Encode", Slow, "w image opts", what(encoding)), f("EncodeAll", Slow, "w image", what(encoding))),
			in("net/http",
				f("ServeContent", Slow, "w req name modtime content", what(response)),
				f("ServeFile", Slow, "w req name", what(response)),
			),
			on(gin,
				f("JSON IndentedJSON SecureJSON PureJSON AsciiJSON XML YAML", Slow, "c code val", what(response)),
				f("Data", Slow, "c code type data", what(response)),
				f("String", Slow, "c code format val", what(response)),
				f("File", Slow, "c path", what(response)),
				ext("ShouldBind ShouldBindJSON ShouldBindXML ShouldBindYAML Bind BindJSON BindXML BindYAML", "c dst", body),
				ext("GetRawData MultipartForm", "c", body),
				ext("FormFile PostForm", "c name", body),
			),
		),
		Shapes: []Shape{
			{On: "github.com/labstack/echo.Context", Names: "JSON JSONPretty JSONBlob XML String HTML Blob Stream File Attachment", Role: Slow, Error: true, What: response},
			{On: "github.com/labstack/echo.Context", Names: "Bind FormFile MultipartForm", Error: true, What: body},
		},
	}
}
