package dbapi

import (
	"go/types"
	"slices"
	"strings"
)

// entRoot is the package that every client that ent generates imports,
// https://entgo.io/docs/code-gen.
const entRoot = "entgo.io/ent"

// entSuffixes end the names of the types that ent generates for an entity, the
// longest first.
var entSuffixes = []string{
	"CreateBulk", "UpdateOne", "DeleteOne", "UpsertOne", "UpsertBulk", "GroupBy",
	"Client", "Query", "Create", "Update", "Delete", "Select",
}

// Generated returns a row for a function that a library's tool generated from a
// user's schema, or nil. It is told by its form.
func Generated(fn *types.Func) *Func {
	if fn.Pkg() == nil || !fn.Exported() {
		return nil
	}
	if row := entRow(fn); row != nil {
		return row
	}
	return boilerRow(fn)
}

// entRow returns the row of a function of a client that ent generated, or nil:
// the package imports ent, has a Client and a Tx, and the receiver is one of them
// or is named after an entity.
func entRow(fn *types.Func) *Func {
	pkg := fn.Pkg()
	recv := receiver(fn.Signature())
	if recv == nil {
		if !isEntClient(pkg) {
			return nil
		}
		return entFunction(fn)
	}
	entity, kind := EntType(recv)
	if kind == "" {
		return entityRow(fn, recv)
	}
	row := &Func{Name: fn.Origin().FullName(), Handle: A(0), Library: "ent", Style: "?"}
	if p := fn.Signature().Params(); p.Len() > 0 && p.At(0).Type().String() == "context.Context" {
		row.Ctx = A(1)
	}
	if entity == "" {
		return entHandle(row, fn.Name(), kind)
	}
	return entBuilder(row, fn, kind)
}

// entityRow is the row of a method of an entity that begins a builder: it runs on
// what the entity was read with.
func entityRow(fn *types.Func, recv *types.TypeName) *Func {
	sig := fn.Signature()
	if sig.Params().Len() != 0 || sig.Results().Len() != 1 || !isEntClient(fn.Pkg()) || fn.Pkg().Scope().Lookup(recv.Name()+"Query") == nil {
		return nil
	}
	t := namedOf(sig.Results().At(0).Type())
	if t == nil {
		return nil
	}
	row := &Func{Name: fn.FullName(), Role: Chain, Handle: A(0), Value: A(0), Library: "ent", Style: "?"}
	switch entity, kind := EntType(t); {
	case entity == recv.Name() && kind == "UpdateOne":
		row.Clause = "updateone"
	case kind == "Query":
		row.Clause = "edge"
	default:
		return nil
	}
	return row
}

// GeneratedHandle returns what statements on a value of a generated type run on. A Client is a pool or, as Tx.Client returns it, a transaction.
func GeneratedHandle(t *types.TypeName) Handle {
	switch _, kind := EntType(t); kind {
	case "":
		if strings.HasSuffix(t.Name(), "Query") && isBoilerQuery(t) {
			return Flow
		}
		return NoHandle
	case "Tx":
		return Tx
	}
	return Flow
}

// EntType splits the name of a type that ent generated into the entity and what
// the type is: "Order" and "Query"; "" and "Client", "Tx" or "config" for those
// of all entities. The kind of another type is "".
func EntType(t *types.TypeName) (entity, kind string) {
	pkg := t.Pkg()
	if pkg == nil {
		return "", ""
	}
	name := t.Name()
	if name == "Client" || name == "Tx" || name == "config" { // both embed config
		if isEntClient(pkg) {
			return "", name
		}
		return "", ""
	}
	for _, s := range entSuffixes {
		e, ok := strings.CutSuffix(name, s)
		if !ok || e == "" {
			continue
		}
		if isEntClient(pkg) && pkg.Scope().Lookup(e) != nil && pkg.Scope().Lookup(e+"Query") != nil {
			return e, s
		}
		return "", ""
	}
	return "", ""
}

// isEntClient reports whether ent generated the package.
func isEntClient(pkg *types.Package) bool {
	if !slices.ContainsFunc(pkg.Imports(), func(p *types.Package) bool { return strings.HasSuffix(p.Path(), entRoot) }) {
		return false
	}
	client, ok := pkg.Scope().Lookup("Client").(*types.TypeName)
	if !ok {
		return false
	}
	tx, ok := pkg.Scope().Lookup("Tx").(*types.TypeName)
	return ok && hasMethod(client, "Tx") && hasMethod(tx, "Commit") && hasMethod(tx, "Client")
}

func hasMethod(t *types.TypeName, name string) bool {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t.Type()), false, t.Pkg(), name)
	_, ok := obj.(*types.Func)
	return ok
}

