package gate

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// maxRuns bounds an exploration: more schedules than two sessions of five
// statements have.
const maxRuns = 300

// Run is one schedule of an exploration.
type Run struct {
	Schedule string // which session ran each statement, as in "A A B A"
	Harm     string // what check reported, "" if nothing
	H        *H     // ended; its timeline can be read

	first    int // the session that began
	switches int
	waits    bool
}

// Exploration is what every schedule of some sessions came to.
type Exploration struct{ Runs []*Run }

// Explore runs sessions under every order of their statements, each time on a
// fresh database. Where one waits the others go on; a deadlock ends as it does
// in PostgreSQL, with 40P01 for the last that joined it. After each run check
// looks at the database and returns the harm that it finds, or "". Sessions
// that can never go on are harm too.
//
// All schedules are tried, so the functions must do the same each time the
// schedule is the same.
func Explore(t testing.TB, schema string, sessions func(*H) []*Session, check func(*H) string) *Exploration {
	t.Helper()
	x := &Exploration{}
	for path := (path{}); ; {
		if len(x.Runs) == maxRuns {
			t.Fatalf("gate: more than %d schedules", maxRuns)
		}
		h := New(t, schema)
		run := &Run{H: h}
		stuck := path.follow(h, run, sessions(h))
		if stuck != "" {
			run.Harm = stuck
		} else {
			run.Harm = check(h)
		}
		h.Close()
		x.Runs = append(x.Runs, run)
		if !path.next() {
			return x
		}
	}
}

// Harmful returns the harmful run that is the easiest to read, nil if there is
// none.
func (x *Exploration) Harmful() *Run {
	return x.best(func(r *Run) bool { return r.Harm != "" })
}

// Harmless returns the harmless run that shows the most: if possible one in
// which a session waited for another. It is nil if there is none.
func (x *Exploration) Harmless() *Run {
	if r := x.best(func(r *Run) bool { return r.Harm == "" && r.waits }); r != nil {
		return r
	}
	if r := x.best(func(r *Run) bool { return r.Harm == "" && r.switches > 1 }); r != nil {
		return r
	}
	return x.best(func(r *Run) bool { return r.Harm == "" })
}

func (x *Exploration) best(ok func(*Run) bool) *Run {
	var best *Run
	for _, r := range x.Runs {
		// Later runs switch earlier: of equals, the one in which the second
		// session comes in as soon as it can.
		if ok(r) && (best == nil || r.switches < best.switches || r.switches == best.switches && r.first == 0) {
			best = r
		}
	}
	return best
}

// path is a position in the tree of schedules: at each point the sessions that
// could step, and the one that did.
type path struct{ points []point }

type point struct {
	enabled []int
	chosen  int // index into enabled
}

// follow runs one schedule: the points known so far, then always the first
// session that can step. It returns who is stuck, or "".
func (p *path) follow(h *H, run *Run, sessions []*Session) (stuck string) {
	h.t.Helper()
	var names []string
	last := -1
	for i := 0; ; i++ {
		enabled, waiting := canStep(sessions)
		if len(enabled) == 0 {
			run.Schedule = strings.Join(names, " ")
			for _, s := range sessions {
				run.waits = run.waits || s.everWaited()
			}
			return strings.Join(waiting, "; ")
		}
		if i == len(p.points) {
			p.points = append(p.points, point{enabled: enabled})
		}
		at := p.points[i]
		if !slices.Equal(at.enabled, enabled) {
			h.fatalf("not repeatable: after %q other sessions can go on than before", strings.Join(names, " "))
		}
		next := at.enabled[at.chosen]
		if last < 0 {
			run.first = next
		} else if next != last {
			run.switches++
		}
		last = next
		names = append(names, sessions[next].name)
		sessions[next].Step()
	}
}

// next moves to the next schedule and reports whether there is one.
func (p *path) next() bool {
	for i := len(p.points) - 1; i >= 0; i-- {
		if p.points[i].chosen+1 < len(p.points[i].enabled) {
			p.points[i].chosen++
			p.points = p.points[:i+1]
			return true
		}
	}
	return false
}

// canStep returns the sessions that stand before a statement, and says of the
// others that have not ended what they wait for.
func canStep(sessions []*Session) (enabled []int, waiting []string) {
	for i, s := range sessions {
		if s.Next() != "" {
			enabled = append(enabled, i)
		} else if !s.Done() {
			waiting = append(waiting, fmt.Sprintf("%s waits for %s for ever", s.name, s.waitsFor))
		}
	}
	return enabled, waiting
}

func (s *Session) everWaited() bool {
	s.h.mu.Lock()
	defer s.h.mu.Unlock()
	for _, e := range s.h.timeline.events {
		if e.session == s.index && (e.kind == waits || e.kind == resumed) {
			return true
		}
	}
	return false
}
