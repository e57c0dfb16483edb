package dbapi_test

import (
	"go/types"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

// libs are the packages of the libraries that have tables, and what they
// import, type-checked from source without function bodies. They are a module
// of their own: the analyzer does not depend on them.
var libs = sync.OnceValues(func() (map[string]*types.Package, error) {
	roots, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo,
		Dir: "testdata/libs",
		Env: append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off"),
	}, ".")
	if err != nil {
		return nil, err
	}
	pkgs := map[string]*types.Package{}
	packages.Visit(roots, nil, func(p *packages.Package) {
		if len(p.Errors) > 0 && err == nil {
			err = p.Errors[0]
		}
		pkgs[p.PkgPath] = p.Types
	})
	return pkgs, err
})

// load returns the libraries' packages.
func load(t *testing.T) map[string]*types.Package {
	t.Helper()
	if testing.Short() {
		t.Skip("loads the libraries")
	}
	pkgs, err := libs()
	if err != nil {
		t.Fatalf("testdata/libs: %v", err)
	}
	return pkgs
}

// functions returns all functions, methods and function types of packages by
// FullName, methods of generic types by that of their origin.
func functions(pkgs map[string]*types.Package) map[string]*types.Func {
	funcs := map[string]*types.Func{}
	typeParams := regexp.MustCompile(`\[[^()]*\]`) // which the tables leave out
	add := func(f *types.Func) { funcs[typeParams.ReplaceAllString(f.Origin().FullName(), "")] = f.Origin() }
	for _, pkg := range pkgs {
		for _, name := range pkg.Scope().Names() {
			switch obj := pkg.Scope().Lookup(name).(type) {
			case *types.Func:
				add(obj)
			case *types.TypeName:
				if sig, ok := obj.Type().Underlying().(*types.Signature); ok {
					add(types.NewFunc(obj.Pos(), pkg, name, sig)) // a call of a value of the type
				}
				var typ types.Type = types.Unalias(obj.Type())
				if !types.IsInterface(typ) {
					typ = types.NewPointer(typ)
				}
				for m := range types.NewMethodSet(typ).Methods() {
					add(m.Obj().(*types.Func))
				}
			}
		}
	}
	return funcs
}

// TestFuncs compares every row of every table with the function that it names.
func TestFuncs(t *testing.T) {
	funcs := functions(load(t))
	seen := map[string]bool{}
	for _, lib := range libraries() {
		for _, row := range lib.Funcs {
			if isUnchecked(row.Name) {
				continue
			}
			if seen[row.Name] {
				t.Errorf("%s: %s has two rows", lib.Name, row.Name)
			}
			seen[row.Name] = true
			f := funcs[row.Name]
			if f == nil {
				t.Errorf("%s: no function %s", lib.Name, row.Name)
				continue
			}
			for _, problem := range check(row, f) {
				t.Errorf("%s: %s: %s\n\t%v", lib.Name, row.Name, problem, f.Signature())
			}
		}
	}
	t.Logf("%d rows", len(seen))
}

// unchecked are packages with rows that testdata/libs leaves out: they are large,
// or need C.
var unchecked = []string{
	"cloud.google.com/go/",
	"github.com/confluentinc/confluent-kafka-go/",
	"github.com/IBM/sarama.",
	"github.com/Shopify/sarama.",
	"github.com/gocql/gocql",
	"github.com/minio/minio-go/",
	"github.com/slack-go/slack",
	"github.com/Thiht/transactor/pgx",
	"github.com/Thiht/transactor/sqlx",
	"k8s.io/client-go/",
}

func isUnchecked(name string) bool {
	return slices.ContainsFunc(unchecked, func(p string) bool { return strings.HasPrefix(strings.TrimLeft(name, "(*"), p) })
}

// libraries returns all tables.
func libraries() []*dbapi.Library {
	return slices.Concat(dbapi.Libraries(), dbapi.OutsideLibraries())
}

