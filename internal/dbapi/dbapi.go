// Package dbapi holds tables of what the functions of database libraries do:
// which call runs a statement, begins or ends a transaction, takes or returns a
// session, runs a function inside a transaction, and on which handle. A second
// set of tables says what other libraries do that matters while a transaction is
// open: calls that leave the process, waits, and calls that run a function again.
//
// A library is one file with one table. Functions are named as
// [go/types.Func.FullName] prints their origin: "(*database/sql.DB).Query",
// "(github.com/jackc/pgx/v5.Tx).Exec", "github.com/jackc/pgx/v5.BeginFunc". The
// name of a function type stands for the functions that are values of it.
// Arguments are counted as SSA passes them: the receiver of a method is
// argument 0.
package dbapi

// A Handle says what statements on a value of some type run on.
type Handle uint8

const (
	NoHandle Handle = iota
	Pool            // each statement may take another session
	Session         // one session, held
	Tx              // an open transaction
	Flow            // pool, session or transaction, told only by where the value came from (*gorm.DB)
	Stmt            // a prepared statement: runs on the handle that prepared it
	Runner          // a transaction manager: runs functions in transactions
)

// A Role is what a function does.
type Role uint8

const (
	NoRole Role = iota

	// Run runs the statement in argument SQL on the handle in argument Handle.
	Run
	// RunStmt runs the prepared statement that argument Handle is.
	RunStmt
	// Prepare makes a Stmt of the text in argument SQL; the result runs on the
	// handle in argument Handle.
	Prepare
	// Queue adds the statement in argument SQL to the batch in argument Batch.
	Queue
	// SendBatch runs the batch in argument Batch on Handle.
	SendBatch

	// Begin begins a transaction on Handle; result 0 is the transaction.
	Begin
	// Commit and Rollback end the transaction in Handle.
	Commit
	Rollback
	// RunTx calls the function in argument Fn inside a transaction on Handle.
	// On a handle that is a transaction, Begin and RunTx set a savepoint, or,
	// where Joins is set, do nothing.
	RunTx
	// Savepoint and RollbackTo set a savepoint in the transaction in Handle and
	// go back to it. Savepoint's result 0, if it has one, is the transaction.
	Savepoint
	RollbackTo
	// Settings returns a value that holds the transaction options in argument
	// Options; the value is passed on, possibly through other Settings calls, to
	// Begin or RunTx. Clause "propagation" sets whether there is a transaction at all.
	Settings

	// Acquire takes a session from the pool in Handle; result 0 is the session.
	Acquire
	// RunSession calls the function in argument Fn with one session of Handle.
	RunSession
	// RunOn calls the function in argument Fn with the handle in Handle itself, a
	// cache or a breaker around it.
	RunOn
	// Release gives the session in Handle back to its pool (sql.Conn.Close,
	// pgxpool.Conn.Release).
	Release
	// Destroy closes the session in Handle for good (pgx.Conn.Close) or takes
	// it out of its pool (pgxpool.Conn.Hijack: result 0 is the session).
	Destroy
	// Connect opens one session; result 0 is it. No pool is behind it.
	Connect
	// Open opens a pool; result 0 is it.
	Open
	// Limit sets the pool's greatest number of connections to argument N.
	Limit

	// Derive returns, as result 0, a handle of the same kind on the same
	// session or transaction as Handle (WithContext, Conn.Conn, Unsafe). Where
	// Result is set, the result is a handle of that kind on the same database
	// (OpenDBFromPool, NewDb, a transaction manager's constructor).
	Derive
	// Chain is Derive for query builders: the result also collects clauses.
	Chain
	// Finish runs the statement that the chain in Handle has collected. Value,
	// Dst and Args are then what is written, read into, and the conditions.
	Finish
	// Text returns, as result 0, the SQL text that the chain in Handle has collected.
	Text

	// Getter returns, as result 0, the transaction carried by the context in
	// argument Ctx, else the handle in argument Handle (DefaultTrOrDB); with
	// Handle -1 it returns nothing when there is none.
	Getter
	// WithTx returns a context (or a carrier) with the transaction in Handle.
	WithTx

	// CtxRoot returns a context that carries no transaction (Background, TODO,
	// http.Request.Context). [Library.Contexts] lists types that are such a context.
	CtxRoot
	// CtxDerive returns a context with the values of argument Ctx. It is the
	// result that is a context, not always the first.
	CtxDerive
	// CtxDetach returns a context with the values of Ctx and no cancellation.
	CtxDetach

	// Scan reads the columns of the row in argument From into the pointers in
	// Args, in order, or into the value in Dst, by name. It closes a single row.
	Scan
	// Collect is Scan of all rows in argument From, which it closes; Fn, if
	// there is one, is called for each.
	Collect
	// Next moves the rows in From to the next row and closes them after the last.
	Next
	// CloseRows closes the rows, or the results of a batch, in argument From.
	CloseRows
	// Receive reads the next result of the batch sent; argument From is what
	// SendBatch returned.
	Receive
	// Affected returns, as result 0, how many rows a statement changed;
	// argument From is the statement's result.
	Affected
	// Raw calls the function in argument Fn with the driver's connection of
	// the session in Handle (sql.Conn.Raw, pgxpool.Conn.Conn is Derive).
	Raw
	// Migration registers or runs migrations; the arguments from Fn on are
	// functions that are migrations.
	Migration
	// Hook sets the connection hook in argument Fn. [Library.Hooks] lists the
	// hooks that are struct fields.
	Hook
	// ParseDSN reads the connection string in argument DSN.
	ParseDSN
	// Listen waits for a notification on the session in Handle.
	Listen

	// TestCode reports, as result 0, whether the SQLSTATE, or the error, in
	// argument From has one of Codes. The result is a boolean, or an error that
	// is nil if it has none.
	TestCode

	// External sends something to another process or machine and, unless Async
	// is set, waits for it. What says what it is.
	External
	// Wait waits for time to pass, for another goroutine, or for a turn. If
	// Endless is set it does not return before the program ends.
	Wait
	// Slow computes for long, or writes to a reader of unknown speed.
	Slow
	// ReadStream reads from the stream in argument From, which waits for the
	// network if that is one of [Library.Streams], and WrapStream returns, as
	// result 0, a stream or a decoder that reads from the one in From.
	ReadStream
	WrapStream
	// Inside stays in this process, or in the database of the transaction,
	// though it looks like a call that does not.
	Inside

	// Retry calls the function in argument Fn again when it fails, on the errors
	// that Again, Retries, Pred and the RetryOption in Options leave.
	Retry
	// RetryOption returns a value that is passed to Retry, or to another
	// RetryOption, as Options: an option, a policy, an object that retries. With
	// Pred, only errors for which that predicate is true are tried again.
	RetryOption
	// Permanent returns, as result 0, the error in From marked so that a Retry
	// function does not try again.
	Permanent
	// Retryable returns, as result 0, the error in From marked so that a Retry
	// function with Again OnMarked tries again.
	Retryable
)

