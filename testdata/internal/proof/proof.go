// Package proof holds the claims of testdata to what PostgreSQL does.
//
// A function with a line marked "// want" is claimed to do harm: a test calls
// [Harm] for it, which runs the function and demands that the harm shows. Its
// corrected twin carries the directive "//proof:fixes NAME...", and is run by
// [NoHarm]. [Main] fails the tests of a rule in which a claim has no proof.
package proof

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
)

// EnvUpdate makes the proofs write their timelines instead of comparing them.
const EnvUpdate = "PGTXVET_UPDATE_TIMELINES"

// Scenario is an experiment with one function: either Run follows one schedule
// and returns the harm that it sees, or Sessions are run under every
// interleaving of their statements and Check returns the harm after each. ""
// is no harm.
type Scenario struct {
	Schema   string
	Run      func(h *gate.H) (harm string)
	Sessions func(h *gate.H) []*gate.Session
	Check    func(h *gate.H) (harm string)
}

// proofs holds what was proven in this process: function → kinds.
var proofs = struct {
	sync.Mutex
	done map[string]claim
}{done: map[string]claim{}}

// claim is a set of things that are said about a function.
type claim uint8

const (
	harmful claim = 1 << iota
	harmless
)

// Harm proves that function does harm: in the scenario's schedule, or in one
// of its interleavings. The function is named by package, receiver and name:
// "seats.(*Desk).Sell". A statement must really have come from it.
func Harm(t *testing.T, function string, s Scenario) {
	t.Helper()
	t.Run("harm/"+function, func(t *testing.T) {
		t.Helper()
		harm, h := s.harm(t)
		switch {
		case !sent(h, function):
			t.Errorf("no statement came from %s\n%s", function, h.Timeline().Transcript())
		case harm == "":
			t.Errorf("%s does no harm\n%s", function, h.Timeline().Transcript())
		case !t.Failed():
			store(t, function, "harm: "+harm+".", h)
			proven(function, harmful)
		}
	})
}

// NoHarm proves that function does no harm: in the scenario's schedule, or in
// every interleaving.
func NoHarm(t *testing.T, function string, s Scenario) {
	t.Helper()
	t.Run("no harm/"+function, func(t *testing.T) {
		t.Helper()
		harm, h := s.noHarm(t)
		switch {
		case !sent(h, function):
			t.Errorf("no statement came from %s\n%s", function, h.Timeline().Transcript())
		case harm != "":
			t.Errorf("%s does harm: %s\n%s", function, harm, h.Timeline().Transcript())
		case !t.Failed():
			text := "no harm."
			if s.Sessions != nil {
				text = "no harm in any interleaving of the statements; one of them:"
			}
			store(t, function, text, h)
			proven(function, harmless)
		}
	})
}

// harm runs the scenario and returns the first harm with its run.
func (s Scenario) harm(t *testing.T) (string, *gate.H) {
	if s.Sessions == nil {
		h := gate.New(t, s.Schema)
		return s.Run(h), h
	}
	x := gate.Explore(t, s.Schema, s.Sessions, s.Check)
	if r := x.Harmful(); r != nil {
		return r.Harm, r.H
	}
	return "", x.Runs[0].H
}

// noHarm runs the scenario and returns a harm if there is one, else a run that
// shows how it was avoided.
func (s Scenario) noHarm(t *testing.T) (string, *gate.H) {
	if s.Sessions == nil {
		return s.harm(t)
	}
	x := gate.Explore(t, s.Schema, s.Sessions, s.Check)
	if r := x.Harmful(); r != nil {
		return r.Harm, r.H
	}
	return "", x.Harmless().H
}

func proven(function string, c claim) {
	proofs.Lock()
	defer proofs.Unlock()
	proofs.done[function] |= c
}

// sent reports whether a statement of the run came from the function.
func sent(h *gate.H, function string) bool {
	return h.Ran(rulePath() + "/" + function)
}

// rulePath is the import path of the rule's folder, found from the test that
// is running: proofs live in the folder's own tests.
func rulePath() string {
	module := strings.TrimSuffix(reflect.TypeFor[Scenario]().PkgPath(), "/internal/proof")
	return module + "/" + rule()
}

func rule() string {
	dir, err := os.Getwd() // go test runs in the package's directory
	if err != nil {
		panic(err)
	}
	return filepath.Base(dir)
}

// store compares the timeline with the one on disk, from which the rule's page
// is made, or writes it.
func store(t *testing.T, function, text string, h *gate.H) {
	t.Helper()
	path := filepath.Join("..", "timelines", rule(), fileName(function)+".md")
	content := fmt.Sprintf("`%s`: %s\n\n```mermaid\n%s```\n", function, text, h.Timeline().Mermaid())
	if os.Getenv(EnvUpdate) != "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	old, err := os.ReadFile(path)
	if err != nil || string(old) != content {
		t.Errorf("%s is not what the proof shows; run the tests with %s=1 to write it\n%s", path, EnvUpdate, content)
	}
}

// Main runs the tests of a rule and then demands a proof for every claim that
// the rule's programs make. Call it from TestMain.
func Main(m *testing.M) int {
	code := m.Run()
	if code != 0 || filtered() {
		return code
	}
	claims, err := readClaims(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for _, problem := range missing(claims, proofs.done) {
		fmt.Fprintln(os.Stderr, problem)
		code = 1
	}
	if code != 0 {
		fmt.Fprintln(os.Stderr, "FAIL: claims without a proof")
	}
	return code
}

// filtered reports whether the command line leaves tests out; what is missing
// then says nothing.
func filtered() bool {
	for _, name := range []string{"test.run", "test.skip", "test.list"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return true
		}
	}
	return false
}

// fileName is how a function's timeline is named: "seats.Desk.Sell".
func fileName(function string) string {
	return strings.NewReplacer("(*", "", ")", "").Replace(function)
}
