package txflow

import (
	"bytes"
	"maps"
)

// reads are what the analysis of a package was given of the packages below, and
// what it has looked at. Rules look when they ask about sites, so the fact that
// the package exports shares it with the engine.
type reads struct {
	blobs map[string]*PackageFacts
	paths map[string]bool // read in full
	// resets is set when it was asked whether a package resets sessions,
	// importers when the module was searched for packages that try again.
	resets, importers bool
}

// Below gives the fact as the package would export it if facts were those of the
// packages that it imports directly: with their summaries below its own. The
// result is f itself if nothing differs.
//
// Same reports whether an analysis of the package would find what it has found:
// whether what it read is what it would read now. It is never the same for a
// fact that was not made in this process.
func (f *Facts) Below(facts []*Facts) (now *Facts, same bool) {
	blobs := map[string]*PackageFacts{}
	for _, imp := range facts {
		for _, p := range imp.Packages {
			blobs[p.Path] = p
		}
	}
	if f.reads == nil {
		return f, false
	}
	if maps.Equal(blobs, f.reads.blobs) {
		return f, true
	}
	r := *f.reads
	r.blobs = blobs
	if f.own != nil {
		blobs = maps.Clone(blobs)
		blobs[f.own.Path] = f.own
	}
	now = newFacts(blobs)
	now.own, now.reads = f.own, &r
	return now, f.reads.same(r.blobs)
}

// same reports whether what was read is the same in other summaries.
func (r *reads) same(blobs map[string]*PackageFacts) bool {
	if len(blobs) != len(r.blobs) {
		return false
	}
	for path, old := range r.blobs {
		now := blobs[path]
		if now == nil || r.paths[path] && !now.equal(old) {
			return false
		}
	}
	return !r.resets || anyResets(blobs) == anyResets(r.blobs)
}

func (p *PackageFacts) equal(q *PackageFacts) bool { return p == q || bytes.Equal(p.Data, q.Data) }

// Settle makes the fact share the package's own summary with an earlier one,
// where it says the same.
func (f *Facts) Settle(earlier *Facts) {
	if f.own == nil || earlier.own == nil || !f.own.equal(earlier.own) {
		return
	}
	for i, p := range f.Packages {
		if p == f.own {
			f.Packages[i] = earlier.own
		}
	}
	f.own = earlier.own
}

// ReadsImporters reports whether the analysis of the package has looked at the
// files of other packages of the module, see [Site.ImportersRetry].
func (f *Facts) ReadsImporters() bool { return f.reads != nil && f.reads.importers }
