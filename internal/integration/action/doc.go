// Package action holds the test of action.yml: actionlint reads a workflow that
// uses the action, and its step is run as GitHub runs it.
package action
