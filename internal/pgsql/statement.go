// Package pgsql says what PostgreSQL does with a piece of SQL text.
//
// [Parse] turns a [Source], which may contain holes and any placeholder style
// that Go libraries accept, into [Statement] values. It uses PostgreSQL's own
// grammar; what the grammar rejects becomes a partial statement made from the
// token stream, never an error.
package pgsql

// A Source is an SQL text as a Go program builds it.
type Source struct {
	// Text is the SQL with every unknown part left out.
	Text string
	// Holes are the unknown parts, in order of their offset.
	Holes []Hole
	// Style is the placeholder syntax of the library the text is given to.
	Style Style
}

// A Hole is an unknown part of a text: at Off, between Text[:Off] and
// Text[Off:], something of the given kind stands in the running program.
type Hole struct {
	Off  int // byte offset in Source.Text
	Kind HoleKind
}

// HoleKind says what is known about the unknown part of a text.
type HoleKind uint8

const (
	HoleUnknown HoleKind = iota // anything, several clauses or nothing
	HoleIdent                   // an identifier, perhaps qualified or quoted
	HoleLiteral                 // a number or one quoted literal
	HoleList                    // a comma-separated list of placeholders or literals
)

// Style is a placeholder syntax.
type Style uint8

const (
	StyleAuto     Style = iota // whatever the text shows: $1, then ?, :name, @name
	StyleDollar                // $1
	StyleQuestion              // ?
	StyleNamed                 // :name (sqlx)
	StyleAt                    // @name (pgx.NamedArgs, gorm)
)

// Kind is the kind of a statement.
type Kind uint8

const (
	Other Kind = iota // anything this package has no name for
	Select
	Insert
	Update
	Delete
	Merge
	Set            // SET, SET LOCAL, also ALTER SYSTEM is Other
	SetTransaction // SET TRANSACTION, SET SESSION CHARACTERISTICS
	SetConstraints // SET CONSTRAINTS
	Reset          // RESET name, RESET ALL
	Discard        // DISCARD ALL, TEMP, PLANS, SEQUENCES
	Begin          // BEGIN, START TRANSACTION
	Commit         // COMMIT, END, also PREPARE TRANSACTION
	Rollback       // ROLLBACK, ABORT
	Savepoint      // SAVEPOINT
	ReleaseSavepoint
	RollbackTo // ROLLBACK TO SAVEPOINT
	LockTable  // LOCK TABLE
	Listen
	Unlisten
	Notify
	Prepare    // PREPARE name AS; the statement runs at EXECUTE and is not described
	Execute    // EXECUTE name
	Deallocate // DEALLOCATE
	Declare    // DECLARE CURSOR
	Fetch      // FETCH, MOVE
	CloseCursor
	Copy
	Truncate
	CreateTable
	DDL     // any other CREATE, ALTER, DROP
	Explain // what it explains is described only with ANALYZE, which runs it
	Do      // the body is not analysed
	Call
	Show
)

