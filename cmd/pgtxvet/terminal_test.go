package main

import (
	"bytes"
	"testing"
	"time"
)

// TestProgress holds that a short run is silent, that a long one says how far it
// is, not too often, and that the line goes before something else is written.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := &progress{w: &out, start: time.Now()}
	step := p.step("checking")
	step(1, 9)
	p.clear()
	if out.Len() > 0 {
		t.Errorf("a short run writes %q", out.String())
	}
	p.start = time.Now().Add(-progressDelay)
	step(2, 9)
	step(3, 9)
	p.clear()
	p.clear()
	if got, want := out.String(), "\r\x1b[Kchecking: 2 of 9 packages\r\x1b[K"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	out.Reset()
	p.wait("listing")
	for written := false; !written; time.Sleep(time.Millisecond) {
		p.mu.Lock() // the timer writes under it
		written = out.Len() > 0
		p.mu.Unlock()
	}
	p.clear()
	if got, want := out.String(), "\r\x1b[Klisting\r\x1b[K"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if p := newProgress(&out); p.w != nil {
		t.Error("what is no terminal gets a progress")
	}
}
