package dbapi

// pgerrcode is the table of the package of SQLSTATEs,
// https://pkg.go.dev/github.com/jackc/pgerrcode. The codes themselves are
// constants; the functions test for a class, Appendix A of PostgreSQL's manual.
func pgerrcode() *Library {
	lib := &Library{Name: "pgerrcode"}
	for _, class := range []struct{ name, code string }{
		{"IsSuccessfulCompletion", "00"},
		{"IsWarning", "01"},
		{"IsNoData", "02"},
		{"IsConnectionException", "08"},
		{"IsFeatureNotSupported", "0A"},
		{"IsCardinalityViolation", "21"},
		{"IsDataException", "22"},
		{"IsIntegrityConstraintViolation", "23"},
		{"IsInvalidCursorState", "24"},
		{"IsInvalidTransactionState", "25"},
		{"IsInvalidAuthorizationSpecification", "28"},
		{"IsInvalidTransactionTermination", "2D"},
		{"IsSavepointException", "3B"},
		{"IsTransactionRollback", "40"},
		{"IsSyntaxErrororAccessRuleViolation", "42"},
		{"IsWithCheckOptionViolation", "44"},
		{"IsInsufficientResources", "53"},
		{"IsProgramLimitExceeded", "54"},
		{"IsObjectNotInPrerequisiteState", "55"},
		{"IsOperatorIntervention", "57"},
		{"IsSystemError", "58"},
		{"IsPLpgSQLError", "P0"},
		{"IsInternalError", "XX"},
	} {
		lib.Funcs = append(lib.Funcs, in("github.com/jackc/pgerrcode", f(class.name, TestCode, "from", codes(class.code)))...)
	}
	return lib
}
