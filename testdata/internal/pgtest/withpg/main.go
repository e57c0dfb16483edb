// Withpg runs a command with a throw-away PostgreSQL, whose DSN it puts into
// PGTXVET_TEST_DSN, so that many test binaries share one server:
//
//	go run ./internal/pgtest/withpg go test ./...
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/pgtxvet/pgtxvet/testdata/internal/pgtest"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: withpg command [argument...]")
		os.Exit(2)
	}
	os.Exit(run(os.Args[1], os.Args[2:]))
}

func run(name string, args []string) int {
	cmd := exec.Command(name, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = os.Environ()
	if os.Getenv(pgtest.EnvDSN) == "" {
		dsn, err := pgtest.Start()
		if err != nil {
			fmt.Fprintln(os.Stderr, "withpg:", err)
			return 1
		}
		cmd.Env = append(cmd.Env, pgtest.EnvDSN+"="+dsn)
	}
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return exit.ExitCode()
	case err != nil:
		fmt.Fprintln(os.Stderr, "withpg:", err)
		return 1
	}
	return 0
}
