# make help lists the targets.

GO       ?= go
PKG      ?= ./...
DIR      ?= .
BENCH    ?= .
GOLANGCI ?= $(shell golangci-lint version --short 2>/dev/null | grep -q '^v\?2\.' && echo golangci-lint || \
	echo $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0)

# TOOL runs a tool of internal/tools.
TOOL = $(GO) tool -modfile=internal/tools/go.mod

# modules are the Go modules of the repository. The root is the suite.
modules := . testdata internal/dbapi/testdata/libs internal/integration

# shapes is a module of marked programs that are only analysed, never built.
shapes := testdata/shapes

# commands are for work on the suite: go.mod keeps them out of ./..., so that no
# user installs them.
commands := $(patsubst %/main.go,./%,$(wildcard internal/cmd/*/main.go internal/cmd/*/*/main.go))

# tested lists the packages that have tests among the patterns $(1), so that
# what a run prints are results.
tested = $$($(GO) list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' $(1))

.PHONY: build
build: ## build bin/pgtxvet
	$(GO) build -o bin/ ./cmd/pgtxvet

.PHONY: run
run: build ## check packages: make run PKG=./store/... DIR=../shop
	bin/pgtxvet -C $(DIR) $(PKG)

.PHONY: test
test: test-suite test-nocgo test-proofs test-drivers ## run every test: with and without cgo, the proofs on PostgreSQL, all drivers

.PHONY: test-suite
test-suite: download # the tests of the suite, with cgo
	@command -v nvim >/dev/null || echo "nvim is not on PATH: the language server is tested, but not in an editor"
	CGO_ENABLED=1 $(GO) test $(call tested,./... $(commands))

# The rules must find the same with either grammar, and the program must build
# where there is no C compiler.
.PHONY: test-nocgo
test-nocgo: download # the tests that the grammar has a part in, without cgo
	CGO_ENABLED=0 $(GO) build ./... $(commands)
	CGO_ENABLED=0 $(GO) test $(call tested,./internal/pgsql/... ./internal/schema ./internal/sqltext/... ./passes/...)

# One server for all proofs: one that runs, or a throw-away one.
.PHONY: test-proofs
test-proofs: download # the proofs in testdata
	cd testdata && $(GO) run ./internal/pgtest/withpg $(GO) test $(call tested,./...)

# golangci-lint is built with the plugin, which takes minutes the first time.
# Results are not kept: the go command does not see that a file outside of the
# test's module has changed.
.PHONY: test-drivers
test-drivers: download # the action, and that the program, go vet, golangci-lint and x/tools' drivers find the same
	cd internal/integration && $(GO) test -count=1 -timeout 30m ./golangcilint ./action

.PHONY: test-hooks
test-hooks: download ## run the hooks of pre-commit, which must be installed
	cd internal/integration && $(GO) test -count=1 ./hooks

# Tests of the suite read these modules and run the go command off the network.
.PHONY: download
download:
	@for m in $(modules) $(shapes) internal/tools; do (cd $$m && $(GO) mod download) || exit 1; done

.PHONY: lint
lint: build ## gofmt, go vet, golangci-lint, pgtxvet on itself, go.mod files
	@files=$$(gofmt -l $$(git ls-files -co --exclude-standard '*.go')); \
		if [ -n "$$files" ]; then echo "not formatted:" $$files; exit 1; fi
	@for m in $(modules); do echo "$$m: go vet, go mod tidy -diff"; \
		(cd $$m && $(GO) vet ./... && $(GO) mod tidy -diff) || exit 1; done
	cd internal/tools && $(GO) mod tidy -diff
	$(GO) vet $(commands)
	$(GOLANGCI) run ./... $(commands)
	cd internal/integration && $(GOLANGCI) run ./...
	bin/pgtxvet -tests ./... $(commands)

# Shipped is what users build; what the tests use besides is not asked.
shipped  := ./cmd/pgtxvet ./analyzers/golangci
licenses := Apache-2.0,BSD-2-Clause,BSD-3-Clause,ISC,MIT

.PHONY: licenses
licenses: ## hold what the program depends on to permissive licenses
	@for cgo in 0 1; do CGO_ENABLED=$$cgo $(TOOL) go-licenses check $(shipped) \
		--allowed_licenses=$(licenses) 2>licenses.log || { cat licenses.log; exit 1; }; done; rm licenses.log

.PHONY: vuln
vuln: ## look for known vulnerabilities, on the network
	$(TOOL) govulncheck ./...

.PHONY: cross
cross: ## build the program for all systems that it is released for
	@for os in linux darwin windows; do for arch in amd64 arm64; do echo $$os/$$arch; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -o /dev/null ./cmd/pgtxvet || exit 1; done; done

.PHONY: bench
bench: ## run the benchmarks: make bench BENCH=Load PKG=./internal/load
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem $(call tested,$(PKG))

.PHONY: docs
docs: ## write docs/rules from the rules' documentation and the proofs
	$(GO) run ./internal/cmd/rulepages

.PHONY: timelines
timelines: ## record what the proofs show, in testdata/timelines, and write docs/rules
	cd testdata && PGTXVET_UPDATE_TIMELINES=1 $(GO) run ./internal/pgtest/withpg $(GO) test -count=1 ./...
	$(MAKE) docs

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12
