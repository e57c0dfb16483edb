package dbapi

import "sync"

// pq is the table of lib/pq, https://pkg.go.dev/github.com/lib/pq, a driver for
// database/sql.
func pq() *Library {
	const pkg = "github.com/lib/pq"
	return &Library{
		Name:     "pq",
		Packages: []string{pkg},
		Style:    "$",
		Dialect:  "postgres",
		SQLState: []string{pkg + ".Error.Code", pkg + ".Error.SQLState"},
		Funcs: in(pkg,
			f("Open", Connect, "dsn"), // a driver.Conn
			f("NewConnector", ParseDSN, "dsn"),
			f("CopyIn", Text, "table col", clause("copyin")),
			f("CopyInSchema", Text, "schema table col", clause("copyin")),
			f("As", TestCode, "from args"),
		),
	}
}

// Dialect returns the database that a package is the driver or the dialect of:
// "postgres", another word for another database, or "" for a package that is
// neither.
func Dialect(importPath string) string { return dialects().get(importPath) }

// DriverDialect returns the database of a driver's registered name, the first
// argument of sql.Open, or "" where the name is not known.
func DriverDialect(name string) string { return driverNames[name] }

var dialects = sync.OnceValue(func() pathMap[string] { return newPathMap(dialectPackages) })

// dialectPackages are import paths without their major versions.
var dialectPackages = map[string]string{
	"github.com/lib/pq/...":                                                "postgres",
	"github.com/jackc/pgx/...":                                             "postgres",
	"github.com/jackc/pgconn/...":                                          "postgres",
	"github.com/go-pg/pg/...":                                              "postgres",
	"gopkg.in/pg.v9/...":                                                   "postgres",
	"github.com/uptrace/bun/driver/pgdriver/...":                           "postgres",
	"github.com/uptrace/bun/dialect/pgdialect/...":                         "postgres",
	"gorm.io/driver/postgres/...":                                          "postgres",
	"github.com/jinzhu/gorm/dialects/postgres/...":                         "postgres",
	"github.com/cockroachdb/cockroach-go/...":                              "postgres",
	"github.com/doug-martin/goqu/dialect/postgres/...":                     "postgres",
	"github.com/golang-migrate/migrate/database/postgres":                  "postgres",
	"github.com/golang-migrate/migrate/database/pgx/...":                   "postgres",
	"github.com/GoogleCloudPlatform/cloudsql-proxy/proxy/dialers/postgres": "postgres",
	"cloud.google.com/go/cloudsqlconn/postgres/...":                        "postgres",
	"cloud.google.com/go/alloydbconn/...":                                  "postgres",
	"github.com/go-jet/jet/postgres/...":                                   "postgres",
	"github.com/stephenafamo/bob/dialect/psql/...":                         "postgres",

	"github.com/go-sql-driver/mysql/...":                 "mysql",
	"github.com/go-mysql-org/go-mysql/...":               "mysql",
	"github.com/ziutek/mymysql/...":                      "mysql",
	"gorm.io/driver/mysql/...":                           "mysql",
	"github.com/jinzhu/gorm/dialects/mysql/...":          "mysql",
	"github.com/uptrace/bun/dialect/mysqldialect/...":    "mysql",
	"github.com/doug-martin/goqu/dialect/mysql/...":      "mysql",
	"github.com/golang-migrate/migrate/database/mysql":   "mysql",
	"cloud.google.com/go/cloudsqlconn/mysql/...":         "mysql",
	"github.com/go-jet/jet/mysql/...":                    "mysql",
	"github.com/stephenafamo/bob/dialect/mysql/...":      "mysql",
	"github.com/mattn/go-sqlite3/...":                    "sqlite",
	"modernc.org/sqlite/...":                             "sqlite",
	"github.com/glebarez/sqlite/...":                     "sqlite",
	"github.com/glebarez/go-sqlite/...":                  "sqlite",
	"github.com/ncruces/go-sqlite3/...":                  "sqlite",
	"github.com/mutecomm/go-sqlcipher/...":               "sqlite",
	"crawshaw.io/sqlite/...":                             "sqlite",
	"zombiezen.com/go/sqlite/...":                        "sqlite",
	"gorm.io/driver/sqlite/...":                          "sqlite",
	"github.com/jinzhu/gorm/dialects/sqlite/...":         "sqlite",
	"github.com/uptrace/bun/dialect/sqlitedialect/...":   "sqlite",
	"github.com/uptrace/bun/driver/sqliteshim/...":       "sqlite",
	"github.com/doug-martin/goqu/dialect/sqlite3/...":    "sqlite",
	"github.com/golang-migrate/migrate/database/sqlite":  "sqlite",
	"github.com/golang-migrate/migrate/database/sqlite3": "sqlite",
	"github.com/go-jet/jet/sqlite/...":                   "sqlite",
	"github.com/stephenafamo/bob/dialect/sqlite/...":     "sqlite",
	"github.com/tursodatabase/libsql-client-go/...":      "sqlite",
	"github.com/tursodatabase/go-libsql/...":             "sqlite",
	"github.com/libsql/libsql-client-go/...":             "sqlite",
	"github.com/libsql/go-libsql/...":                    "sqlite",
	"github.com/tursodatabase/turso-go/...":              "sqlite",
	"github.com/rqlite/gorqlite/...":                     "sqlite",

	"github.com/microsoft/go-mssqldb/...":                  "mssql",
	"github.com/denisenkom/go-mssqldb/...":                 "mssql",
	"gorm.io/driver/sqlserver/...":                         "mssql",
	"github.com/jinzhu/gorm/dialects/mssql/...":            "mssql",
	"github.com/uptrace/bun/dialect/mssqldialect/...":      "mssql",
	"github.com/doug-martin/goqu/dialect/sqlserver/...":    "mssql",
	"github.com/golang-migrate/migrate/database/sqlserver": "mssql",

	"github.com/sijms/go-ora/...":                      "oracle",
	"github.com/godror/godror/...":                     "oracle",
	"github.com/mattn/go-oci8/...":                     "oracle",
	"github.com/uptrace/bun/dialect/oracledialect/...": "oracle",

	"github.com/ClickHouse/clickhouse-go/...":               "clickhouse",
	"github.com/ClickHouse/ch-go/...":                       "clickhouse",
	"github.com/uptrace/go-clickhouse/...":                  "clickhouse",
	"github.com/mailru/go-clickhouse/...":                   "clickhouse",
	"gorm.io/driver/clickhouse/...":                         "clickhouse",
	"github.com/golang-migrate/migrate/database/clickhouse": "clickhouse",

	"github.com/marcboeker/go-duckdb/...":         "duckdb",
	"github.com/duckdb/duckdb-go/...":             "duckdb",
	"cloud.google.com/go/spanner/...":             "spanner",
	"github.com/googleapis/go-sql-spanner/...":    "spanner",
	"github.com/googleapis/go-gorm-spanner/...":   "spanner",
	"github.com/ydb-platform/ydb-go-sdk/...":      "ydb",
	"github.com/ydb-platform/gorm-driver/...":     "ydb",
	"github.com/snowflakedb/gosnowflake/...":      "snowflake",
	"github.com/databricks/databricks-sql-go/...": "databricks",
	"github.com/trinodb/trino-go-client/...":      "trino",
	"github.com/prestodb/presto-go-client/...":    "presto",
	"github.com/vertica/vertica-sql-go/...":       "vertica",
	"github.com/SAP/go-hdb/...":                   "hana",
	"github.com/ibmdb/go_ibm_db/...":              "db2",
	"github.com/nakagami/firebirdsql/...":         "firebird",
	"github.com/uber/athenadriver/...":            "athena",
	"github.com/solcates/go-sql-bigquery/...":     "bigquery",
	"gorm.io/driver/bigquery/...":                 "bigquery",
	"github.com/taosdata/driver-go/...":           "tdengine",
	"github.com/dolthub/driver/...":               "mysql",
	"modernc.org/ql/...":                          "ql",
	"github.com/gocql/gocql/...":                  "cassandra",
	"go.mongodb.org/mongo-driver/mongo/...":       "mongo", // bson alone, which gin imports, is a format
}

// driverNames are the names under which the drivers register with database/sql.
var driverNames = map[string]string{
	"postgres": "postgres", "postgresql": "postgres", "pgx": "postgres", "pgx/v4": "postgres", "pgx/v5": "postgres",
	"pq": "postgres", "pg": "postgres", "cloudsqlpostgres": "postgres", "cloudsql-postgres": "postgres", "nrpostgres": "postgres", "nrpgx": "postgres", "nrpgx5": "postgres",
	"mysql": "mysql", "nrmysql": "mysql",
	"sqlite": "sqlite", "sqlite3": "sqlite", "libsql": "sqlite", "turso": "sqlite", "nrsqlite3": "sqlite",
	"sqlserver": "mssql", "mssql": "mssql", "azuresql": "mssql",
	"oracle": "oracle", "godror": "oracle", "oci8": "oracle",
	"clickhouse": "clickhouse", "chhttp": "clickhouse",
	"duckdb": "duckdb", "spanner": "spanner", "ydb": "ydb", "snowflake": "snowflake", "databricks": "databricks",
	"trino": "trino", "presto": "presto", "vertica": "vertica", "hdb": "hana", "go_ibm_db": "db2", "firebirdsql": "firebird",
}
