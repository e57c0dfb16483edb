//go:build linux

// Speed measures what the suite costs on a module: the program; the suite as a
// vet tool, cold and warm, beside a vet tool that does nothing; and staticcheck,
// cold, if its path is given. All in one run, since only ratios travel.
//
//	go run ./internal/cmd/speed [-staticcheck PATH] DIR
//
// Run it on a machine with nothing else to do.
package main

import (
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	staticcheck := flag.String("staticcheck", "", "the staticcheck binary to compare with")
	flag.Parse()
	if err := run(flag.Arg(0), *staticcheck); err != nil {
		fmt.Fprintln(os.Stderr, "speed:", err)
		os.Exit(1)
	}
}

func run(dir, staticcheck string) error {
	if dir == "" {
		return errors.New("usage: speed [-staticcheck PATH] DIR")
	}
	tmp, err := os.MkdirTemp("", "speed")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	tools := map[string]string{"pgtxvet": "./cmd/pgtxvet", "nothing": "./internal/cmd/speed/nothing"}
	for name, pkg := range tools {
		tools[name] = filepath.Join(tmp, name)
		if out, err := exec.Command("go", "build", "-o", tools[name], pkg).CombinedOutput(); err != nil {
			return fmt.Errorf("building %s: %w\n%s", pkg, err, out)
		}
	}
	fmt.Printf("%-22s %8s %8s %9s\n", "", "wall s", "CPU s", "peak MB")
	program := measure(dir, "program", tools["pgtxvet"], "./...")
	for _, name := range []string{"nothing", "pgtxvet"} {
		if err := unique(tools[name]); err != nil {
			return err
		}
	}
	floorCold := measure(dir, "nothing, vet, cold", "go", "vet", "-vettool="+tools["nothing"], "./...")
	cold := measure(dir, "pgtxvet, vet, cold", "go", "vet", "-vettool="+tools["pgtxvet"], "./...")
	floorWarm := measure(dir, "nothing, vet, warm", "go", "vet", "-vettool="+tools["nothing"], "./...")
	warm := measure(dir, "pgtxvet, vet, warm", "go", "vet", "-vettool="+tools["pgtxvet"], "./...")
	fmt.Printf("vet tool against the one that does nothing: %.2f times the CPU cold, %.2f times the wall warm\n", cold.cpu/floorCold.cpu, warm.wall/floorWarm.wall)
	if staticcheck != "" {
		if err := os.Setenv("STATICCHECK_CACHE", filepath.Join(tmp, "cache")); err != nil {
			return err
		}
		other := measure(dir, "staticcheck, cold", staticcheck, "./...")
		fmt.Printf("program against staticcheck, cold: %.2f times the CPU\n", program.cpu/other.cpu)
	}
	return nil
}

// unique makes a copy of a tool that vet's cache has not seen.
func unique(tool string) error {
	f, err := os.OpenFile(tool, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(rand.Text())
	return errors.Join(err, f.Close())
}

type cost struct{ wall, cpu, mb float64 }

// measure runs a command and prints what it cost, its children included. What
// the command finds, and its exit status, do not matter here.
func measure(dir, label, name string, args ...string) cost {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	start := time.Now()
	_ = cmd.Run()
	c := cost{wall: time.Since(start).Seconds()}
	if p := cmd.ProcessState; p != nil {
		c.cpu = (p.UserTime() + p.SystemTime()).Seconds()
		if u, ok := p.SysUsage().(*syscall.Rusage); ok {
			c.mb = float64(u.Maxrss) / 1024
		}
	}
	fmt.Printf("%-22s %8.1f %8.1f %9.0f\n", label, c.wall, c.cpu, c.mb)
	return c
}
