// Package hooks holds the test of .pre-commit-hooks.yaml: the real pre-commit
// installs the hooks from a copy of this repository, and runs them in another.
package hooks