// A Statement is one SQL statement and what PostgreSQL does with it.
type Statement struct {
	Kind Kind
	// Text is the statement's own text, placeholders as the caller wrote them.
	Text string
	// Pos and End are its byte offsets in Source.Text.
	Pos, End int
	// Partial is set when the grammar rejected the text: only Kind, Locks, Set,
	// Isolation, Advisory and transaction control are filled in, from tokens.
	Partial bool
	// Holes is set when the statement's text had a hole inside it. Trailing is
	// set when a hole of unknown kind stands where a clause could follow (an
	// unseen FOR UPDATE, WHERE or LIMIT may be there).
	Holes, Trailing bool

	// Reads are the tables whose rows the statement reads, at any depth,
	// common table expressions resolved away. The target of a write is not
	// among them unless it is read a second time. A table whose name is a hole
	// has an empty Name.
	Reads []TableRef
	// Columns are the columns it reads by name; Table is empty when the
	// reference was not qualified and more than one table is read. In a SELECT
	// list a star is the column "*".
	Columns []ColumnRef
	// Outputs are the columns of the result in order: of a top-level SELECT or
	// of RETURNING. Of a set operation only the names are known, and the
	// columns that are the same on both sides. A hole in the list is one
	// Output of ExprHole, but may stand for several.
	Outputs []Output
	// Target is the table that INSERT, UPDATE, DELETE, MERGE, COPY FROM,
	// TRUNCATE, CREATE TABLE write. Writes lists all written tables, those of
	// data-modifying common table expressions included.
	Target TableRef
	Writes []TableRef
	// Sets are the columns written: SET of an UPDATE; columns and VALUES of an
	// INSERT; DO UPDATE SET has OnConflict true.
	Sets []Assignment
	// Where are the top-level AND-ed comparisons of the WHERE of the statement
	// itself (of the outermost SELECT, UPDATE or DELETE), in order; of an
	// INSERT those of DO UPDATE … WHERE, of a MERGE those of its ON. A row
	// comparison (a, b) = (x, y) is two of them.
	Where []Comparison
	// WhereComplete is set when Where holds all of the WHERE clause: no OR, no
	// subquery, no hole in it or where it could go on.
	WhereComplete bool
	// WhereLoose are the columns in the terms of that WHERE which no Comparison
	// describes: those of an OR, of a function's arguments.
	WhereLoose []ColumnRef
	// Listed are the comparisons of the subqueries in the list of results of the
	// outermost SELECT: those of SELECT EXISTS (SELECT … WHERE …).
	Listed []Comparison

	// Locks are the row-locking clauses, at any depth.
	Locks []RowLock
	// Picks are the SELECTs with LIMIT and no locking clause inside a writing
	// statement.
	Picks []Pick
	// Writing is set when the statement or any common table expression in it
	// is INSERT, UPDATE, DELETE or MERGE.
	Writing bool

	// Set is filled for Set, Reset, and for every call of set_config.
	Settings []Setting
	// Tx describes BEGIN, SET TRANSACTION, SET SESSION CHARACTERISTICS.
	Tx TxMode
	// Advisory are the advisory-lock calls.
	Advisory []AdvisoryCall
	// Name is the savepoint, channel, prepared statement or cursor name.
	Name string
	// LockMode is the mode of LOCK TABLE ("ACCESS EXCLUSIVE" by default), its
	// tables are in Reads; NoWait is its NOWAIT.
	LockMode string
	NoWait   bool

	// The clauses of the outermost SELECT, UPDATE or DELETE.
	HasWhere, HasLimit, HasOrderBy, HasGroupBy, HasDistinct, HasSetOp, HasAggregate, HasHaving bool
	// OrderBy are the columns of the outermost ORDER BY that are plain columns.
	OrderBy []ColumnRef
	// NullableLocked is set when a locking clause names or covers the nullable
	// side of an outer join.
	NullableLocked bool
	// Temp is set on CREATE TEMP TABLE, and on SELECT INTO TEMP / CREATE TEMP
	// TABLE AS; OnCommitDrop is its ON COMMIT DROP; Hold is DECLARE … WITH HOLD.
	Temp, OnCommitDrop, Hold bool
	// OnConflict is the action of INSERT … ON CONFLICT.
	OnConflict ConflictAction
	// ConflictColumns is the inference target of ON CONFLICT, if columns.
	ConflictColumns []string
	// Returning is set when a RETURNING clause is present.
	Returning bool
	// Funcs are the functions called, lower case, schema-qualified as written,
	// sorted, without duplicates.
	Funcs []string
	// Params is the number of distinct parameters.
	Params int
}

// A TableRef names a table as written.
type TableRef struct {
	Schema, Name string
	Alias        string // empty when none
}

// A ColumnRef names a column; Table is the real table's name when it could be
// told (alias resolved), else empty.
type ColumnRef struct{ Table, Column string }

// An Output is one column of a result.
type Output struct {
	Name   string    // the name PostgreSQL gives it, "?column?" when none
	Column ColumnRef // the plain column it is, if it is one
	Expr   Expr
}

// An Assignment says that a column is set from an expression.
type Assignment struct {
	Column     string
	Value      Expr
	OnConflict bool
	Row        int // for INSERT … VALUES: the row, from 0
}

// ExprKind is the shape of an expression.
type ExprKind uint8

const (
	ExprOther   ExprKind = iota
	ExprParam            // one placeholder, casts removed
	ExprConst            // one literal, casts removed; also now() and friends are ExprOther
	ExprColumn           // one column, casts removed
	ExprDefault          // DEFAULT
	ExprNull             // NULL
	ExprHole             // an unknown part of the text
)

// An Expr is a scalar expression as far as rules ask about it.
type Expr struct {
	Kind ExprKind
	// Param is the 1-based parameter number for ExprParam. For ? placeholders
	// it is the position in order of appearance, over the whole Source; for
	// named ones ParamName is set too.
	Param     int
	ParamName string
	Const     string    // the literal's value for ExprConst, unquoted; "true"/"false" for booleans
	Column    ColumnRef // for ExprColumn
	// Params, Columns and Funcs list what occurs anywhere inside.
	Params  []int
	Columns []ColumnRef
	Funcs   []string
	// Subquery is set when a sub-SELECT occurs inside.
	Subquery bool
	// Text is the expression deparsed or as written; for messages.
	Text string
}

