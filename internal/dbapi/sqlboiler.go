package dbapi

import (
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sqlBoilerRoot is the import path of SQLBoiler, and sqlBoilerFormer the one that it had.
const (
	sqlBoilerRoot   = "github.com/aarondl/sqlboiler/v4"
	sqlBoilerFormer = "github.com/volatiletech/sqlboiler/v4"
)

// sqlBoiler is the table of the part of SQLBoiler, version 4, that programs and
// generated code call, https://pkg.go.dev/github.com/aarondl/sqlboiler/v4. The
// generated models are the user's own code: [boilerRow].
func sqlBoiler() *Library {
	const (
		boil, queries, qm = sqlBoilerRoot + "/boil", sqlBoilerRoot + "/queries", sqlBoilerRoot + "/queries/qm"
		query             = "*" + queries + ".Query"
	)
	return &Library{
		Name:     "sqlboiler",
		Packages: []string{boil, queries, qm},
		Former:   map[string]string{sqlBoilerFormer: sqlBoilerRoot},
		Style:    "?",
		Types: map[string]Handle{
			query:              Flow,
			boil + ".Executor": Flow, boil + ".ContextExecutor": Flow, boil + ".Beginner": Flow, boil + ".ContextBeginner": Flow,
			boil + ".Transactor": Tx, boil + ".ContextTransactor": Tx,
		},
		Builders: []string{query},
		Funcs: join(
			on(boil+".Executor",
				f("Exec", Run, "h sql args", exec, style("$")),
				f("Query", Run, "h sql args", rows, style("$")),
				f("QueryRow", Run, "h sql args", row, style("$")),
			),
			on(boil+".ContextExecutor",
				f("ExecContext", Run, "h ctx sql args", exec, style("$")),
				f("QueryContext", Run, "h ctx sql args", rows, style("$")),
				f("QueryRowContext", Run, "h ctx sql args", row, style("$")),
			),
			on(boil+".Beginner", f("Begin", Begin, "h")),
			on(boil+".ContextBeginner", f("BeginTx", Begin, "h ctx opts")),
			on(boil+".Transactor", f("Commit", Commit, "h"), f("Rollback", Rollback, "h")),
			on(boil+".ContextTransactor", f("Commit", Commit, "h"), f("Rollback", Rollback, "h")),
			in(queries, f("Raw", Chain, "sql args", clause("raw"), style("$"))),
			on(query,
				f("Exec", Finish, "on h", clause("exec"), exec),
				f("ExecContext", Finish, "on ctx h", clause("exec"), exec),
				f("Query", Finish, "on h", clause("query"), rows),
				f("QueryContext", Finish, "on ctx h", clause("query"), rows),
				f("QueryRow", Finish, "on h", clause("query"), row),
				f("QueryRowContext", Finish, "on ctx h", clause("query"), row),
				f("Bind", Finish, "on ctx h dst", clause("bind")),
			),
			in(qm,
				f("SQL", Chain, "sql args", clause("raw")),
				f("Select", Chain, "col", clause("select")),
				f("From", Chain, "table", clause("from")),
				f("Where And", Chain, "sql args", clause("where")),
				f("WhereIn WhereNotIn AndIn AndNotIn", Chain, "sql args", clause("where")),
				f("Or OrIn OrNotIn", Chain, "sql args", clause("or")),
				f("Or2 Expr", Chain, "mod", clause("or")),
				f("OrderBy", Chain, "sql args", clause("order")),
				f("Limit", Chain, "n", clause("limit")),
				f("Offset", Chain, "n", clause("offset")),
				f("For", Chain, "sql", clause("for")),
				f("InnerJoin LeftOuterJoin RightOuterJoin FullOuterJoin", Chain, "sql args", clause("join")),
				f("GroupBy", Chain, "sql", clause("groupby")),
				f("Having", Chain, "sql args", clause("having")),
				f("With", Chain, "sql args", clause("with")),
				f("Distinct", Chain, "sql", clause("distinct")),
				f("Comment", Chain, "text", clause("comment")),
				f("Load", Chain, "relationship", clause("load")),
				f("WithDeleted", Chain, "", clause("withdeleted")),
			),
		),
	}
}

// boilerFinishers are the methods of a generated query or model that send a
// statement, and what they ask for.
var boilerFinishers = map[string]string{
	"One": "one", "All": "all", "Count": "count", "Exists": "exists", "UpdateAll": "updateall", "DeleteAll": "deleteall",
	"Insert": "insert", "Update": "update", "Delete": "delete", "Upsert": "upsert", "Reload": "reload",
}

// boilerRow returns the row of a function of a package of models that SQLBoiler
// generated, or nil. It is told by its form: the package imports SQLBoiler, and has
// NewQuery and, for a model Pilot, the type pilotQuery and the function FindPilot.
func boilerRow(fn *types.Func) *Func {
	if !boilerPackage(fn.Pkg()) {
		return nil
	}
	row := &Func{Name: fn.Origin().FullName(), Library: "sqlboiler", Style: "?"}
	recv := receiver(fn.Signature())
	if recv == nil {
		return boilerFunction(row, fn)
	}
	if strings.HasPrefix(recv.Name(), "whereHelper") {
		row.Role, row.Clause, row.Column, row.Value = Chain, "helper", A(0), A(1)
		if fn.Signature().Params().Len() == 0 {
			row.Value = 0
		}
		return row
	}
	entity, query := BoilerModel(recv)
	clause := boilerFinishers[fn.Name()]
	if entity == nil || clause == "" || fn.Signature().Params().Len() < 2 {
		return nil
	}
	row.Role, row.Clause, row.Ctx, row.Handle = Finish, clause, A(1), A(2)
	switch clause {
	case "updateall":
		row.Value, row.Exec = A(3), true
	case "deleteall":
		row.Exec = true
	case "update":
		row.Column, row.Exec = A(3), true
	case "insert", "upsert":
		row.Exec = true
	case "reload":
		row.Dst = A(0)
	}
	if query {
		row.On = A(0)
	} else if clause != "reload" {
		row.Value = A(0)
	}
	return row
}

// boilerFunction is the row of a function: NewQuery, Pilots and FindPilot.
func boilerFunction(row *Func, fn *types.Func) *Func {
	params, results := fn.Signature().Params(), fn.Signature().Results()
	switch {
	case fn.Signature().Variadic() && params.Len() == 1 && results.Len() == 1:
		t := namedOf(results.At(0).Type())
		if t == nil || fn.Name() != "NewQuery" && !isBoilerQuery(t) {
			return nil
		}
		row.Role, row.Clause, row.Mods = Chain, "models", A(0)
		return row
	case strings.HasPrefix(fn.Name(), "Find") && params.Len() > 2 && results.Len() == 2:
		row.Role, row.Clause, row.Ctx, row.Handle, row.Args = Finish, "find", A(0), A(1), A(2)
		return row
	}
	return nil
}

// boilerPackage reports whether SQLBoiler generated a package.
func boilerPackage(pkg *types.Package) bool {
	_, ok := pkg.Scope().Lookup("NewQuery").(*types.Func)
	return ok && slices.ContainsFunc(pkg.Imports(), func(p *types.Package) bool {
		return p.Path() == sqlBoilerRoot+"/queries/qm" || p.Path() == sqlBoilerFormer+"/queries/qm"
	})
}

// BoilerModel returns the model that a type which SQLBoiler generated belongs to,
// and whether the type is its query; nil if it is neither a model nor a query.
func BoilerModel(t *types.TypeName) (model *types.TypeName, query bool) {
	if t.Pkg() == nil || !boilerPackage(t.Pkg()) {
		return nil, false
	}
	name, query := strings.CutSuffix(t.Name(), "Query")
	if query {
		first, size := utf8.DecodeRuneInString(name)
		name = string(unicode.ToUpper(first)) + name[size:]
	}
	if _, ok := t.Pkg().Scope().Lookup("Find" + name).(*types.Func); !ok {
		return nil, false
	}
	model, _ = t.Pkg().Scope().Lookup(name).(*types.TypeName)
	return model, query
}

func isBoilerQuery(t *types.TypeName) bool {
	_, query := BoilerModel(t)
	return query
}
