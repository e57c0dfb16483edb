// Package stmts has the statements of the program.
package stmts

import _ "embed"

//go:embed claim.sql
var Claim string

// ByState are statements by what they are for.
var ByState = map[string]string{
	"timeout": "SET LOCAL statement_timeout = 5000",
	"defer":   "SET CONSTRAINTS ALL DEFERRED",
	"guard":   "SELECT pg_advisory_xact_lock(42)",
}

// Hint is changed by what uses it.
var Hint = "SET LOCAL enable_seqscan = off"