// A Comparison is one AND-ed term of a WHERE clause that compares a column.
type Comparison struct {
	Column ColumnRef
	// Op is "=", "<", ">=", "IN", "ANY", "IS NULL", "IS NOT NULL", "BETWEEN", "LIKE", …
	Op    string
	Value Expr
}

// Strength is the strength of a row lock, weakest first.
type Strength uint8

const (
	ForKeyShare Strength = iota + 1
	ForShare
	ForNoKeyUpdate
	ForUpdate
)

// String returns the locking clause as it is written.
func (s Strength) String() string {
	switch s {
	case ForKeyShare:
		return "FOR KEY SHARE"
	case ForShare:
		return "FOR SHARE"
	case ForNoKeyUpdate:
		return "FOR NO KEY UPDATE"
	case ForUpdate:
		return "FOR UPDATE"
	}
	return ""
}

// WaitPolicy says what a row lock does when the row is taken.
type WaitPolicy uint8

const (
	Wait WaitPolicy = iota
	SkipLocked
	NoWait
)

// A RowLock is one locking clause.
type RowLock struct {
	Strength Strength
	Policy   WaitPolicy
	// Of are the tables named by OF, resolved to table names; empty means all.
	Of []string
	// Tables are the tables whose rows are locked.
	Tables []string
	// Top is set when the clause belongs to the outermost SELECT.
	Top bool
	// InWrite is set when the lock serves a writing statement: the statement
	// is INSERT/UPDATE/DELETE/MERGE, or a SELECT with a data-modifying common
	// table expression.
	InWrite bool
	// HasLimit and HasOrderBy are those of the locking SELECT itself.
	HasLimit, HasOrderBy bool
	// Where are the AND-ed comparisons of the locking SELECT, Loose the columns
	// in its WHERE's other terms.
	Where []Comparison
	Loose []ColumnRef
	// Rejected names what PostgreSQL does not allow the clause with ("GROUP
	// BY", "aggregate functions", "the nullable side of an outer join", …);
	// empty when the clause is fine.
	Rejected string
	// Pos is the byte offset of the word FOR in Source.Text, -1 if unknown;
	// End the offset after the clause's last word.
	Pos, End int
}

// A Pick is a SELECT inside a statement that takes some of the rows that it
// finds, and locks none.
type Pick struct {
	// Tables are the tables in its FROM.
	Tables []string
	// Where are the AND-ed comparisons of its WHERE, Loose the columns in the
	// other terms.
	Where []Comparison
	Loose []ColumnRef
}

// Scope is how long a setting or an advisory lock lasts.
type Scope uint8

const (
	ScopeUnknown     Scope = iota // decided by a parameter or a hole
	ScopeSession                  // until the session ends or undoes it
	ScopeTransaction              // until the transaction ends
)

// A Setting is one change of a configuration parameter.
type Setting struct {
	// Name is the parameter, lower case; "all" for RESET ALL; "role" for SET
	// ROLE, "session_authorization" for SET SESSION AUTHORIZATION, "timezone"
	// for SET TIME ZONE; empty when a hole or a placeholder stands there.
	Name string
	// Value is the value without its quotes, several joined by ", "; empty when
	// not constant.
	Value string
	Scope Scope
	// Default is set for RESET, SET name TO DEFAULT, SET ROLE NONE, and
	// set_config with a NULL value.
	Default bool
	// Func is set when it is a call of set_config.
	Func bool
	// Param is set when a placeholder stands in the value of a SET. The server
	// takes none there (42601): only a library that writes values into the text
	// itself gets such a statement through.
	// Source: https://www.postgresql.org/docs/current/sql-prepare.html
	Param bool
	// ScopeParam is the 1-based parameter that decides the scope of a set_config, 0 when none.
	ScopeParam int
}

// Isolation is a transaction isolation level.
type Isolation uint8

const (
	IsolationDefault Isolation = iota
	ReadUncommitted
	ReadCommitted
	RepeatableRead
	Serializable
)

// A TxMode is the mode of a transaction, as far as the text says it.
type TxMode struct {
	Isolation  Isolation
	ReadOnly   bool
	ReadWrite  bool
	Deferrable bool
	Session    bool // SET SESSION CHARACTERISTICS
}

// An AdvisoryCall is a call of one of the pg_advisory functions.
type AdvisoryCall struct {
	Func   string // lower case, without schema
	Scope  Scope
	Try    bool
	Shared bool
	Unlock bool // pg_advisory_unlock and pg_advisory_unlock_shared
	All    bool // pg_advisory_unlock_all
	Keys   []Expr
	// Pos and End are the byte offsets of the function's name in Source.Text,
	// without schema; -1 when unknown.
	Pos, End int
}

// ConflictAction is the action of ON CONFLICT.
type ConflictAction uint8

const (
	ConflictNone ConflictAction = iota
	ConflictNothing
	ConflictUpdate
)
