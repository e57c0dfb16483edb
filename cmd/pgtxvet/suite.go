package main

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// A suite is the rules that the program knows.
type suite struct {
	byDefault []*analysis.Analyzer
	onRequest []*analysis.Analyzer // run only when asked for by name
}

// all are all rules in the order of their names.
func (s suite) all() []*analysis.Analyzer {
	rules := slices.Concat(s.byDefault, s.onRequest)
	slices.SortFunc(rules, func(a, b *analysis.Analyzer) int { return strings.Compare(a.Name, b.Name) })
	return rules
}

// isOff reports whether a rule runs only when it is asked for.
func (s suite) isOff(a *analysis.Analyzer) bool { return slices.Contains(s.onRequest, a) }

// names are the names of all rules.
func (s suite) names() []string {
	var names []string
	for _, a := range s.all() {
		names = append(names, a.Name)
	}
	return names
}

// lookup finds a rule by its name. The error suggests a rule.
func (s suite) lookup(name string) (*analysis.Analyzer, error) {
	rules := s.all()
	for _, a := range rules {
		if a.Name == name {
			return a, nil
		}
	}
	if near := nearest(name, s.names()); near != "" {
		return nil, fmt.Errorf("no rule %q; did you mean %s?", name, near)
	}
	return nil, fmt.Errorf("no rule %q; the rules are %s", name, strings.Join(s.names(), ", "))
}

// choose gives the rules to run: those named in only, or the default ones,
// without those named in disable. Both are lists of names with commas; "all"
// stands for all rules.
func (s suite) choose(only, disable string) ([]*analysis.Analyzer, error) {
	rules := slices.Clone(s.byDefault)
	if only != "" {
		var err error
		if rules, err = s.parse("-rules", only); err != nil {
			return nil, err
		}
	}
	off, err := s.parse("-disable", disable)
	if err != nil {
		return nil, err
	}
	rules = slices.DeleteFunc(rules, func(a *analysis.Analyzer) bool { return slices.Contains(off, a) })
	return rules, nil
}

// parse resolves a list of rules with commas, the value of a flag.
func (s suite) parse(flag, list string) ([]*analysis.Analyzer, error) {
	var rules []*analysis.Analyzer
	for name := range strings.SplitSeq(list, ",") {
		switch name = strings.TrimSpace(name); name {
		case "":
		case "all":
			rules = append(rules, s.all()...)
		default:
			a, err := s.lookup(name)
			if err != nil {
				return nil, fmt.Errorf("%s: no rule %q; the rules are %s", flag, name, strings.Join(s.names(), ", "))
			}
			rules = append(rules, a)
		}
	}
	slices.SortFunc(rules, func(a, b *analysis.Analyzer) int { return strings.Compare(a.Name, b.Name) })
	return slices.Compact(rules), nil
}

// nearest gives the name that is most like the given one, "" if none is.
func nearest(name string, names []string) string {
	best, distance := "", len(name)/2+1
	for _, n := range names {
		if d := edits(name, n); d < distance {
			best, distance = n, d
		}
	}
	return best
}

// edits is the number of letters to insert, remove or replace to turn a
// into b.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
