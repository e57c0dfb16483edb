package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"go/constant"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif" // has the schema
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/tools/go/packages"
)

// readers read the findings of each format, as "file:line rule message", with
// names of files without directories.
var readers = map[string]func(data string) ([]string, error){
	"text":       readText,
	"json":       readJSON,
	"sarif":      readSARIF,
	"github":     readGitHub,
	"gitlab":     readGitLab,
	"checkstyle": readCheckstyle,
}

// sameFormats holds that files written with different formats hold the same
// findings.
//
//	sameformats text.out json.out sarif.out github.out gitlab.out checkstyle.out
func sameFormats(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != len(readers) {
		ts.Fatalf("usage: sameformats FORMAT.out..., for all of the %d formats", len(readers))
	}
	var first []string
	for _, name := range args {
		read := readers[strings.TrimSuffix(name, ".out")]
		if read == nil {
			ts.Fatalf("%s is named after no format", name)
		}
		got, err := read(ts.ReadFile(name))
		ts.Check(err)
		slices.Sort(got)
		if first == nil {
			first = got
		}
		if len(got) == 0 || !slices.Equal(got, first) {
			ts.Fatalf("%s:\n%s\n%s:\n%s", args[0], strings.Join(first, "\n"), name, strings.Join(got, "\n"))
		}
	}
}

func entry(file string, line int, rule, message string) string {
	return fmt.Sprintf("%s:%d %s %s", file[strings.LastIndex(file, "/")+1:], line, rule, message)
}

func readText(data string) ([]string, error) {
	var list []string
	for _, m := range regexp.MustCompile(`(?m)^(\S.*):(\d+):\d+: (.*) \((\w+)\)$`).FindAllStringSubmatch(data, -1) {
		line, err := strconv.Atoi(m[2])
		if err != nil {
			return nil, err
		}
		list = append(list, entry(m[1], line, m[4], m[3]))
	}
	return list, nil
}

func readJSON(data string) ([]string, error) {
	var tree map[string]map[string][]struct{ Posn, Message string }
	if err := json.Unmarshal([]byte(data), &tree); err != nil {
		return nil, err
	}
	var list []string
	for _, rules := range tree {
		for rule, found := range rules {
			for _, d := range found {
				m := regexp.MustCompile(`^(.*):(\d+):\d+$`).FindStringSubmatch(d.Posn)
				line, err := strconv.Atoi(m[2])
				if err != nil {
					return nil, err
				}
				list = append(list, entry(m[1], line, rule, d.Message))
			}
		}
	}
	return list, nil
}

func readSARIF(data string) ([]string, error) {
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(data), &log); err != nil {
		return nil, err
	}
	var list []string
	for _, run := range log.Runs {
		for _, r := range run.Results {
			if run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
				return nil, fmt.Errorf("rule %d is not %s", r.RuleIndex, r.RuleID)
			}
			at := r.Locations[0].PhysicalLocation
			list = append(list, entry(strings.ReplaceAll(at.ArtifactLocation.URI, "%25", "%"), at.Region.StartLine, r.RuleID, r.Message.Text))
		}
	}
	return list, nil
}

func readGitHub(data string) ([]string, error) {
	unescape := strings.NewReplacer("%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
	var list []string
	for _, m := range regexp.MustCompile(`(?m)^::\w+ file=([^,]*),line=(\d+),.*title=pgtxvet%3A (\w+)::(.*)$`).FindAllStringSubmatch(data, -1) {
		line, err := strconv.Atoi(m[2])
		if err != nil {
			return nil, err
		}
		message, _, _ := strings.Cut(unescape.Replace(m[4]), "\n")
		list = append(list, entry(unescape.Replace(m[1]), line, m[3], message))
	}
	return list, nil
}

func readGitLab(data string) ([]string, error) {
	var found []struct {
		Description string
		CheckName   string `json:"check_name"`
		Fingerprint string
		Location    struct {
			Path  string
			Lines struct{ Begin int }
		}
	}
	if err := json.Unmarshal([]byte(data), &found); err != nil {
		return nil, err
	}
	var list []string
	seen := map[string]bool{}
	for _, f := range found {
		if f.Fingerprint == "" || seen[f.Fingerprint] {
			return nil, fmt.Errorf("the fingerprint %q is not one", f.Fingerprint)
		}
		seen[f.Fingerprint] = true
		list = append(list, entry(f.Location.Path, f.Location.Lines.Begin, f.CheckName, f.Description))
	}
	return list, nil
}

func readCheckstyle(data string) ([]string, error) {
	var doc struct {
		File []struct {
			Name  string `xml:"name,attr"`
			Error []struct {
				Line    int    `xml:"line,attr"`
				Message string `xml:"message,attr"`
				Source  string `xml:"source,attr"`
			} `xml:"error"`
		} `xml:"file"`
	}
	if err := xml.Unmarshal([]byte(data), &doc); err != nil {
		return nil, err
	}
	var list []string
	for _, f := range doc.File {
		for _, e := range f.Error {
			message, _, _ := strings.Cut(e.Message, "\n")
			list = append(list, entry(f.Name, e.Line, strings.TrimPrefix(e.Source, "pgtxvet."), message))
		}
	}
	return list, nil
}

// validSARIF holds that files are SARIF by its schema.
//
//	validsarif file...
func validSARIF(ts *testscript.TestScript, neg bool, args []string) {
	schema, err := sarifSchema()
	ts.Check(err)
	for _, name := range args {
		data, err := jsonschema.UnmarshalJSON(strings.NewReader(ts.ReadFile(name)))
		ts.Check(err)
		if err := schema.Validate(data); (err != nil) != neg {
			ts.Fatalf("%s: %v", name, err)
		}
	}
}

// sarifSchema is the schema of OASIS. A library has it as a constant that it does
// not export.
var sarifSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	const library = "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps}, library)
	if err != nil {
		return nil, err
	}
	text, ok := pkgs[0].Types.Scope().Lookup("schema").(*types.Const)
	if !ok {
		return nil, fmt.Errorf("%s has no constant schema", library)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(constant.StringVal(text.Val())))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("sarif.json")
})
