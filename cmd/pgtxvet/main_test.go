package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pgtxvet/pgtxvet/analyzers"
)

// TestMain makes the test binary the program, for the scripts and for go vet:
// pgtxvet with the rules of demo_test.go, pgtxvet-suite with those of the suite.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"pgtxvet": func() {
			p := program{suite: demoSuite, stdout: os.Stdout, stderr: os.Stderr}
			os.Exit(p.run(os.Args[1:]))
		},
		"pgtxvet-suite": func() {
			p := program{suite: suite{byDefault: analyzers.All(), onRequest: analyzers.Optional()}, stdout: os.Stdout, stderr: os.Stderr}
			os.Exit(p.run(os.Args[1:]))
		},
	})
}

func TestScripts(t *testing.T) {
	goEnv := goEnvironment(t)
	tool, err := exec.LookPath("pgtxvet")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := exec.LookPath("pgtxvet-suite")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("PGTXVET_UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, goEnv...)
			env.Setenv("VETTOOL", tool)
			env.Setenv("DOLLAR", "$") // for cmpenv
			env.Setenv("SUITETOOL", whole)
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"samefindings": sameFindings,
			"sameformats":  sameFormats,
			"validsarif":   validSARIF,
		},
		Condition: func(cond string) (bool, error) {
			if cond == "cgo" {
				_, err := exec.LookPath("gcc")
				return err == nil, nil
			}
			return false, nil
		},
	})
}

// goEnvironment is what the go command needs to find its caches, which would
// depend on HOME, and to stay off the network.
func goEnvironment(t *testing.T) []string {
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOPATH").Output()
	if err != nil {
		t.Fatal(err)
	}
	var vars map[string]string
	if err := json.Unmarshal(out, &vars); err != nil {
		t.Fatal(err)
	}
	env := []string{"GOPROXY=off", "GOFLAGS=", "GOTOOLCHAIN=local", "GOWORK="}
	for name, value := range vars {
		env = append(env, name+"="+value)
	}
	return env
}

// sameFindings holds that two files written with -json hold the same
// findings, one written by go vet (a tree for each package, and comments) and
// one by pgtxvet.
//
//	samefindings vet.json pgtxvet.json
func sameFindings(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: samefindings file file")
	}
	a, b := findings(ts, args[0]), findings(ts, args[1])
	if len(a) == 0 {
		ts.Fatalf("no findings in %s", args[0])
	}
	if !reflect.DeepEqual(a, b) {
		ts.Fatalf("%s:\n%s\n%s:\n%s", args[0], strings.Join(a, "\n"), args[1], strings.Join(b, "\n"))
	}
}

// findings reads all findings from a file of JSON trees, each as one line of
// JSON with package and rule in front.
func findings(ts *testscript.TestScript, file string) []string {
	var all []string
	var lines []string
	for line := range strings.Lines(ts.ReadFile(file)) {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	for dec := json.NewDecoder(strings.NewReader(strings.Join(lines, ""))); dec.More(); {
		var tree map[string]map[string]any
		ts.Check(dec.Decode(&tree))
		for id, rules := range tree {
			for rule, value := range rules {
				list, _ := value.([]any)
				for _, d := range list {
					delete(d.(map[string]any), "url") // go vet does not write it
					data, err := json.Marshal(d)
					ts.Check(err)
					all = append(all, id+" "+rule+" "+string(data))
				}
			}
		}
	}
	slices.Sort(all)
	return all
}