// check returns what is wrong with a row.
func check(row dbapi.Func, f *types.Func) []string {
	var problems []string
	wrong := func(format string) { problems = append(problems, format) }

	sig := f.Signature()
	var args []types.Type
	if recv := sig.Recv(); recv != nil {
		args = append(args, recv.Type())
	}
	for v := range sig.Params().Variables() {
		args = append(args, v.Type())
	}
	used := map[int]string{}
	for _, arg := range []struct {
		name string
		arg  dbapi.Arg
		is   func(types.Type) bool
	}{
		{"Handle", row.Handle, anyType},
		{"SQL", row.SQL, func(t types.Type) bool {
			return isText(t) || slices.Contains([]dbapi.Role{dbapi.Chain, dbapi.Run, dbapi.Prepare}, row.Role) && isTextOrAny(t)
		}},
		{"Args", row.Args, isSliceOrAny},
		{"Ctx", row.Ctx, isContext},
		{"Fn", row.Fn, isFunc},
		{"Options", row.Options, anyType},
		{"Batch", row.Batch, anyType},
		{"N", row.N, isInteger},
		{"On", row.On, anyType},
		{"From", row.From, anyType},
		{"Dst", row.Dst, anyType},
		{"Value", row.Value, anyType},
		{"Column", row.Column, anyType},
		{"Table", row.Table, anyType},
		{"Stmt", row.Stmt, anyType},
		{"DSN", row.DSN, isText},
		{"Driver", row.Driver, isText},
		{"Pred", row.Pred, isPredicate},
	} {
		i := arg.arg.Index()
		switch {
		case i < 0:
		case i >= len(args):
			wrong(arg.name + ": no such argument")
		case used[i] != "":
			wrong(arg.name + ": argument is " + used[i] + " too")
		case !arg.is(args[i]):
			wrong(arg.name + ": wrong type " + args[i].String())
		}
		used[i] = arg.name
		delete(used, -1)
	}
	// A message says these words.
	if says := slices.Contains([]dbapi.Role{dbapi.External, dbapi.Wait, dbapi.Slow}, row.Role); says != (row.What != "") {
		wrong("What: " + row.What)
	}
	for i, typ := range args {
		if isContext(typ) && used[i] == "" {
			wrong("argument is a context that the row leaves out")
		}
		if i > 0 && isText(typ) && used[i] == "" && slices.Contains([]dbapi.Role{dbapi.Run, dbapi.Prepare, dbapi.Queue}, row.Role) && row.SQL.Index() < 0 && row.Table.Index() < 0 {
			wrong("argument is a text that the row leaves out")
		}
	}
	if i := row.Fn.Index(); i >= 0 && i < len(args) {
		if fn, ok := args[i].Underlying().(*types.Signature); ok {
			if row.FnHandle.Index() >= fn.Params().Len() || row.FnCtx.Index() >= fn.Params().Len() {
				wrong("FnHandle or FnCtx: no such parameter")
			} else if j := row.FnCtx.Index(); j >= 0 && !isContext(fn.Params().At(j).Type()) {
				wrong("FnCtx: not a context")
			}
		}
	}
	if row.Result != dbapi.NoHandle && sig.Results().Len() == 0 {
		wrong("Result: the function returns nothing")
	}
	if needs, ok := roleNeeds[row.Role]; ok && !needs(row) {
		wrong("an argument that the role needs is missing")
	}
	return problems
}

func has(args ...dbapi.Arg) bool {
	return !slices.ContainsFunc(args, func(a dbapi.Arg) bool { return a.Index() < 0 })
}

