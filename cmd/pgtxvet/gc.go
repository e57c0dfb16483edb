package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// heapFloor is the heap size up to which garbage is not collected. It is what
// a module of a few hundred packages takes; collecting a heap while it grows
// to that would cost a fifth of the run.
const heapFloor = 700 << 20

// delayGC puts off garbage collection until the heap has grown to heapFloor,
// and leaves it to the usual pace from there, so that a large module does not
// take several times the memory it needs. GOGC and GOMEMLIMIT in the
// environment win.
func delayGC() {
	if gcIsSet() {
		return
	}
	usual := debug.SetGCPercent(-1)
	limit := debug.SetMemoryLimit(heapFloor + heapFloor/8) // if the loop below comes too late
	go func() {
		heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		for metrics.Read(heap); heap[0].Value.Uint64() < heapFloor; metrics.Read(heap) {
			time.Sleep(20 * time.Millisecond)
		}
		debug.SetGCPercent(usual)
		debug.SetMemoryLimit(limit)
	}()
}

// Under go vet a process analyses one package, and there is a process on each
// core. The first collection comes when the heap has grown to 4 MB times
// firstGC/100, which most packages never reach. From there it grows slower than
// usual, so that a large package stays under 300 MB.
const (
	firstGC = 4500
	laterGC = 50
)

// paceGC sets that pace.
func paceGC() {
	if gcIsSet() {
		return
	}
	debug.SetGCPercent(firstGC)
	first := new([16]byte) // garbage, so that the first collection is noticed
	runtime.AddCleanup(first, func(percent int) { debug.SetGCPercent(percent) }, laterGC)
}

func gcIsSet() bool { return os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" }
