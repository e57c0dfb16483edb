// Command schema prints what internal/schema reads of projects: the sets of
// scripts, how many tables and keys they make, and the statements that are not
// understood.
//
//	go run ./internal/cmd/schema [-tables] [-problems] [dir ...]
package main

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
	"github.com/pgtxvet/pgtxvet/internal/schema"
)

func main() {
	tables := flag.Bool("tables", false, "print the tables with their keys and foreign keys")
	problems := flag.Bool("problems", false, "print the statements that are not understood")
	flag.Parse()
	dirs := flag.Args()
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	statements, bad := 0, 0
	for _, dir := range dirs {
		begin := time.Now()
		list := schema.Sources(dir)
		fmt.Printf("%s: %d sets, %v\n", filepath.Base(dir), len(list), time.Since(begin).Round(time.Millisecond))
		for _, src := range list {
			printSource(dir, src, *tables, *problems)
			statements += src.Schema.Statements()
			bad += len(problemsOf(src))
		}
	}
	if statements > 0 {
		fmt.Printf("%d statements, %d not understood, %.2f%% understood\n", statements, bad, 100-100*float64(bad)/float64(statements))
	}
}

func problemsOf(src schema.Source) []schema.Problem {
	if !src.Schema.Known() {
		return nil
	}
	return src.Schema.Problems()
}

func printSource(dir string, src schema.Source, tables, problems bool) {
	rel, err := filepath.Rel(dir, src.Dir)
	if err != nil {
		rel = src.Dir
	}
	if !src.Schema.Known() {
		fmt.Printf("  %s: %d files, nothing for PostgreSQL\n", rel, len(src.Files))
		return
	}
	names, keys := src.Schema.Tables(), 0
	for _, name := range names {
		t, _ := src.Schema.Table(name)
		list, _ := t.Keys()
		keys += len(list)
		if tables {
			printTable(name, t)
		}
	}
	fmt.Printf("  %s: %d files, %d statements, %d tables, %d keys, %d not understood%s\n", rel, len(src.Files),
		src.Schema.Statements(), len(names), keys, len(src.Schema.Problems()), incomplete(src.Schema))
	if problems {
		for _, p := range src.Schema.Problems() {
			fmt.Printf("    %s:%d: %s: %s\n", filepath.Base(p.File), p.Line, p.Msg, p.Text)
		}
	}
}

// incomplete says why a schema is not complete.
func incomplete(s *schema.Schema) string {
	if why := s.Incomplete(); len(why) > 0 {
		return "; perhaps more: " + strings.Join(why, "; ")
	}
	return ""
}

func printTable(name string, t *schema.Table) {
	columns, sure := t.Columns()
	fmt.Printf("    %s: %d columns (all: %v)\n", name, len(columns), sure)
	list, all := t.Constraints()
	for _, k := range list {
		fmt.Printf("      %s\n", constraint(k))
	}
	if all != schema.Yes {
		fmt.Println("      perhaps more")
	}
}

// constraint is a constraint in a line.
func constraint(k *pgsql.Constraint) string {
	var over []string
	for _, e := range k.Elements {
		over = append(over, strings.TrimSpace(e.Column+e.Expr+" "+e.Operator))
	}
	s := fmt.Sprintf("%s %s (%s)", k.Kind, k.Name, strings.Join(over, ", "))
	if k.Kind == pgsql.ForeignKey {
		s += fmt.Sprintf(" REFERENCES %s (%s)", k.Referenced.Name, strings.Join(k.ReferencedColumns, ", "))
	}
	if k.Where != "" {
		s += " WHERE " + k.Where
	}
	return s
}
