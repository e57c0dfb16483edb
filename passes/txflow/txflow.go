// Package txflow is the engine of the suite: an analysis pass that says, for
// each place where a package runs SQL, on which handle it runs, inside which
// transaction, and through which calls it is reached.
//
// Rules require [Analyzer] and ask its [Result]; they do not walk SSA.
//
// The pass builds SSA by itself, for packages that import a database library,
// so that every other package costs one look at its imports.
package txflow

import (
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pgtxvet/pgtxvet/internal/config"
	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/pgsql"
	"github.com/pgtxvet/pgtxvet/internal/sqltext"
	"github.com/pgtxvet/pgtxvet/internal/usercode"
)

// Analyzer computes the [Result] that rules ask. It reports nothing itself.
var Analyzer = &analysis.Analyzer{
	Name:       "txflow",
	Doc:        "find the statements, handles and transactions of a package (used by the rules)",
	Run:        run,
	ResultType: reflect.TypeFor[*Result](),
	FactTypes:  []analysis.Fact{new(Facts)},
	Requires:   []*analysis.Analyzer{config.Analyzer},
}

// engine holds what is known of one package during its analysis.
type engine struct {
	pass *analysis.Pass
	user declarations
	prog *ssa.Program
	pkg  *ssa.Package
	text *sqltext.Resolver

	// funcs are the package's functions with bodies, closures included, in
	// source order.
	funcs []*ssa.Function
	// closures are the places where each closure is made.
	closures map[*ssa.Function][]*ssa.MakeClosure
	// globalStores are the values stored in each package variable.
	globalStores map[*ssa.Global][]ssa.Value
	globalFields map[globalField][]ssa.Value
	// fields are the values stored in each field of a named struct type.
	fields map[fieldKey][]ssa.Value
	// fieldElems and globalElems are the values put into the slices and maps that
	// a field or a package variable keeps.
	fieldElems  map[fieldKey][]ssa.Value
	globalElems map[*ssa.Global][]ssa.Value
	// fieldFuncs and elementFuncs are the functions that a field, and the elements
	// of a collection, can be.
	fieldFuncs   map[fieldKey][]target
	elementFuncs map[ssa.Value][]target
	// callers are the calls of each function in this package; used is set for
	// functions that are also used as values.
	callers map[*ssa.Function][]ssa.CallInstruction
	used    map[*ssa.Function]bool
	// lonePools are the calls that open a pool of one connection.
	lonePools map[ssa.Value]bool
	generated map[*token.File]bool
	// foreignGenerated are the files of other packages that were looked at.
	foreignGenerated map[string]bool

	resets *bool
	// importersRetry is the answer of [Site.ImportersRetry].
	importersRetry *bool
	typeKinds      typeutil.Map
	values         map[evalKey]Value
	evalBusy       map[evalKey]bool
	evalCuts       int
	impls          map[*types.Func][]implementation
	loopsOf        map[*ssa.Function]map[*ssa.BasicBlock]int
	codeTests      map[*ssa.Function]bool
	failures       map[*ssa.Function]failure
	// passesNilTx is whether the package passes nil for transactions; nil until
	// somebody asks.
	passesNilTx *bool
	// blockConds are the conditions known to hold in a block.
	blockConds map[*ssa.BasicBlock][]cond

	summaries map[*ssa.Function]*summary
	// namesPrepared are the statements that this package prepares, by their names.
	namesPrepared map[string]sqltext.Set
	// chainArgs are the arguments of statements that chains collect.
	chainArgs map[ssa.CallInstruction][]chainValue
	// blobs are the summaries of the packages below.
	blobs     map[string]*PackageFacts
	reads     *reads
	files     map[string]*token.File
	ownTypes  []xType
	ownIfaces []xIface
	// subquery is [engine.queryOf], kept here because the tables of renderers would
	// else refer to themselves.
	subquery func(ssa.Value) (sqltext.Text, []chainValue)
	// keptIn are the functions in which the handle of a call is one of the fields in
	// managedFields.
	keptIn map[ssa.CallInstruction]map[string]bool
	// managedFields are the fields that hold pools by the way they are used.
	managedFields map[managedKey]bool
	// calls are the call expressions by the position of their parenthesis.
	calls  map[token.Pos]*ast.CallExpr
	parsed map[sourceKey][]*pgsql.Statement
	// data are the origins of values, filled what calls of libraries fill.
	data   origins
	filled map[ssa.CallInstruction][]fill
	// guessedTables are the names that tables of models have by convention.
	guessedTables map[string]bool
	// linkedData gives the links between reads and writes behind interfaces.
	linkedData func() []*Link
	// blockGuards are the conditions under which control reaches a block.
	blockGuards map[*ssa.BasicBlock][]guard
}

// A globalField is a field of a package variable that is a struct.
type globalField struct {
	global *ssa.Global
	field  string
}