// roleNeeds are the arguments without which a role means nothing.
var roleNeeds = map[dbapi.Role]func(dbapi.Func) bool{
	dbapi.NoRole:     func(dbapi.Func) bool { return false },
	dbapi.Run:        func(f dbapi.Func) bool { return has(f.Handle) && (has(f.SQL) || has(f.Table)) },
	dbapi.RunStmt:    func(f dbapi.Func) bool { return has(f.Handle) },
	dbapi.Prepare:    func(f dbapi.Func) bool { return has(f.Handle, f.SQL) },
	dbapi.Queue:      func(f dbapi.Func) bool { return has(f.Batch) },
	dbapi.SendBatch:  func(f dbapi.Func) bool { return has(f.Handle, f.Batch) },
	dbapi.Begin:      func(f dbapi.Func) bool { return has(f.Handle) && f.Result == dbapi.Tx },
	dbapi.Commit:     func(f dbapi.Func) bool { return has(f.Handle) },
	dbapi.Rollback:   func(f dbapi.Func) bool { return has(f.Handle) },
	dbapi.RunTx:      func(f dbapi.Func) bool { return has(f.Handle, f.Fn) && (has(f.FnHandle) || has(f.FnCtx)) },
	dbapi.Acquire:    func(f dbapi.Func) bool { return has(f.Handle) && f.Result == dbapi.Session },
	dbapi.RunSession: func(f dbapi.Func) bool { return has(f.Handle, f.Fn, f.FnHandle) },
	dbapi.RunOn:      func(f dbapi.Func) bool { return has(f.Handle, f.Fn, f.FnHandle) },
	dbapi.Release:    func(f dbapi.Func) bool { return has(f.Handle) },
	dbapi.Destroy:    func(f dbapi.Func) bool { return has(f.Handle) },
	dbapi.Limit:      func(f dbapi.Func) bool { return has(f.Handle, f.N) },
	dbapi.Derive:     func(f dbapi.Func) bool { return has(f.Handle) },
	dbapi.Chain:      func(f dbapi.Func) bool { return f.Clause != "" },
	dbapi.Finish:     func(f dbapi.Func) bool { return has(f.Handle) && f.Clause != "" },
	dbapi.Text:       func(f dbapi.Func) bool { return has(f.SQL) || has(f.Handle) || has(f.Table) },
	dbapi.Getter:     func(f dbapi.Func) bool { return has(f.Ctx) },
	dbapi.WithTx:     func(f dbapi.Func) bool { return has(f.Handle) },
	dbapi.CtxDerive:  func(f dbapi.Func) bool { return has(f.Ctx) },
	dbapi.CtxDetach:  func(f dbapi.Func) bool { return has(f.Ctx) },
	dbapi.Scan:       func(f dbapi.Func) bool { return has(f.From) },
	dbapi.Collect:    func(f dbapi.Func) bool { return has(f.From) },
	dbapi.Next:       func(f dbapi.Func) bool { return has(f.From) },
	dbapi.CloseRows:  func(f dbapi.Func) bool { return has(f.From) },
	dbapi.Receive:    func(f dbapi.Func) bool { return has(f.From) },
	dbapi.Affected:   func(f dbapi.Func) bool { return has(f.From) },
	dbapi.Settings:   func(f dbapi.Func) bool { return has(f.Options) },
	dbapi.Raw:        func(f dbapi.Func) bool { return has(f.Handle, f.Fn) },
	dbapi.Hook:       func(f dbapi.Func) bool { return has(f.Fn) },
	dbapi.ParseDSN:   func(f dbapi.Func) bool { return has(f.DSN) },
	dbapi.Savepoint:  func(f dbapi.Func) bool { return has(f.Handle) },
	dbapi.RollbackTo: func(f dbapi.Func) bool { return has(f.Handle) },
	dbapi.Listen:     func(f dbapi.Func) bool { return has(f.Handle) },

	dbapi.TestCode:   func(f dbapi.Func) bool { return has(f.From) && (f.Codes != nil || has(f.Args) || f.Clause == "norows") },
	dbapi.ReadStream: func(f dbapi.Func) bool { return has(f.From) },
	dbapi.WrapStream: func(f dbapi.Func) bool { return has(f.From) },
	dbapi.Retry:      func(f dbapi.Func) bool { return has(f.Fn) && f.Again != dbapi.Never },
	dbapi.Permanent:  func(f dbapi.Func) bool { return has(f.From) },
	dbapi.Retryable:  func(f dbapi.Func) bool { return has(f.From) },
}

func anyType(types.Type) bool { return true }

func isText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// isTextOrAny holds for what a builder takes as a part of a statement: a text,
// several, or anything that can be made one.
func isTextOrAny(t types.Type) bool {
	if s, ok := t.(*types.Slice); ok {
		t = s.Elem()
	}
	return isText(t) || types.IsInterface(t)
}

// isSliceOrAny holds for variadic parameters, slices, and the struct or map of
// named parameters.
func isSliceOrAny(t types.Type) bool {
	_, slice := t.Underlying().(*types.Slice)
	return slice || types.IsInterface(t)
}

func isContext(t types.Type) bool { return t.String() == "context.Context" }

