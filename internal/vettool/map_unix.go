//go:build unix

package vettool

import (
	"errors"
	"os"
	"syscall"
)

// mapFile gives the content of a file, which stays mapped: of the facts below a
// package little is read, and what is not read takes no memory.
func mapFile(name string) (data []byte, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return nil, err // what is empty cannot be mapped
	}
	data, err = syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_PRIVATE)
	if err != nil {
		return os.ReadFile(name) // some file systems cannot
	}
	return data, nil
}
