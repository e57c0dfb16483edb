// Command golangcilint is golangci-lint with pgtxvet in it: what "golangci-lint
// custom" builds, made from modules alone.
//
// golangci-lint is licensed under the GPL. The binary is built by tests, and
// is never shipped.
package main

import (
	"os"

	"github.com/golangci/golangci-lint/v2/pkg/commands"
	"github.com/golangci/golangci-lint/v2/pkg/exitcodes"

	_ "github.com/pgtxvet/pgtxvet/analyzers/golangci" // registers the plugin
)

func main() {
	// With this version golangci-lint keeps findings no longer
	// than the binary that made them is the same.
	info := commands.BuildInfo{Version: "(devel)", Commit: "?", GoVersion: "unknown"}
	if err := commands.Execute(info); err != nil { // which it has said
		os.Exit(exitcodes.Failure)
	}
}
