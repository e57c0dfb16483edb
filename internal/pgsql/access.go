package pgsql

// HasLock reports whether the statement locks rows, at any depth.
func (s *Statement) HasLock() bool { return len(s.Locks) > 0 }

// TopLock returns the locking clause of the outermost SELECT, nil when it has
// none.
func (s *Statement) TopLock() *RowLock {
	for i := range s.Locks {
		if s.Locks[i].Top {
			return &s.Locks[i]
		}
	}
	return nil
}

// String returns the name of the kind, for messages and tests.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "Other"
}

var kindNames = [...]string{
	Other: "Other", Select: "SELECT", Insert: "INSERT", Update: "UPDATE", Delete: "DELETE", Merge: "MERGE",
	Set: "SET", SetTransaction: "SET TRANSACTION", SetConstraints: "SET CONSTRAINTS", Reset: "RESET",
	Discard: "DISCARD", Begin: "BEGIN", Commit: "COMMIT", Rollback: "ROLLBACK", Savepoint: "SAVEPOINT",
	ReleaseSavepoint: "RELEASE SAVEPOINT", RollbackTo: "ROLLBACK TO SAVEPOINT", LockTable: "LOCK TABLE",
	Listen: "LISTEN", Unlisten: "UNLISTEN", Notify: "NOTIFY", Prepare: "PREPARE", Execute: "EXECUTE",
	Deallocate: "DEALLOCATE", Declare: "DECLARE", Fetch: "FETCH", CloseCursor: "CLOSE", Copy: "COPY",
	Truncate: "TRUNCATE", CreateTable: "CREATE TABLE", DDL: "DDL", Explain: "EXPLAIN", Do: "DO", Call: "CALL",
	Show: "SHOW",
}
