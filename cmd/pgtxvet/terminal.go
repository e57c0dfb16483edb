package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// colors are the values of -color.
var colors = []string{"auto", "always", "never"}

// isTerminal reports whether a person sees what is written.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// colored reports whether to write colours. -color wins over the environment, and
// there NO_COLOR (https://no-color.org) over CLICOLOR_FORCE.
func colored(w io.Writer, flag string) bool {
	force := os.Getenv("CLICOLOR_FORCE")
	switch {
	case flag != "auto":
		return flag == "always"
	case os.Getenv("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	}
	return isTerminal(w)
}

// progressDelay is how long a run is silent.
const progressDelay = 2 * time.Second

// A progress is a line on a terminal that says how far a run is. The zero value
// writes nothing.
type progress struct {
	w     io.Writer
	start time.Time

	mu    sync.Mutex
	shown time.Time // when it was last written, zero if it is not there
	waits bool      // for a step to tell how far it is
}

// newProgress makes a progress that writes to w if that is a terminal.
func newProgress(w io.Writer) *progress {
	if !isTerminal(w) {
		return &progress{}
	}
	return &progress{w: w, start: time.Now()}
}

// step gives the function that is told how far a step is.
func (p *progress) step(what string) func(done, total int) {
	return func(done, total int) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.waits = false
		now := time.Now()
		if p.w == nil || now.Sub(p.start) < progressDelay || now.Sub(p.shown) < time.Second/10 {
			return
		}
		p.shown = now
		fmt.Fprintf(p.w, "\r\x1b[K%s: %d of %d packages", what, done, total)
	}
}

// wait says what goes on, if it takes long, until a step can tell how far it is.
func (p *progress) wait(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waits = p.w != nil
	time.AfterFunc(time.Until(p.start.Add(progressDelay)), func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.waits {
			p.shown = time.Now()
			fmt.Fprintf(p.w, "\r\x1b[K%s", what)
		}
	})
}

// clear removes the line, before something else is written.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waits = false
	if !p.shown.IsZero() {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = time.Time{}
	}
}
