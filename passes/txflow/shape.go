package txflow

import (
	"go/types"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

// shapes are the methods by which interfaces of any name run statements, told
// by name and signature: what sqlc's DBTX and hand-written Querier interfaces
// are made of. The keys are method names; ctx says that a context comes first.
var shapes = map[string]struct {
	ctx       bool
	exec, row bool
	dest      bool // a destination stands before the text
}{
	"Exec":             {ctx: true, exec: true},
	"Query":            {ctx: true},
	"QueryRow":         {ctx: true, row: true},
	"ExecContext":      {ctx: true, exec: true},
	"QueryContext":     {ctx: true},
	"QueryRowContext":  {ctx: true, row: true},
	"QueryxContext":    {ctx: true},
	"QueryRowxContext": {ctx: true, row: true},
	"GetContext":       {ctx: true, dest: true},
	"SelectContext":    {ctx: true, dest: true},
	"NamedExecContext": {ctx: true, exec: true},
	"Get":              {dest: true},
	"Select":           {dest: true},
	"Queryx":           {},
	"QueryRowx":        {row: true},
	"NamedExec":        {exec: true},
}

// shapeOf returns the role of an interface method that runs a statement by its
// name and signature, or nil.
func shapeOf(m *types.Func) *dbapi.Func {
	sig := m.Type().(*types.Signature)
	params := sig.Params()
	if m.Name() == "Scan" && sig.Variadic() && params.Len() == 1 && sig.Results().Len() == 1 && isError(sig.Results().At(0).Type()) {
		return &dbapi.Func{Name: m.FullName(), Role: dbapi.Scan, From: dbapi.A(0), Args: dbapi.A(1)}
	}
	if f := batchShape(m); f != nil {
		return f
	}
	s, ok := shapes[m.Name()]
	if !ok {
		return nil
	}
	at := 0
	if params.Len() > 0 && isContext(params.At(0).Type()) {
		at = 1
	} else if s.ctx && (m.Name() == "ExecContext" || m.Name() == "QueryContext" || m.Name() == "QueryRowContext") {
		return nil
	}
	if s.dest {
		at++
	}
	if params.Len() <= at || !isString(params.At(at).Type()) || sig.Results().Len() == 0 {
		return nil
	}
	if !s.dest && !knownResult(sig.Results().At(0).Type()) {
		return nil
	}
	if s.dest && (params.Len() != at+2 || !sig.Variadic() || sig.Results().Len() != 1) {
		return nil
	}
	f := &dbapi.Func{Name: m.FullName(), Role: dbapi.Run, Handle: dbapi.A(0), SQL: dbapi.A(at + 1), Args: dbapi.A(at + 2), Exec: s.exec, Row: s.row}
	if params.Len() > 0 && isContext(params.At(0).Type()) {
		f.Ctx = dbapi.A(1)
	}
	if s.dest {
		f.Dst = dbapi.A(at)
	}
	return f
}

// batchShape returns the role of a method that sends a batch of pgx, or copies
// rows with it, by its name and signature, or nil.
func batchShape(m *types.Func) *dbapi.Func {
	params := m.Signature().Params()
	switch {
	case params.Len() < 2 || !isContext(params.At(0).Type()):
	case m.Name() == "SendBatch" && batches[typeName(params.At(1).Type())]:
		return &dbapi.Func{Name: m.FullName(), Role: dbapi.SendBatch, Handle: dbapi.A(0), Ctx: dbapi.A(1), Batch: dbapi.A(2)}
	case m.Name() == "CopyFrom" && params.Len() == 4 && copied[typeName(params.At(1).Type())]:
		return &dbapi.Func{Name: m.FullName(), Role: dbapi.Run, Handle: dbapi.A(0), Ctx: dbapi.A(1), Table: dbapi.A(2), Column: dbapi.A(3), Value: dbapi.A(4), Exec: true}
	}
	return nil
}

// batches are the types of batches of statements, and copied those of the names of
// tables that rows are copied into.
var (
	batches = map[string]bool{"*github.com/jackc/pgx/v5.Batch": true, "*github.com/jackc/pgx/v4.Batch": true}
	copied  = map[string]bool{"github.com/jackc/pgx/v5.Identifier": true, "github.com/jackc/pgx/v4.Identifier": true}
)

// knownResult reports whether t is what a database library's run methods return.
func knownResult(t types.Type) bool {
	switch typeName(t) {
	case "database/sql.Result", "*database/sql.Rows", "*database/sql.Row",
		"*github.com/jmoiron/sqlx.Rows", "*github.com/jmoiron/sqlx.Row",
		"github.com/jackc/pgx/v5.Rows", "github.com/jackc/pgx/v5.Row", "github.com/jackc/pgx/v5/pgconn.CommandTag",
		"github.com/jackc/pgx/v4.Rows", "github.com/jackc/pgx/v4.Row", "github.com/jackc/pgconn.CommandTag":
		return true
	}
	return false
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}