type fieldKey struct {
	typ   *types.TypeName
	field string
}

func run(pass *analysis.Pass) (any, error) {
	if len(pass.Files) == 0 || !usercode.Is(pass.Pkg.Path(), pass.Fset.Position(pass.Files[0].FileStart).Filename) {
		return &Result{}, nil
	}
	e := &engine{
		pass:         pass,
		user:         declarationsOf(pass),
		blobs:        map[string]*PackageFacts{},
		files:        map[string]*token.File{},
		closures:     map[*ssa.Function][]*ssa.MakeClosure{},
		globalStores: map[*ssa.Global][]ssa.Value{},
		globalFields: map[globalField][]ssa.Value{},
		blockConds:   map[*ssa.BasicBlock][]cond{},
		impls:        map[*types.Func][]implementation{},
		loopsOf:      map[*ssa.Function]map[*ssa.BasicBlock]int{},
		codeTests:    map[*ssa.Function]bool{},
		fields:       map[fieldKey][]ssa.Value{},
		fieldElems:   map[fieldKey][]ssa.Value{},
		globalElems:  map[*ssa.Global][]ssa.Value{},
		fieldFuncs:   map[fieldKey][]target{},
		elementFuncs: map[ssa.Value][]target{},
		callers:      map[*ssa.Function][]ssa.CallInstruction{},
		used:         map[*ssa.Function]bool{},
		lonePools:    map[ssa.Value]bool{},
		generated:    map[*token.File]bool{},

		foreignGenerated: map[string]bool{},
		values:           map[evalKey]Value{},
		evalBusy:         map[evalKey]bool{},
		summaries:        map[*ssa.Function]*summary{},
		parsed:           map[sourceKey][]*pgsql.Statement{},
		data:             origins{memo: map[originKey]sources{}, busy: map[originKey]bool{}, outs: map[outKey]sources{}},
	}
	e.subquery = e.queryOf
	e.importFacts()
	if otherDialect(pass.Pkg) || e.inOtherModule() || e.onlyGenerated() {
		e.exportWith() // it may be what puts a program together
		return &Result{}, nil
	}
	e.pkg, e.funcs = buildSSA(pass)
	e.prog = e.pkg.Prog
	e.text = sqltext.New(e.pkg, pass.Fset, pass.Files, pass.TypesInfo, e.readFile)
	e.text.Others(e.otherTexts)
	for _, f := range pass.Files {
		if ast.IsGenerated(f) {
			e.generated[pass.Fset.File(f.FileStart)] = true
		}
	}
	e.index()
	e.ownTypes, e.ownIfaces = e.methodSets()
	res := e.result()
	e.exportFacts()
	if pass.Pkg.Name() == "main" {
		sites, said := e.link()
		res.Sites = slices.DeleteFunc(res.Sites, said)
		for _, s := range sites {
			res.Effects = append(res.Effects, s)
			if s.Op == Run && s.settled && !s.below {
				res.Sites = append(res.Sites, s)
			}
		}
	}
	return res, nil
}

// ReadFile reads a file that need not be one of the package: an embedded file, or
// one of a package below. The driver is asked first, since it may hold a text that
// is not on disk yet, or want to know who depends on the file; most drivers refuse.
func ReadFile(pass *analysis.Pass, name string) ([]byte, error) {
	if data, err := pass.ReadFile(name); err == nil {
		return data, nil
	}
	return os.ReadFile(name)
}

// readFile reads a file beside the package's sources.
func (e *engine) readFile(name string) ([]byte, error) {
	if !filepath.IsAbs(name) && len(e.pass.Files) > 0 {
		name = filepath.Join(filepath.Dir(e.pass.Fset.Position(e.pass.Files[0].FileStart).Filename), name)
	}
	return ReadFile(e.pass, name)
}

// inOtherModule reports whether the package uses a database library and belongs to
// a module for another database.
func (e *engine) inOtherModule() bool {
	return inForeignModule(filepath.Dir(e.pass.Fset.Position(e.pass.Files[0].FileStart).Filename))
}

// onlyGenerated reports whether the package is generated from end to end and
// uses no database: clients and messages of a remote service, say.
func (e *engine) onlyGenerated() bool {
	for _, f := range e.pass.Files {
		if !ast.IsGenerated(f) {
			return false
		}
	}
	for _, imp := range e.pass.Pkg.Imports() {
		if dbapi.Known(unvendor(imp.Path())) {
			return false
		}
	}
	return true
}

// otherDatabases begin the names of the directories in which programs for
// several databases keep what is for one of the others.
var otherDatabases = []string{"sqlite", "mysql", "mariadb", "mssql", "sqlserver", "oracle", "clickhouse"}

