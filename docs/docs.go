// Package docs holds the pages of the rules, for programs that show them.
package docs

import (
	"embed"
	"io/fs"
)

//go:embed rules/*.md
var pages embed.FS

// Rule is the page of a rule, in Markdown with the timelines of its proofs.
func Rule(name string) (string, bool) {
	data, err := fs.ReadFile(pages, "rules/"+name+".md")
	return string(data), err == nil
}
