package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
)

// profile starts what the profile flags ask for. The function it returns
// writes the profiles.
func profile(f *flags) (stop func() error, err error) {
	var cpu *os.File
	if f.cpuProfile != "" {
		if cpu, err = os.Create(f.cpuProfile); err != nil {
			return nil, err
		}
		if err := pprof.StartCPUProfile(cpu); err != nil {
			return nil, errors.Join(fmt.Errorf("-cpuprofile: %w", err), cpu.Close())
		}
	}
	return func() error {
		var errs []error
		if cpu != nil {
			pprof.StopCPUProfile()
			errs = append(errs, cpu.Close())
		}
		if f.memProfile != "" {
			errs = append(errs, writeHeap(f.memProfile))
		}
		return errors.Join(errs...)
	}, nil
}

// writeHeap writes a memory profile.
func writeHeap(name string) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	runtime.GC()
	return errors.Join(pprof.WriteHeapProfile(file), file.Close())
}