// entFunction is the row of a function of the package.
func entFunction(fn *types.Func) *Func {
	row := &Func{Name: fn.FullName(), Library: "ent"}
	switch fn.Name() {
	case "Open":
		row.Role, row.Result = Open, Pool
	case "NewClient":
		row.Role, row.Result = Open, Pool
	case "IsNotFound":
		row.Role, row.From, row.Clause = TestCode, A(0), "norows"
	case "IsConstraintError":
		row.Role, row.From, row.Codes = TestCode, A(0), []string{"23"}
	default:
		return nil
	}
	return row
}

// entHandle is the row of a method of Client or Tx.
func entHandle(row *Func, name, kind string) *Func {
	switch {
	case kind == "Client" && name == "Tx":
		row.Role, row.Result = Begin, Tx
	case kind == "Client" && name == "BeginTx":
		row.Role, row.Result, row.Options = Begin, Tx, A(2)
	case kind == "Client" && name == "Debug", kind == "Tx" && name == "Client":
		row.Role = Derive
	case kind == "Tx" && name == "Commit":
		row.Role = Commit
	case kind == "Tx" && name == "Rollback":
		row.Role = Rollback
	case name == "ExecContext":
		row.Role, row.SQL, row.Args, row.Exec, row.Style = Run, A(2), A(3), true, "$"
	case name == "QueryContext":
		row.Role, row.SQL, row.Args, row.Rows, row.Style = Run, A(2), A(3), true, "$"
	default:
		return nil
	}
	return row
}

// entFinishers are the methods that send the statement, without the X of those
// that panic, and what they ask for.
var entFinishers = map[string]string{
	"All": "all", "First": "first", "FirstID": "first", "Only": "only", "OnlyID": "only", "IDs": "all",
	"Count": "count", "Exist": "exists", "Scan": "all", "Save": "save", "Exec": "save", "ID": "save", "Get": "get",
}

// entChains are the methods that begin a builder or add to it, and what they add.
var entChains = map[string]string{
	"Query": "query", "Create": "create", "CreateBulk": "bulk", "MapCreateBulk": "bulk", "Update": "update", "Delete": "delete",
	"UpdateOne": "updateone", "UpdateOneID": "updateone", "DeleteOne": "deleteone", "DeleteOneID": "deleteone",
	"Where": "where", "Limit": "limit", "Offset": "offset", "Order": "order", "Unique": "unique",
	"ForUpdate": "forupdate", "ForShare": "forshare", "Select": "select", "OnConflict": "onconflict", "OnConflictColumns": "onconflict",
}

// entBuilder is the row of a method of a client of one entity, or of a builder.
func entBuilder(row *Func, fn *types.Func, kind string) *Func {
	name := fn.Name()
	results := fn.Signature().Results()
	if row.Ctx != 0 {
		name, row.Must = strings.CutSuffix(name, "X")
		return entFinish(row, name, kind)
	}
	if results.Len() != 1 {
		return nil
	}
	t := namedOf(results.At(0).Type())
	if t == nil {
		return nil
	}
	if _, k := EntType(t); k == "" {
		return nil
	}
	row.Role, row.Clause = Chain, entChains[name]
	switch {
	case name == "Clone":
		row.Role = Derive
	case row.Clause == "updateone" || row.Clause == "deleteone":
		row.Value = A(1)
	case row.Clause == "select" && kind == "Query":
		row.Column = A(1)
	case row.Clause == "where" || row.Clause == "forupdate" || row.Clause == "forshare" || row.Clause == "bulk":
		row.Args = A(1)
	case row.Clause != "":
	case strings.HasPrefix(kind, "Upsert"):
		row.Clause = "onconflict"
	case strings.HasPrefix(name, "Set"):
		row.Clause, row.Value = "set", A(1)
	case strings.HasPrefix(name, "Add"):
		row.Clause, row.Value = "add", A(1)
	case strings.HasPrefix(name, "Clear"), strings.HasPrefix(name, "Remove"), strings.HasPrefix(name, "Append"):
		row.Clause = "clear"
	case strings.HasPrefix(name, "With"):
		row.Clause = "with"
	case strings.HasPrefix(name, "Query"):
		row.Clause = "edge"
	default:
		row.Clause = "opaque"
	}
	return row
}

// entFinish is the row of a method that sends the statement.
func entFinish(row *Func, name, kind string) *Func {
	clause := entFinishers[name]
	if clause == "" {
		return nil
	}
	row.Role, row.Clause = Finish, clause
	switch {
	case clause == "get":
		row.Value = A(2)
	case name == "Scan":
		row.Dst = A(2)
	}
	if clause == "save" {
		row.Exec, row.Uncounted = true, name == "Exec"
		if kind == "UpdateOne" || kind == "DeleteOne" {
			row.Clause, row.Uncounted = "saveone", false // says itself that there was no row
		}
	}
	return row
}
