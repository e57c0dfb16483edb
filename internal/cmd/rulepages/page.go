package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/pgtxvet/pgtxvet/analyzers"
	"github.com/pgtxvet/pgtxvet/internal/ruledoc"
)

const (
	pagesDir = "docs/rules"
	// toRoot leads from a page to the root of the repository.
	toRoot = "../../"
	marker = "<!-- Written by make docs from passes/%s/doc.go and testdata. Do not edit. -->\n\n"
)

// pages are the files that are written, by their names in the repository.
func pages(root string) (map[string][]byte, error) {
	old, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		return nil, err
	}
	start, err := readme(old)
	if err != nil {
		return nil, fmt.Errorf("README.md: %w", err)
	}
	files := map[string][]byte{"README.md": start, pagesDir + "/README.md": index()}
	for _, a := range rules() {
		if ruledoc.Of(a) == nil {
			return nil, fmt.Errorf("%s has no documentation", a.Name)
		}
		programs, err := readPrograms(root, a.Name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Name, err)
		}
		text, err := page(root, a, programs)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Name, err)
		}
		files[pagesDir+"/"+a.Name+".md"] = text
	}
	return files, nil
}

// rules are all rules of the suite, in the order of their names.
func rules() []*analysis.Analyzer {
	all := slices.Concat(analyzers.All(), analyzers.Optional())
	slices.SortFunc(all, func(a, b *analysis.Analyzer) int { return strings.Compare(a.Name, b.Name) })
	return all
}

func index() []byte {
	var b bytes.Buffer
	fmt.Fprint(&b, "<!-- Written by make docs. Do not edit. -->\n\n# Rules\n\n")
	table(&b, "")
	fmt.Fprint(&b, "\nEach page says what the rule reports and what it does not, shows the code before and after, "+
		"and shows what PostgreSQL did with programs that the rule reports and with their corrections. "+
		"`pgtxvet explain RULE` shows it in a terminal.\n")
	return b.Bytes()
}

// table lists the rules. The pages are in dir.
func table(b *bytes.Buffer, dir string) {
	fmt.Fprint(b, "| rule | reports | runs |\n|---|---|---|\n")
	for _, a := range rules() {
		runs := "by default"
		if slices.Contains(analyzers.Optional(), a) {
			runs = "on request"
		}
		if doc := ruledoc.Of(a); doc != nil {
			fmt.Fprintf(b, "| [%s](%s%s.md) | %s | %s |\n", a.Name, dir, a.Name, doc.Compile().TitleMarkdown, runs)
		}
	}
}

// readme is README.md with its list of rules made new.
func readme(old []byte) ([]byte, error) {
	const begin, end = "<!-- rules -->\n", "<!-- /rules -->"
	from, to := bytes.Index(old, []byte(begin)), bytes.Index(old, []byte(end))
	if from < 0 || to < from {
		return nil, fmt.Errorf("no place for the list of rules between %q and %q", begin, end)
	}
	var b bytes.Buffer
	b.Write(old[:from+len(begin)])
	table(&b, pagesDir+"/")
	b.Write(old[to:])
	return b.Bytes(), nil
}

// page is the page of one rule.
func page(root string, a *analysis.Analyzer, programs []program) ([]byte, error) {
	name := a.Name
	var b bytes.Buffer
	fmt.Fprintf(&b, marker, name)
	fmt.Fprintf(&b, "# %s\n\n%s\n", name, ruledoc.Markdown(a))
	silence(&b, name)
	if len(programs) > 0 {
		fmt.Fprintf(&b, "## Proof\n\nEach program below stands in [testdata/%s](%stestdata/%s) and was run, unmodified, on PostgreSQL. "+
			"The diagrams are records of these runs, and the tests fail when a run no longer gives the same one. "+
			"What is reported comes first, with the harm that it did; the corrected function follows, under the same schedule.\n\n", name, toRoot, name)
	}
	for _, p := range programs {
		if err := p.write(&b, root, name); err != nil {
			return nil, err
		}
	}
	return append(bytes.TrimSpace(b.Bytes()), '\n'), nil
}

func goBlock(code string) string { return "```go\n" + strings.Trim(code, "\n") + "\n```\n" }

// silence says how to silence a finding of the rule.
func silence(b *bytes.Buffer, name string) {
	if name == "directive" {
		return // the page is about nothing else
	}
	fmt.Fprintf(b, "## Silence a finding\n\nOn its line, or alone on the line above, with the reason:\n\n%s\n",
		goBlock("//pgtxvet:ignore "+name+" why it is no fault here"))
	fmt.Fprintf(b, "A directive that silences nothing is reported. `-disable %s` turns the rule off for a run, under go vet `-%s=false`.\n\n", name, name)
}

// write writes the section of one program.
func (p program) write(b *bytes.Buffer, root, rule string) error {
	dir := "testdata/" + rule + "/" + p.name
	fmt.Fprintf(b, "### %s\n\n%s ([source](%s%s))\n\n", p.name, p.about, toRoot, dir)
	for _, f := range p.funcs {
		what := "is right as it stands"
		switch {
		case f.flagged:
			what = "is reported"
		case f.fixes != "":
			what = "is the correction"
		}
		fmt.Fprintf(b, "#### `%s` %s\n\n", f.name, what)
		if f.doc != "" {
			fmt.Fprintf(b, "%s\n\n", f.doc)
		}
		fmt.Fprint(b, goBlock(f.code), "\n")
		timeline, err := f.timeline(root, rule, p.name)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "%s\n\n", timeline)
	}
	return nil
}

// timeline is what the proof of a function recorded, without the name of the
// function in front.
func (f function) timeline(root, rule, program string) (string, error) {
	file := filepath.Join(root, timelinesDir(rule), f.timelineFile(program))
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	head, diagram, _ := strings.Cut(strings.TrimSpace(string(data)), "\n")
	_, result, ok := strings.Cut(head, "`: ")
	if !ok {
		return "", fmt.Errorf("%s: first line has no result", file)
	}
	if harm, ok := strings.CutPrefix(result, "harm: "); ok {
		result = "Harm: " + harm
	} else {
		result = strings.ToUpper(result[:1]) + result[1:]
	}
	return "**" + result + "**\n\n" + strings.TrimSpace(diagram), nil
}

func timelinesDir(rule string) string { return filepath.Join("testdata", "timelines", rule) }

// timelineFile names the file of the proof's record: the function without
// what a file's name cannot hold.
func (f function) timelineFile(program string) string {
	return program + "." + strings.NewReplacer("(", "", ")", "", "*", "").Replace(f.name) + ".md"
}

// timelines are the names of all records of a rule.
func timelines(root, rule string) (map[string]bool, error) {
	files, err := fs.Glob(os.DirFS(root), filepath.ToSlash(timelinesDir(rule))+"/*.md")
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, f := range files {
		names[filepath.Base(f)] = true
	}
	return names, nil
}
