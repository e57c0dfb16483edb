module github.com/pgtxvet/pgtxvet

go 1.26.0

require (
	github.com/golangci/plugin-module-register v0.1.2
	github.com/pganalyze/pg_query_go/v5 v5.1.0
	github.com/rogpeppe/go-internal v1.16.0
	github.com/sqlc-dev/oliphant v0.2.0
	golang.org/x/mod v0.42.0
	golang.org/x/tools v0.52.0
	google.golang.org/protobuf v1.36.12
	gopkg.in/yaml.v3 v3.0.1
	honnef.co/go/tools v0.8.2
)

require (
	golang.org/x/sync v0.25.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)