// isFunc holds for functions and for variadic functions (gorm's Scopes).
func isFunc(t types.Type) bool {
	if s, ok := t.(*types.Slice); ok {
		t = s.Elem()
	}
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// isPredicate holds for functions that return a boolean.
func isPredicate(t types.Type) bool {
	fn, ok := t.Underlying().(*types.Signature)
	return ok && fn.Results().Len() == 1 && types.Identical(fn.Results().At(0).Type(), types.Typ[types.Bool])
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// TestNames checks that the types, fields and variables that tables name exist.
func TestNames(t *testing.T) {
	pkgs := load(t)
	// object returns the object with a name such as "pkg/path.Name".
	object := func(name string) types.Object {
		i := strings.LastIndexByte(name, '.')
		if pkg := pkgs[name[:max(i, 0)]]; pkg != nil {
			return pkg.Scope().Lookup(name[i+1:])
		}
		return nil
	}
	member := func(name string) types.Object {
		i := strings.LastIndexByte(name, '.')
		typ := object(name[:i])
		if typ == nil {
			return nil
		}
		obj, _, _ := types.LookupFieldOrMethod(typ.Type(), true, typ.Pkg(), name[i+1:])
		return obj
	}
	for _, lib := range libraries() {
		for _, name := range slices.AppendSeq(slices.Concat(lib.Contexts, lib.Collectors, lib.Jobs), maps.Keys(lib.Types)) {
			if _, ok := object(strings.TrimPrefix(name, "*")).(*types.TypeName); !ok {
				t.Errorf("%s: no type %s", lib.Name, name)
			}
		}
		for _, name := range slices.Concat(lib.Hooks, lib.Fields, lib.Presence, lib.Limits, lib.Streams) {
			if v, ok := member(name).(*types.Var); !ok || !v.IsField() {
				t.Errorf("%s: no field %s", lib.Name, name)
			}
		}
		for _, name := range lib.SQLState {
			if member(name) == nil {
				t.Errorf("%s: no field or method %s", lib.Name, name)
			}
		}
		for _, name := range slices.AppendSeq(slices.Clone(lib.NoRows), maps.Keys(lib.Codes)) {
			if _, ok := object(name).(*types.Var); !ok {
				t.Errorf("%s: no variable %s", lib.Name, name)
			}
		}
		for _, o := range lib.Options {
			for _, field := range []string{o.Isolation, o.ReadOnly, o.Begin} {
				if field != "" && member(o.Type+"."+field) == nil {
					t.Errorf("%s: no field %s.%s", lib.Name, o.Type, field)
				}
			}
		}
	}
	for _, lib := range dbapi.Libraries() {
		for _, path := range lib.Packages {
			if path, ok := strings.CutSuffix(path, "/..."); !ok && pkgs[path] == nil {
				t.Errorf("%s: no package %s", lib.Name, path)
			}
		}
	}
}

// TestComplete checks that no method of a handle that takes a statement, or a
// function that takes a handle, is without a row.
func TestComplete(t *testing.T) {
	pkgs := load(t)
	for name, f := range functions(pkgs) {
		recv := f.Signature().Recv()
		if recv == nil || !f.Exported() || dbapi.TypeHandle(types.TypeString(recv.Type(), nil)) == dbapi.NoHandle || dbapi.Lookup(name) != nil {
			continue
		}
		for v := range f.Signature().Params().Variables() {
			fn, isFn := v.Type().Underlying().(*types.Signature)
			switch {
			case isText(v.Type()) && (v.Name() == "sql" || v.Name() == "query"):
				t.Errorf("%s takes a statement and has no row", name)
			case isFn && fn.Params().Len() > 0 && slices.ContainsFunc(slices.Collect(fn.Params().Variables()), func(p *types.Var) bool {
				return dbapi.TypeHandle(types.TypeString(p.Type(), nil)) != dbapi.NoHandle
			}):
				t.Errorf("%s takes a function of a handle and has no row", name)
			}
		}
	}
}

// TestOptions compares the isolation levels with the libraries' constants.
func TestOptions(t *testing.T) {
	pkgs := load(t)
	for _, lib := range libraries() {
		for _, o := range lib.Options {
			i := strings.LastIndexByte(o.Type, '.')
			scope := pkgs[o.Type[:i]].Scope()
			field, _, _ := types.LookupFieldOrMethod(scope.Lookup(o.Type[i+1:]).Type(), true, nil, o.Isolation)
			for _, name := range scope.Names() {
				c, ok := scope.Lookup(name).(*types.Const)
				if !ok || !types.Identical(c.Type(), field.Type()) {
					continue
				}
				words := strings.ReplaceAll(o.Levels[c.Val().ExactString()], " ", "")
				if name = strings.ToLower(strings.TrimPrefix(name, "Level")); name != words && name != "default" {
					t.Errorf("%s: %s is %q", o.Type, name, words)
				}
			}
		}
	}
}
