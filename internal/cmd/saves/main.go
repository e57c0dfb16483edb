//go:build unix

// Command saves measures what the language server does when a file is saved. It
// loads the module in a directory, changes files of it again and again, without
// writing them, and prints how long it took until the findings were there, how
// many packages were analysed for it, and how large the heap is afterwards.
//
//	go run ./internal/cmd/saves [-n 3] [-every 1] DIR FILE...
//
// Each file is changed in four ways: all of it stands at other lines, a comment has
// changed, there is one more function, a method has another name.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/pgtxvet/pgtxvet/analyzers"
	"github.com/pgtxvet/pgtxvet/internal/load"
	"github.com/pgtxvet/pgtxvet/internal/session"
)

func main() {
	n := flag.Int("n", 3, "how often each file is changed in each way")
	every := flag.Int("every", 1, "print each of so many changes only")
	flag.Parse()
	if flag.NArg() < 2 {
		fmt.Fprintln(os.Stderr, "usage: saves [-n N] [-every N] DIR FILE...")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), flag.Args()[1:], *n, *every); err != nil {
		fmt.Fprintln(os.Stderr, "saves:", err)
		os.Exit(1)
	}
}

// edits are the ways to change a text, the i-th time.
var edits = []struct {
	name string
	edit func(text string, i int) string
}{
	{"lines", func(text string, i int) string {
		return strings.Replace(text, "\nimport", strings.Repeat("\n", i+2)+"import", 1)
	}},
	{"comment", func(text string, i int) string { return fmt.Sprintf("%s\n// %d\n", text, i) }},
	{"function", func(text string, i int) string {
		var b strings.Builder
		b.WriteString(text)
		for k := range i + 1 {
			fmt.Fprintf(&b, "\nfunc Saved%d() {}\n", k)
		}
		return b.String()
	}},
	{"method", func(text string, i int) string {
		return fmt.Sprintf("%s\ntype saved struct{}\n\nfunc (saved) M%d() {}\n", text, i)
	}},
}

func run(dir string, files []string, n, every int) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	s, err := session.New(session.Options{Load: load.Config{Dir: dir}, Rules: analyzers.All()})
	if err != nil {
		return err
	}
	if err := measure(s, "cold", nil); err != nil {
		return err
	}
	for _, file := range files {
		name := filepath.Join(dir, file)
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, e := range edits {
			if err := measure(s, "", nil); err != nil {
				return err
			}
			for i := range n {
				label := ""
				if i%every == 0 {
					label = fmt.Sprintf("%s %s %d", file, e.name, i)
				}
				if err := measure(s, label, map[string][]byte{name: []byte(e.edit(string(src), i))}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// measure checks once, and prints what it took if there is a label.
func measure(s *session.Session, label string, overlay map[string][]byte) error {
	start, cpu := time.Now(), cpuTime()
	var first time.Duration
	rep, err := s.Check(context.Background(), overlay, session.Hooks{Partial: func(*session.Report) { first = time.Since(start) }})
	if err != nil || label == "" {
		return err
	}
	took, used := time.Since(start), cpuTime()-cpu
	if first == 0 {
		first = took
	}
	var mem runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&mem)
	fmt.Printf("%-55s %6d ms, the file's own after %6d ms, %6d ms CPU, %3d of %d packages, %d findings, %d fail, heap %d MB\n",
		label, took.Milliseconds(), first.Milliseconds(), used.Milliseconds(),
		rep.Analysed, rep.Packages, len(rep.Findings), len(rep.Failures), mem.HeapAlloc>>20)
	return nil
}

// cpuTime is what the process has used on all cores.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
