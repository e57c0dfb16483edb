package main

import (
	"runtime/debug"
	"testing"
)

func TestRevision(t *testing.T) {
	settings := []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: "4f1"}, {Key: "vcs.time", Value: "2026-01-02T03:04:05Z"}}
	for _, test := range []struct {
		settings []debug.BuildSetting
		want     string
	}{
		{nil, ""},
		{settings, "4f1 of 2026-01-02T03:04:05Z"},
		{append(settings, debug.BuildSetting{Key: "vcs.modified", Value: "true"}), "4f1 with changes"},
	} {
		if got := revisionOf(test.settings); got != test.want {
			t.Errorf("%v: %q, want %q", test.settings, got, test.want)
		}
	}
}
