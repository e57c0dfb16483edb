package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/pgtxvet/pgtxvet/internal/config"
	"github.com/pgtxvet/pgtxvet/internal/schema"
	"github.com/pgtxvet/pgtxvet/internal/vettool"
)

// isVetTool reports whether the arguments are those that go vet gives its
// tool: -V=full and -flags to ask about it, and a file unit.cfg.
func isVetTool(args []string) bool {
	return slices.Contains(args, "-V=full") || slices.Contains(args, "-flags") ||
		len(args) > 0 && strings.HasSuffix(args[len(args)-1], ".cfg")
}

// vetTool is the program under go vet.
func (p *program) vetTool(args []string) int {
	if slices.Contains(args, "-V=full") {
		return p.buildID()
	}
	paceGC()
	tool := vettool.Tool{ByDefault: p.suite.byDefault, OnRequest: p.suite.onRequest, Stdout: p.stdout, Stderr: p.stderr}
	return tool.Run(args)
}

// buildID answers -V=full, which the go command asks where it was started, with
// an id that is part of the key of vet's cache: what was found before does not
// hold when the program has changed, or the configuration of the project, or its
// SQL scripts.
func (p *program) buildID() int {
	exe, err := os.Executable()
	if err != nil {
		return p.fail(err)
	}
	f, err := os.Open(exe)
	if err != nil {
		return p.fail(err)
	}
	defer func() { _ = f.Close() }() // only read
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return p.fail(err)
	}
	h.Write([]byte(config.Hash(".") + schema.Hash(".")))
	fmt.Fprintf(p.stdout, "%s version devel buildID=%x\n", exe, h.Sum(nil))
	return exitClean
}
