package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/pgtxvet/pgtxvet/internal/pgsql/pgast"
)

// printVersion prints what was built, from which commit, and with which grammar:
// what a report of a fault should say.
func (p *program) printVersion([]string) int {
	fmt.Fprintf(p.stdout, "pgtxvet %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if info, ok := debug.ReadBuildInfo(); ok {
		if revision := revisionOf(info.Settings); revision != "" {
			fmt.Fprintf(p.stdout, "revision %s\n", revision)
		}
	}
	fmt.Fprintf(p.stdout, "grammar of %s (%s)\n", pgast.Origin, pgast.Grammar)
	return exitClean
}

// version is the version of the module. The go command knows it where the module
// was downloaded, or where a commit has its tag.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}

// revisionOf is the commit that was built, "" where the go command did not see one.
func revisionOf(settings []debug.BuildSetting) string {
	values := map[string]string{}
	for _, s := range settings {
		values[s.Key] = s.Value
	}
	revision := values["vcs.revision"]
	if revision == "" {
		return ""
	}
	if values["vcs.modified"] == "true" {
		return revision + " with changes"
	}
	return revision + " of " + values["vcs.time"]
}
