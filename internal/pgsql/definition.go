package pgsql

// A Definition is what one statement of a script does to the schema of a
// database: its tables, constraints, indexes and functions. Data, rights,
// types and sequences are not of it.
type Definition struct {
	// Pos and End are the statement's byte offsets in the script.
	Pos, End int
	// Changes are what it certainly does, in order.
	Changes []Change
	// Touches are the tables that it may change in a way that is not known.
	Touches []Touch
	// Anything is set when it may change tables that it does not name, Creates
	// when it may create tables that it does not name.
	Anything, Creates bool
	// Calls are the functions that a SELECT or CALL at the top calls, lower
	// case, schema-qualified as written.
	Calls []string
	// Problem says why the statement is not understood; "" when it is.
	Problem string
}

// A Touch is a change of a table of which only the kind is known.
type Touch struct {
	Table TableRef
	// Columns is set when columns may be added or changed, Keys when
	// constraints and indexes may be added, Loses when any of them, or the
	// table itself, may be gone or have another name: with Keys and not
	// Columns, constraints and indexes only.
	Columns, Keys, Loses bool
	// Constraint is the constraint that may be gone, if only one.
	Constraint string
}

// ChangeOp is the kind of a [Change].
type ChangeOp uint8

// The kinds of changes, with the fields of Change that they use besides Table
// and Lenient.
const (
	CreateTableOp      ChangeOp = iota + 1 // Columns, Constraints, Likes, Parents, Partition, Unseen
	CreateTempOp                           // a temporary table
	CreateViewOp                           // also materialized views and foreign tables
	DropTableOp                            // Cascade
	DropViewOp                             // also materialized views and foreign tables; Cascade
	RenameTableOp                          // To
	MoveTableOp                            // SET SCHEMA: To
	AddColumnOp                            // Columns (one), Constraints
	DropColumnOp                           // Name, Cascade
	RenameColumnOp                         // Name, To
	AlterColumnOp                          // Columns (one): its NotNull is the new one
	AlterTypeOp                            // Columns (one): its Type is the new one
	AddConstraintOp                        // Constraints (one), indexes included
	DropConstraintOp                       // Name, Cascade
	RenameConstraintOp                     // Name, To
	DropIndexOp                            // Table is the index
	RenameIndexOp                          // Table is the index; To
	AttachPartitionOp                      // Parents (the one that Table is a partition of)
	DetachPartitionOp                      // Parents
	InheritOp                              // Parents
	NoInheritOp                            // Parents
	DropTypeOp                             // Table is the type; with CASCADE only
	RenameTypeOp                           // Table is the type; To
	CreateFunctionOp                       // Table is the function; Function
	AlterFunctionOp                        // Table is the function; Function with what is changed
	DropFunctionOp                         // Table is the function
	RenameFunctionOp                       // Table is the function; To
	CreateExtensionOp                      // Name
	DropSchemaOp                           // Name
	RenameSchemaOp                         // Name, To
	SearchPathOp                           // Path; nil for the default
)

// A Change is one change of the schema.
type Change struct {
	Op    ChangeOp
	Table TableRef
	// Name and To are a name and a new name.
	Name, To string
	// Lenient is set by IF EXISTS and IF NOT EXISTS.
	Lenient bool
	Cascade bool
	// Columns and Constraints are those of the statement. Constraints hold
	// indexes too.
	Columns     []Column
	Constraints []Constraint
	Likes       []Like
	// Parents are the tables that the table inherits from, or with Partition
	// the one that it is a partition of.
	Parents   []TableRef
	Partition bool
	// Unseen is set when the table has columns that are not listed: CREATE
	// TABLE AS, OF a type.
	Unseen   bool
	Function *Function
	Path     []string
}

// A Column is the definition of a column.
type Column struct {
	Name string
	// Type is the name of the type without its modifiers, lower case unless it
	// was quoted, pg_catalog left out: int4, text, app.status.
	Type    string
	NotNull bool
	// Default is set when a value is made where none is given: DEFAULT,
	// GENERATED, serial types.
	Default bool
}

// A Like is CREATE TABLE … (LIKE other).
type Like struct {
	Table TableRef
	// Indexes is set when keys, indexes and exclusion constraints are copied.
	Indexes bool
}

// ConstraintKind is the kind of a [Constraint].
type ConstraintKind uint8

const (
	PrimaryKey ConstraintKind = iota + 1
	Unique                    // a constraint or an index
	Exclusion
	ForeignKey
	Check
	PlainIndex // an index that is not unique
)

// String returns the kind as it is written in SQL.
func (k ConstraintKind) String() string {
	if int(k) < len(constraintNames) {
		return constraintNames[k]
	}
	return ""
}

var constraintNames = [...]string{
	PrimaryKey: "PRIMARY KEY", Unique: "UNIQUE", Exclusion: "EXCLUDE", ForeignKey: "FOREIGN KEY",
	Check: "CHECK", PlainIndex: "INDEX",
}

// A Constraint is a constraint or an index.
type Constraint struct {
	Kind ConstraintKind
	// Name is "" when PostgreSQL chooses one.
	Name string
	// Elements are the columns and expressions in order; of a foreign key the
	// referencing columns, of a check the columns that are named in it.
	Elements []Element
	// Where is the predicate of a partial index or exclusion constraint as it
	// is written, and WhereColumns are the columns in it.
	Where        string
	WhereColumns []string
	// Included are the columns of INCLUDE.
	Included []string
	// Index is set for an index that is no constraint, Method is its access
	// method, "btree" if none is written.
	Index            bool
	Method           string
	NullsNotDistinct bool
	Deferrable       bool
	// UsingIndex is the index of ADD CONSTRAINT … USING INDEX.
	UsingIndex string
	// Referenced is the table of a foreign key, ReferencedColumns are its
	// columns, empty for the primary key's.
	Referenced        TableRef
	ReferencedColumns []string
}

// An Element is one column or expression of a constraint or an index.
type Element struct {
	// Column is the plain column, "" for an expression.
	Column string
	// Expr is an expression as it is written, Columns are the columns in it,
	// and Name is what it is called in the name of an index.
	Expr    string
	Columns []string
	Name    string
	// Operator is that of an exclusion constraint.
	Operator string
}

// Volatility is the volatility class of a function.
type Volatility uint8

const (
	VolatilityUnset Volatility = iota // not written; a function is volatile then
	Volatile
	Stable
	Immutable
)

// String returns the class as it is written in SQL.
func (v Volatility) String() string {
	return [...]string{"", "VOLATILE", "STABLE", "IMMUTABLE"}[v%4]
}

// A Function is the definition of a function or a procedure.
type Function struct {
	Volatility Volatility
	// Language is in lower case.
	Language string
	// Arguments are the types of the input parameters.
	Arguments []string
	// Known is set when the body was read: Reads, Writes and Calls hold all
	// tables and functions in it unless Dynamic is set, when it runs text that
	// it builds.
	Known, Dynamic bool
	Reads, Writes  []TableRef
	Calls          []string
	// Effects are what a call may do to the schema: Touches, Anything and
	// Creates are set. It is nil when that is nothing.
	Effects *Definition
}