// Again says when a Retry function calls its function again.
type Again uint8

const (
	Never    Again = iota
	OnError        // when it returns an error
	OnMarked       // when it returns an error that Retryable has marked
	OnFalse        // when its boolean result is false; an error ends the loop
	OnTrue         // when its boolean result is true
	OnReturn       // whenever it returns
)

// A Func is one row of a table. Argument numbers are -1 (written as the zero
// value of [Arg]) where a function has none. A variadic parameter is one
// argument, the slice.
type Func struct {
	Name string
	Role Role
	// Handle, SQL, Args, Ctx, Fn, Options, Batch, N are argument numbers. SQL is
	// a whole statement for Run, Prepare and Queue and a part of one for Chain.
	Handle, SQL, Args, Ctx, Fn, Options, Batch, N Arg
	// From is the argument that is the row, the rows or the result to read.
	From Arg
	// Dst is what rows are read into by column name: a pointer to a struct, to
	// a slice, or (gorm) to the value that is also the condition.
	Dst Arg
	// Value is a struct, a map or a value that is written.
	Value Arg
	// Column, Table and Stmt are the arguments that name a column, a table, and
	// a prepared statement.
	Column, Table, Stmt Arg
	// Mods is a slice of the results of other Chain functions, whose clauses the
	// chain has too.
	Mods Arg
	// System is the database system of the pool that the result is, where it is not
	// PostgreSQL.
	System string
	// DSN and Driver are the connection string and the driver's registered name.
	DSN, Driver Arg
	// Result is the kind of handle that the result is, for roles that return one.
	Result Handle
	// FnHandle is the parameter of the function in Fn that is the handle, and
	// FnCtx the one that is a context carrying the transaction.
	FnHandle, FnCtx Arg
	// Exec is set when the function's statement result says nothing about
	// rows (a boolean in the result cannot be looked at).
	Exec bool
	// Checks is set when the call itself fails where the statement does not change
	// one row, or not the row of a version, so that nobody needs to look at the number
	// of rows.
	Checks bool
	// Uncounted is set when the call throws away how many rows its statement has
	// changed: it returns an error and no more.
	Uncounted bool
	// Row is set when the call runs the statement and Scan comes later on the
	// result (QueryRow).
	Row bool
	// Must is set when the call panics where the statement fails.
	Must bool
	// Rows is set when the result is rows that keep the session busy until they
	// are read to the end or closed (Query).
	Rows bool
	// Joins is set when RunTx or Begin uses the transaction that is already
	// open, where Handle or the context in Ctx has one.
	Joins bool
	// Apart is set when RunTx, on a handle that is a transaction, begins another one
	// on the pool.
	Apart bool
	// Undone is set when RunTx rolls back whatever Fn returns.
	Undone bool
	// On is the handle that the statement of a Chain or Finish runs on from here
	// on, instead of the chain's own (squirrel's RunWith, bun's Conn).
	On Arg
	// Style is the placeholder syntax where it is not the library's.
	Style string
	// Clause is what a Chain function adds, or what a Finish function runs:
	// a key that the library's renderer knows.
	Clause string

	// What says in words what an External, Wait or Slow function does, as a noun
	// that a sentence can go on with: "an HTTP request", "a sleep".
	What string
	// Async is set when an External function hands over what another goroutine
	// or process sends: it takes no time, but it cannot be taken back. A Retry
	// function returns before it has called Fn.
	Async bool
	// Maybe is set when an External function of an interface is, in some
	// implementations, a statement in the transaction (an outbox).
	Maybe bool
	// Endless is set for a Wait that ends with the program.
	Endless bool
	// Again says when a Retry function calls Fn again.
	Again Again
	// Retries are the SQLSTATEs on which Retry or RunTx calls Fn again, where
	// they are not all. For RunTx each try is in a transaction.
	Retries []string
	// Pred is the argument that is a predicate of an error, true where it is
	// worth another try.
	Pred Arg
	// Codes are the SQLSTATEs, or their classes (the first two characters), that
	// TestCode tests for. Where it has none they are the values in Args. With
	// Clause "norows" it tests for the error that says that there was no row.
	Codes []string
	// Library names the table of a row that is made from a function's form, and
	// stands in no table.
	Library string
}

