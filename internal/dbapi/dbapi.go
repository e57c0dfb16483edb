// Package dbapi holds tables of what the functions of database libraries do:
// which call runs a statement, begins or ends a transaction, takes or returns a
// session, runs a function inside a transaction, and on which handle.
//
// A library is one file with one table. Functions are named as
// [go/types.Func.FullName] prints their origin: "(*database/sql.DB).Query",
// "(github.com/jackc/pgx/v5.Tx).Exec", "github.com/jackc/pgx/v5.BeginFunc".
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
	RunTx
	// Nested is RunTx that joins a transaction that is already open there.
	// (*gorm.DB).Transaction on a transaction uses a savepoint.

	// Acquire takes a session from the pool in Handle; result 0 is the session.
	Acquire
	// RunSession calls the function in argument Fn with one session of Handle.
	RunSession
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
	// session or transaction as Handle (WithContext, Conn.Conn, Unsafe, Rebind'ers).
	Derive
	// Chain is Derive for query builders: the result also collects clauses.
	Chain
	// Finish runs the statement that the chain in Handle has collected.
	Finish

	// Getter returns, as result 0, the transaction carried by the context in
	// argument Ctx, else the handle in argument Handle (DefaultTrOrDB); with
	// Handle -1 it returns nothing when there is none.
	Getter
	// WithTx returns a context (or a carrier) with the transaction in Handle.
	WithTx

	// CtxRoot returns a context that carries no transaction (Background, TODO,
	// http.Request.Context).
	CtxRoot
	// CtxDerive returns a context with the values of argument Ctx.
	CtxDerive
	// CtxDetach returns a context with the values of Ctx and no cancellation.
	CtxDetach

	// Scan reads the columns of the row in argument 0 into the pointers from
	// argument Args on.
	Scan
	// Raw calls the function in argument Fn with the driver's connection of
	// the session in Handle (sql.Conn.Raw, pgxpool.Conn.Conn is Derive).
	Raw
	// Migration registers or runs migrations in argument Fn.
	Migration
	// Hook is a struct field that holds a connection hook (pgxpool.Config.AfterConnect).
	Hook
)

// A Func is one row of a table. Argument numbers are -1 (written as the zero
// value of [Arg]) where a function has none.
type Func struct {
	Name string
	Role Role
	// Handle, SQL, Args, Ctx, Fn, Options, Batch, N are argument numbers.
	Handle, SQL, Args, Ctx, Fn, Options, Batch, N Arg
	// Result is the kind of handle that the result is, for roles that return one.
	Result Handle
	// FnHandle is the parameter of the function in Fn that is the handle, and
	// FnCtx the one that is a context carrying the transaction.
	FnHandle, FnCtx Arg
	// Fresh is set when the function's statement result says nothing about
	// rows: Exec (a boolean in the result cannot be looked at).
	Exec bool
	// Row is set when the call runs the statement and Scan comes later on the
	// result (QueryRow).
	Row bool
	// Clause is what a Chain function adds, or what a Finish function runs:
	// a key that the library's renderer knows.
	Clause string
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
	// that the library is used. A path that ends in "/..." is a prefix.
	Packages []string
	// Types are the handle kinds of the library's types, by name:
	// "*database/sql.DB", "github.com/jackc/pgx/v5.Tx".
	Types map[string]Handle
	// Style is the placeholder syntax: "$", "?", ":", "@", "gorm" (both ? and @name).
	Style string
	// Funcs are the functions.
	Funcs []Func
	// Hooks are struct fields that hold connection hooks, as "pkg.Type.Field".
	Hooks []string
	// Dialect is "postgres" for a driver of PostgreSQL, another word for the
	// driver of another database, empty for libraries that serve several.
	Dialect string
}
