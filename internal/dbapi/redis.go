package dbapi

// redis is the table of Redis and Memcached:
// https://pkg.go.dev/github.com/redis/go-redis/v9,
// https://pkg.go.dev/github.com/gomodule/redigo/redis,
// https://pkg.go.dev/github.com/redis/rueidis,
// https://pkg.go.dev/github.com/bradfitz/gomemcache/memcache.
func redis() *Library {
	const (
		command  = "a Redis command"
		memcache = "a Memcached command"
		redigo   = "github.com/gomodule/redigo/redis"
	)
	lib := &Library{
		Name: "redis",
		Packages: []string{
			redigo, "github.com/redis/go-redis", "github.com/go-redis/redis", "github.com/redis/rueidis", "github.com/valkey-io/valkey-go",
			"github.com/bradfitz/gomemcache/memcache", "github.com/go-redsync/redsync", "github.com/bsm/redislock",
		},
		Funcs: join(
			on(redigo+".Conn",
				ext("Do", "conn command args", command),
				ext("Send", "conn command args", command, async),
				ext("Flush Receive", "conn", command),
			),
			in(redigo,
				ext("DoWithTimeout", "conn limit command args", command),
				ext("DoContext", "conn ctx command args", command),
				ext("Dial", "network addr opts", connection),
				ext("DialURL", "url opts", connection),
			),
			on("*"+redigo+".Script", ext("Do", "script conn args", command), ext("DoContext", "script ctx conn args", command)),
			on("*github.com/bradfitz/gomemcache/memcache.Client",
				ext("Get GetMulti Delete GetAndTouch Touch Increment Decrement", "client key", memcache),
				ext("Set Add Replace CompareAndSwap Append Prepend", "client item", memcache),
				ext("Ping DeleteAll FlushAll", "client", memcache),
			),
		),
		Shapes: []Shape{
			{On: "github.com/redis/rueidis.*Client", Context: true, What: command},
			{On: "github.com/valkey-io/valkey-go.*Client", Context: true, What: command},
			{With: "github.com/redis/rueidis.Completed", Names: "Do DoMulti", Context: true, What: command},
			{On: "github.com/redis/rueidis/....*", Context: true, What: command},
			{On: "github.com/mediocregopher/radix.*", Names: "Do", Error: true, What: command},
			{On: "github.com/go-redsync/redsync.Mutex", Names: "Lock* TryLock* Unlock* Extend* Valid*", Error: true, What: "a lock in Redis"},
			{On: "github.com/bsm/redislock.*", Context: true, Error: true, What: "a lock in Redis"},
		},
	}
	for _, pkg := range []string{"github.com/redis/go-redis", "github.com/go-redis/redis"} {
		version := "/v9"
		if pkg == "github.com/go-redis/redis" {
			version = "/v8"
		}
		// The commands of a pipeline are those of a client; Exec sends them.
		lib.Collectors = append(lib.Collectors, pkg+version+".Pipeliner", "*"+pkg+version+".Pipeline")
		lib.Funcs = append(lib.Funcs, join(
			on(pkg+version+".Pipeliner", ext("Exec", "pipe ctx", command)),
			on("*"+pkg+version+".Pipeline", ext("Exec", "pipe ctx", command)),
			on("*"+pkg+version+".Script",
				ext("Run Eval EvalSha", "script ctx client keys args", command),
				ext("Load Exists", "script ctx client", command),
			),
			on("*"+pkg+version+".PubSub",
				ext("Receive", "sub ctx", "a read from Redis"),
				ext("ReceiveMessage", "sub ctx", "a read from Redis"),
				ext("ReceiveTimeout", "sub ctx limit", "a read from Redis"),
			),
		)...)
		local := "-Process* -Options -Pipeline -TxPipeline -AddHook"
		lib.Shapes = append(lib.Shapes,
			Shape{On: pkg + ".*", Result: pkg + ".*Cmd", Context: true, Names: local, What: command},
			Shape{On: pkg + ".*", Names: "Pipelined TxPipelined Watch Do ForEach*", Context: true, What: command},
			Shape{With: pkg + ".*Cmd", Context: true, Result: pkg + ".*Cmd", What: command},
		)
	}
	return lib
}

// stores is the table of other databases and search engines:
// https://pkg.go.dev/go.mongodb.org/mongo-driver/v2/mongo,
// https://pkg.go.dev/github.com/elastic/go-elasticsearch/v8,
// https://pkg.go.dev/github.com/olivere/elastic/v7.
func stores() *Library {
	const search = "a search request"
	lib := &Library{
		Name:     "stores",
		Packages: []string{"go.mongodb.org/mongo-driver/...", "github.com/gocql/gocql"},
		Funcs: join(
			on("*github.com/gocql/gocql.Query",
				ext("Exec Iter", "q", otherDB),
				ext("Scan ScanCAS", "q args", otherDB),
				ext("MapScan MapScanCAS", "q val", otherDB),
			),
			on("*github.com/gocql/gocql.Session", ext("ExecuteBatch", "s batch", otherDB)),
		),
		Shapes: []Shape{
			{On: "github.com/elastic/go-elasticsearch/esapi.*Request", Names: "Do", Context: true, Error: true, What: search},
			{On: "github.com/elastic/go-elasticsearch/typedapi/....*", Names: "Do Perform IsSuccess", Context: true, Error: true, What: search},
			{On: "github.com/elastic/go-elasticsearch/esutil.BulkIndexer", Names: "Add", Context: true, What: search, Async: true},
			{On: "github.com/opensearch-project/opensearch-go/....*", Names: "Do", Context: true, Error: true, What: search},
			{On: "github.com/opensearch-project/opensearch-go/opensearchapi.*", Context: true, Error: true, What: search},
			{On: "github.com/olivere/elastic.*", Names: "Do DoAsync PerformRequest", Context: true, Error: true, What: search},
			{On: "github.com/typesense/typesense-go/....*", Context: true, Error: true, What: search},
			{On: "github.com/influxdata/influxdb-client-go/api.*", Context: true, Error: true, What: otherDB},
			{On: "github.com/neo4j/neo4j-go-driver/neo4j.*", Context: true, Error: true, What: otherDB},
			{On: "github.com/qdrant/go-client/qdrant.*", Context: true, Error: true, What: otherDB},
			{On: "github.com/weaviate/weaviate-go-client/....*", Names: "Do", Context: true, Error: true, What: otherDB},
		},
	}
	for _, typ := range []string{"Collection", "Database", "Client", "Cursor", "Session", "IndexView", "ChangeStream", "GridFSBucket"} {
		lib.Shapes = append(lib.Shapes, Shape{On: "go.mongodb.org/mongo-driver/mongo." + typ, Context: true, What: otherDB})
	}
	return lib
}