// An Arg is an argument or parameter number plus one; zero means none.
type Arg int

// A returns argument number i.
func A(i int) Arg { return Arg(i + 1) }

// Index returns the argument number, or -1.
func (a Arg) Index() int { return int(a) - 1 }

// A Library is the table of one library.
type Library struct {
	// Name is the short name that documents and configuration use.
	Name string
	// Packages are the import paths whose presence in a package's imports means
	// that the library is used: for [Known] if it is a database library, for
	// [Sink] if it is another. A path that ends in "/..." is a prefix.
	Packages []string
	// Former are the import paths that the library had before it moved, or that
	// copies of it have, and the path in this table that each stands for. All names
	// of the table are known below them too.
	Former map[string]string
	// Types are the handle kinds of the library's types, by name:
	// "*database/sql.DB", "github.com/jackc/pgx/v5.Tx".
	Types map[string]Handle
	// Builders are the types, as those of Types, of statements in the making: a
	// function that is given one runs what its caller has made.
	Builders []string
	// InPlace is set when a call on a builder changes it, whether or not what the
	// call returns is used.
	InPlace bool
	// Style is the placeholder syntax: "$", "?", ":", "@", "gorm" (both ? and @name).
	Style string
	// Funcs are the functions.
	Funcs []Func
	// Hooks are struct fields that hold connection hooks, as "pkg.Type.Field".
	Hooks []string
	// Fields are struct fields that hold the handle that the struct itself is:
	// embedded *sql.DB, *sql.Tx.
	Fields []string
	// Presence are struct fields that are nil unless the handle that the struct
	// is is a transaction.
	Presence []string
	// Contexts are types that are contexts and carry no transaction of their own:
	// "*github.com/gin-gonic/gin.Context".
	Contexts []string
	// Jobs are the types of what a queue gives to a function: the queue runs the
	// function again when it returns an error.
	Jobs []string
	// HeldJobs are those of Jobs that hold a transaction while they are worked.
	HeldJobs []string
	// Limits are struct fields that hold the greatest number of a pool's connections.
	Limits []string
	// Options are the types that say how a transaction begins.
	Options []Options
	// NoRows are the error variables that mean that there was no row, as "pkg.Var".
	NoRows []string
	// SQLState are the struct fields and methods of errors that hold the SQLSTATE.
	SQLState []string
	// Codes are the error variables that stand for errors with a SQLSTATE.
	Codes map[string]string
	// Streams are the struct fields from which is read what comes over the network.
	Streams []string
	// Collectors are types whose methods only collect what another method sends
	// (a pipeline of commands), though the methods are those of a type that sends.
	Collectors []string
	// Shapes are the functions that are told by their form, not by their name.
	Shapes []Shape
	// Dialect is "postgres" for a driver of PostgreSQL, another word for the
	// driver of another database, empty for libraries that serve several.
	Dialect string
}

