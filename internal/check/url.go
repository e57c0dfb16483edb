package check

import (
	"fmt"
	"net/url"

	"golang.org/x/tools/go/analysis"
)

// resolveURLs completes the URLs of diagnostics, as [analysis.Diagnostic]
// says: relative to the analyzer's, with the category as default fragment.
func resolveURLs(a *analysis.Analyzer, diagnostics []analysis.Diagnostic) error {
	for i := range diagnostics {
		d := &diagnostics[i]
		if d.URL == "" && d.Category == "" && a.URL == "" {
			continue
		}
		raw := d.URL
		if raw == "" && d.Category != "" {
			raw = "#" + d.Category
		}
		u, err := url.Parse(raw)
		if err != nil {
			return fmt.Errorf("%s: invalid URL %q of a diagnostic: %w", a.Name, raw, err)
		}
		base, err := url.Parse(a.URL)
		if err != nil {
			return fmt.Errorf("%s: invalid URL %q of the analyzer: %w", a.Name, a.URL, err)
		}
		d.URL = base.ResolveReference(u).String()
	}
	return nil
}