// otherDialect reports whether the package is for another database: by its
// path, or because the program below it imports a driver of another database
// and none of PostgreSQL.
func otherDialect(pkg *types.Package) bool {
	for dir := range strings.SplitSeq(strings.ToLower(pkg.Path()), "/") {
		for _, name := range otherDatabases {
			if strings.HasPrefix(dir, name) {
				return true
			}
		}
	}
	var postgres, other bool
	seen := map[*types.Package]bool{}
	var visit func(*types.Package)
	visit = func(p *types.Package) {
		if seen[p] || postgres {
			return
		}
		seen[p] = true
		switch d := dbapi.Dialect(unvendor(p.Path())); d {
		case "":
		case "postgres":
			postgres = true
		default:
			other = true
		}
		for _, imp := range p.Imports() {
			visit(imp)
		}
	}
	visit(pkg)
	return other && !postgres
}

// index looks once at every instruction for what evaluation asks about.
func (e *engine) index() {
	for _, fn := range e.funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				e.indexInstr(in)
			}
		}
	}
	e.indexLimits()
}

func (e *engine) indexInstr(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.MakeClosure:
		fn := in.Fn.(*ssa.Function)
		e.closures[fn] = append(e.closures[fn], in)
	case *ssa.MapUpdate, *ssa.IndexAddr:
		e.indexElement(in)
	case *ssa.Store:
		switch a := in.Addr.(type) {
		case *ssa.Global:
			e.globalStores[a] = append(e.globalStores[a], in.Val)
		case *ssa.FieldAddr:
			if key, ok := keyOfField(a); ok {
				e.fields[key] = append(e.fields[key], in.Val)
			}
			if g, ok := a.X.(*ssa.Global); ok {
				key := globalField{g, structOf(g.Type()).Field(a.Field).Name()}
				e.globalFields[key] = append(e.globalFields[key], in.Val)
			}
		}
	}
	call, isCall := in.(ssa.CallInstruction)
	if isCall {
		if fn := call.Common().StaticCallee(); fn != nil {
			if o := e.body(fn); o != nil {
				e.callers[o] = append(e.callers[o], call)
			}
		}
	}
	for _, op := range in.Operands(nil) {
		fn, ok := (*op).(*ssa.Function)
		if !ok || isCall && call.Common().Value == fn {
			continue
		}
		if o := e.body(fn); o != nil {
			if _, closure := in.(*ssa.MakeClosure); !closure {
				e.used[o] = true
			}
		} else if obj, ok := fn.Object().(*types.Func); ok && fn.Synthetic != "" {
			if m := e.prog.FuncValue(obj.Origin()); m != nil {
				e.used[m] = true
			}
		}
	}
}

func keyOfField(a *ssa.FieldAddr) (fieldKey, bool) {
	p, ok := a.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return fieldKey{}, false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok {
		return fieldKey{}, false
	}
	return fieldKey{n.Origin().Obj(), structOf(n).Field(a.Field).Name()}, true
}

// limits are the names of the functions with the role [dbapi.Limit].
var limits = map[string]bool{"SetMaxOpenConns": true}

// indexLimits finds the pools that are limited to one connection:
// db.SetMaxOpenConns(1) and cfg.MaxConns = 1.
func (e *engine) indexLimits() {
	for _, fn := range e.funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case ssa.CallInstruction:
					if fn := in.Common().StaticCallee(); fn == nil || !limits[fn.Name()] {
						continue
					}
					for _, c := range e.callees(in.Common()) {
						f := c.api()
						if f == nil || f.Role != dbapi.Limit {
							continue
						}
						if n, ok := constInt(c.arg(f.N)); !ok || n != 1 {
							continue
						}
						if v := e.eval(c.arg(f.Handle), ""); v.Base != nil {
							e.lonePools[v.Base] = true
						}
					}
				case *ssa.Store:
					a, ok := in.Addr.(*ssa.FieldAddr)
					if !ok {
						continue
					}
					key, ok := keyOfField(a)
					if !ok || key.field != "MaxConns" || key.typ.Pkg() == nil || !strings.HasSuffix(key.typ.Pkg().Path(), "/pgxpool") {
						continue
					}
					if n, ok := constInt(in.Val); ok && n == 1 {
						e.loneConfig(a.X)
					}
				}
			}
		}
	}
	if len(e.lonePools) > 0 {
		clear(e.values) // evaluated before the limits were known
	}
}

// loneConfig marks the pools that are opened with the configuration v.
func (e *engine) loneConfig(v ssa.Value) {
	if v.Referrers() == nil {
		return
	}
	for _, r := range *v.Referrers() {
		if call, ok := r.(*ssa.Call); ok {
			for _, c := range e.callees(call.Common()) {
				if f := c.api(); f != nil && f.Role == dbapi.Open {
					e.lonePools[call] = true
				}
			}
		}
	}
}