// A Shape says what all methods of a form do: those of a large SDK, of generated
// clients, or of the small interfaces that users write in their image. All
// conditions must hold.
//
// A type is written as "import/path.Name", without major versions, pointers and
// slices. The path may end in "/...". The name may begin or end with "*", which
// stands for any letters.
type Shape struct {
	// On is the receiver's type.
	On string
	// Funcs is set when the package's functions count too.
	Funcs bool
	// With is the type of a parameter or of a result.
	With string
	// Names are the function's names, which spaces separate; empty for any.
	// Names after a "-" are excluded. Each may have a "*" as the names of types have.
	Names string
	// Context is set when the first parameter must be a context, and Error when
	// the last result must be an error.
	Context, Error bool
	// Result is the type of result 0.
	Result string
	// Role, What, Async and Maybe are those of the functions; Role is External
	// where it is zero. Of the shapes of one package the first that holds counts,
	// and those whose path is longest.
	Role         Role
	What         string
	Async, Maybe bool
}

// Options describes a struct type that says how a transaction begins.
type Options struct {
	// Type is the type's name, "database/sql.TxOptions".
	Type string
	// Isolation is the field with the isolation level, and Levels what its
	// constants (as [go/constant.Value.ExactString] prints them) mean.
	Isolation string
	Levels    map[string]string
	// ReadOnly is the field, and ReadOnlyValue its value, of a transaction that
	// may not write.
	ReadOnly, ReadOnlyValue string
	// Begin is the field with the text of the BEGIN statement, which overrides the others.
	Begin string
}
