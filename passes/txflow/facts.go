package txflow

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/binary"
	"errors"
	"go/token"
	"go/types"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/fxamacker/cbor/v2"
	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/pgsql"
	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// Facts are the summaries of a package and of all the user's packages below it:
// package facts are seen by direct importers only, so each package hands on what
// it was handed. The summaries stay compressed until somebody asks for them.
type Facts struct {
	// Packages are compressed summaries in the order of their paths: an encoded
	// fact must come out the same each time, which a map does not. Within one
	// process the packages share them, and what was decoded.
	Packages []*PackageFacts

	own   *PackageFacts // among Packages, nil if the package has none
	reads *reads        // what the analysis was given and has read; nil if decoded
}

// PackageFacts are the compressed summaries of one package.
type PackageFacts struct {
	Path string
	Data []byte

	once    sync.Once
	decoded *foreignPackage
}

// AFact marks Facts as a fact.
func (*Facts) AFact() {}

// MarshalBinary encodes the facts: for each package its path and its summaries,
// with their lengths in front.
func (f *Facts) MarshalBinary() ([]byte, error) {
	var b []byte
	for _, p := range f.Packages {
		b = append(binary.AppendUvarint(b, uint64(len(p.Path))), p.Path...)
		b = append(binary.AppendUvarint(b, uint64(len(p.Data))), p.Data...)
	}
	return b, nil
}

// UnmarshalBinary decodes facts.
func (f *Facts) UnmarshalBinary(data []byte) error { return f.UnmarshalShared(bytes.Clone(data)) }

// UnmarshalShared decodes facts, which keep parts of data. A package reads the
// facts of all its imports, and these repeat each other.
func (f *Facts) UnmarshalShared(data []byte) error {
	f.Packages = nil
	field := func() (field []byte, err error) {
		n, size := binary.Uvarint(data)
		if size <= 0 || n > uint64(len(data)-size) {
			return nil, errors.New("facts are garbled")
		}
		end := size + int(n)
		field, data = data[size:end:end], data[end:]
		return field, nil
	}
	for len(data) > 0 {
		path, err := field()
		if err != nil {
			return err
		}
		summaries, err := field()
		if err != nil {
			return err
		}
		f.Packages = append(f.Packages, &PackageFacts{Path: string(path), Data: summaries})
	}
	return nil
}

// The encoded forms. Parameters are numbers, the receiver first.
type (
	xPackage struct {
		_      struct{} `cbor:",toarray"`
		Resets bool
		// Intercepts is set when it calls servers' methods in a transaction.
		Intercepts bool
		// Imports are the imports of the same owner.
		Imports []string
		// Called are the functions that those call that are not among Funcs.
		Called []string
		// Files are the files that places are in.
		Files  []string
		Funcs  []xHead
		Types  []xType
		Ifaces []xIface
		Texts  []xText
		Flows  []xFlow
	}
	// xText is an SQL text that an exported variable holds, or its element with
	// the key.
	xText struct {
		_               struct{} `cbor:",toarray"`
		Name, Key, Text string
	}
	// xHead is what the linker wants to know of every function; Body is the encoded
	// xFunc, decoded when the function is asked for.
	xHead struct {
		_         struct{} `cbor:",toarray"`
		Name      string
		Calls     []string
		Ctx       int // the parameter that is a context, plus one
		Generated bool
		Served    bool
		// Inner is set for functions that no other package can call. They are here for
		// what linking has to say in them.
		Inner bool
		// Links is set when linking can say more of an effect, or of an effect of a
		// caller.
		Links bool
		Body  cbor.RawMessage
	}
	xFunc struct {
		_         struct{} `cbor:",toarray"`
		Effects   []xEffect
		Results   []xResult
		TestsCode bool
		// TestsState is set when a predicate tests for other SQLSTATEs.
		TestsState bool
		// TestsOwn is set when one tests for a type of error that no driver has.
		TestsOwn bool
		Failure  xFailure
		Out      []xOut
		// Looks and Locks, see foreignFunc.
		Looks, Locks bool
	}
	xResult struct {
		_     struct{} `cbor:",toarray"`
		Index int
		Path  string
		Value xValue
	}
	xValue struct {
		_                    struct{} `cbor:",toarray"`
		Kind                 Kind
		Base                 byte // xNone, xParam, xFresh, xGlobal
		Index                int
		Name                 string
		Path                 string
		Flow, Lone, Detached bool
		Alien                bool
		From, Ctx            *xValue
		Const                string
	}
	xPart struct {
		_     struct{} `cbor:",toarray"`
		Lit   string
		Hole  bool
		Kind  sqltext.HoleKind
		Param int // plus one
		Path  string
	}
	// xPlace is a [Place]; File is the number of its file.
	xPlace struct {
		_                                struct{} `cbor:",toarray"`
		File, Line, Col, EndLine, EndCol int
	}
	xScope struct {
		_     struct{} `cbor:",toarray"`
		Tx    xValue
		Begin *xPlace
		Own   bool
	}
	xCond struct {
		_      struct{} `cbor:",toarray"`
		Test   test
		V      xValue
		Const  string
		Want   bool
		Handle bool
	}
	xBind struct {
		_     struct{} `cbor:",toarray"`
		Index int
		Path  string
		Value xValue
	}
	xClosure struct {
		_       struct{} `cbor:",toarray"`
		Arg     int
		Effects []xEffect
	}
	xEffect struct {
		_             struct{} `cbor:",toarray"`
		Op            Op
		At            xPlace
		Fresh         int
		Ended         bool
		Alternative   int
		Enter         *xPlace
		FromAmbient   bool
		FromContext   bool
		Pkg           string
		Closures      []xClosure
		Handle        xValue
		API           string
		Shape         *dbapi.Func
		Origin        xPlace
		Path          []string
		Texts         [][]xPart
		Rows          rowCount
		Batch         bool
		Go, Foreign   bool
		State         State
		Settled       bool
		Scopes        []xScope
		Beside        bool
		Keys          modelKeys
		What          string
		Isolation     pgsql.Isolation
		ReadOnly, Odd bool
		Deferrable    bool
		Fault         *xFault
		Level         xValue
		Conds         []xCond
		Retry         Retry
		Callee        xValue
		Binds         []xBind
		MethodSig     string
		Iface         string
		// Key names the call, Reads and Writes say what the statement does with
		// tables, Data is an encoded xData, or nothing.
		Key           string
		Reads, Writes bool
		Data          cbor.RawMessage
	}
)

const (
	xNone byte = iota
	xParam
	xFresh
	xGlobal
	xClosureParam
)

// importFacts merges the facts of the direct imports.
func (e *engine) importFacts() {
	e.reads = &reads{blobs: e.blobs, paths: map[string]bool{}}
	for _, imp := range e.pass.Pkg.Imports() {
		var f Facts
		if e.pass.ImportPackageFact(imp, &f) {
			for _, p := range f.Packages {
				e.blobs[p.Path] = p
			}
		}
	}
}

// foreignPackage returns the summaries of a package below, or nil.
func (e *engine) foreignPackage(path string) *foreignPackage {
	p := e.blobs[path]
	if p == nil {
		return nil
	}
	e.reads.paths[path] = true
	return p.decode()
}

func (p *PackageFacts) decode() *foreignPackage {
	p.once.Do(func() { p.decoded = decode(p) })
	return p.decoded
}

// codec reads what the encoder writes: values of fields in their order, without
// names, and as deep as summaries may be.
var codec = sync.OnceValue(func() cbor.DecMode {
	mode, err := cbor.DecOptions{MaxNestedLevels: 1024, MaxArrayElements: math.MaxInt32}.DecMode()
	if err != nil {
		panic(err) // the options are constants
	}
	return mode
})

// decode reads compressed summaries; nil when a driver has garbled them, so
// that nothing is known.
func decode(facts *PackageFacts) *foreignPackage {
	r := flate.NewReader(bytes.NewReader(facts.Data))
	data, err := io.ReadAll(r)
	if err != nil {
		return nil
	}
	var x xPackage
	if err := codec().Unmarshal(data, &x); err != nil {
		return nil
	}
	p := &foreignPackage{resets: x.Resets, intercepts: x.Intercepts, imports: x.Imports, called: x.Called, funcs: map[string]*foreignEntry{}, types: x.Types, flows: x.Flows, ifaces: map[string]xIface{}, texts: map[string][]sqltext.Entry{}}
	for _, t := range x.Texts {
		p.texts[t.Name] = append(p.texts[t.Name], sqltext.Entry{Key: t.Key, Text: t.Text})
	}
	for _, i := range x.Ifaces {
		p.ifaces[i.Name] = i
	}
	for i := range x.Funcs {
		f := &foreignEntry{pkg: facts.Path, files: x.Files, xHead: &x.Funcs[i]}
		p.funcs[f.Name] = f
		p.order = append(p.order, f)
	}
	return p
}

type foreignPackage struct {
	resets bool // it gives a pool a hook that resets sessions
	// intercepts is set when it calls servers' methods in a transaction; imports
	// are its imports of the same owner.
	intercepts bool
	imports    []string
	// called are functions that are called by those that are not in order.
	called []string
	funcs  map[string]*foreignEntry
	order  []*foreignEntry
	types  []xType
	flows  []xFlow
	ifaces map[string]xIface
	// texts are the SQL texts that exported variables hold.
	texts map[string][]sqltext.Entry
}

// A foreignEntry is a function whose summary is decoded when it is asked for.
type foreignEntry struct {
	pkg   string
	files []string
	*xHead
	once    sync.Once
	decoded *foreignFunc
}

// function returns the function; nil for an entry that is nil or garbled.
func (f *foreignEntry) function() *foreignFunc {
	if f == nil {
		return nil
	}
	f.once.Do(func() { f.decoded = f.decode() })
	return f.decoded
}

func (f *foreignEntry) decode() *foreignFunc {
	var x xFunc
	if err := codec().Unmarshal(f.Body, &x); err != nil {
		return nil
	}
	fn := &foreignFunc{
		name: f.Name, short: shortName(f.Name), pkg: f.pkg, results: map[resultKey]Value{},
		generated: f.Generated, testsCode: x.TestsCode, testsState: x.TestsState, testsOwn: x.TestsOwn, failure: x.Failure.decode(),
		looks: x.Looks, locks: x.Locks, mutates: map[int]bool{},
	}
	d := &decoder{fn: fn, files: f.files}
	for _, o := range x.Out {
		if o.Index < 0 {
			fn.mutates[-1-o.Index] = true
		}
	}
	fn.out = d.outs(x.Out)
	for _, r := range x.Results {
		fn.results[resultKey{r.Index, r.Path}] = d.value(r.Value)
	}
	for i := range x.Effects {
		fn.effects = append(fn.effects, d.effect(&x.Effects[i]))
	}
	return fn
}

// foreign returns the summary of a function of another package, or nil.
func (e *engine) foreign(obj *types.Func, name string) *foreignFunc {
	if obj == nil || obj.Pkg() == nil || obj.Pkg() == e.pass.Pkg {
		return nil
	}
	p := e.foreignPackage(obj.Pkg().Path())
	if p == nil {
		return nil
	}
	return p.funcs[name].function()
}

// A decoder turns encoded effects into effects in terms of one foreign function.
type decoder struct {
	fn    *foreignFunc
	files []string
	// mu guards params: sources are decoded when somebody asks, and packages that
	// are analysed side by side share what is decoded.
	mu     sync.Mutex
	params map[int]*foreignParam
	fresh  map[string]*foreignFresh
}

func (d *decoder) place(x xPlace) Place {
	p := Place{Line: x.Line, Col: x.Col, EndLine: x.EndLine, EndCol: x.EndCol}
	if x.File >= 0 && x.File < len(d.files) {
		p.File = d.files[x.File]
	}
	return p
}

func (d *decoder) param(i int, name string) *foreignParam {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.params == nil {
		d.params = map[int]*foreignParam{}
	}
	p, ok := d.params[i]
	if !ok {
		p = &foreignParam{fn: d.fn, index: i, name: name}
		d.params[i] = p
	}
	return p
}

func (d *decoder) value(x xValue) Value {
	v := Value{Kind: x.Kind, Path: x.Path, Flow: x.Flow, Lone: x.Lone, Alien: x.Alien, Detached: x.Detached, Const: x.Const}
	switch x.Base {
	case xParam:
		v.Base = d.param(x.Index, x.Name)
	case xFresh:
		if d.fresh == nil {
			d.fresh = map[string]*foreignFresh{}
		}
		f, ok := d.fresh[x.Name]
		if !ok {
			f = &foreignFresh{fn: d.fn, id: x.Name}
			d.fresh[x.Name] = f
		}
		v.Base = f
	case xGlobal:
		v.Base = foreignGlobal{name: x.Name}
	}
	if x.Base == xClosureParam {
		v.Base = closureParam{arg: x.Index >> 8, index: x.Index & 255}
	}
	if x.From != nil {
		f := d.value(*x.From)
		v.From = &f
	}
	if x.Ctx != nil {
		c := d.value(*x.Ctx)
		v.Ctx = &c
	}
	return v
}

func (d *decoder) effect(x *xEffect) *Effect {
	y := &Effect{
		Op: x.Op, Handle: d.value(x.Handle), Batch: x.Batch, Go: x.Go, Foreign: x.Foreign,
		State: x.State, rows: x.Rows, settled: x.Settled, below: x.Settled, besideBelow: x.Beside, keys: x.Keys, What: x.What, Retry: x.Retry,
		Path: x.Path, Origin: &foreignCall{at: d.place(x.Origin)},
		Mode:  Mode{Isolation: x.Isolation, ReadOnly: x.ReadOnly, Deferrable: x.Deferrable, Unknown: x.Odd},
		fresh: x.Fresh, ended: x.Ended, alternative: x.Alternative, FromAmbient: x.FromAmbient, FromContext: x.FromContext, At: &foreignCall{at: d.place(x.At)},
		Fault: d.fault(x.Fault),
	}
	if x.Enter != nil {
		y.Enter = &foreignCall{at: d.place(*x.Enter)}
	}
	if y.API = x.Shape; y.API == nil && x.API != "" {
		if y.API = dbapi.Lookup(x.API); y.API == nil {
			y.API = dbapi.Outside(x.API)
		}
	}
	for _, t := range x.Texts {
		var text sqltext.Text
		for _, p := range t {
			part := sqltext.Part{Lit: p.Lit}
			if p.Hole {
				part.Hole = &sqltext.Hole{Kind: p.Kind, Path: p.Path}
				if p.Param > 0 {
					part.Hole.Foreign = d.param(p.Param-1, "")
				}
			}
			text = append(text, part)
		}
		y.Texts = append(y.Texts, text)
	}
	for _, s := range x.Scopes {
		sc := Scope{Tx: d.value(s.Tx), Own: s.Own}
		if s.Begin != nil {
			sc.Begin = &foreignCall{at: d.place(*s.Begin)}
		}
		y.Scopes = append(y.Scopes, sc)
	}
	y.put = len(y.Scopes)
	for _, c := range x.Conds {
		y.conds = append(y.conds, cond{test: c.Test, v: d.value(c.V), konst: c.Const, want: c.Want, handle: c.Handle})
	}
	if x.Level.Kind != None {
		level := d.value(x.Level)
		y.Mode.level = &level
	}
	if x.Op == callParam || x.Op == callMethod {
		y.pending = d.pending(x)
	}
	d.data(y, x)
	return y
}

// pending decodes the call that an effect makes.
func (d *decoder) pending(x *xEffect) *pendingCall {
	c := &pendingCall{callee: d.value(x.Callee), methodSig: x.MethodSig, iface: x.Iface, pkg: x.Pkg}
	for _, k := range x.Closures {
		if c.closures == nil {
			c.closures = map[int][]*Effect{}
		}
		for i := range k.Effects {
			c.closures[k.Arg] = append(c.closures[k.Arg], d.effect(&k.Effects[i]))
		}
	}
	binds := map[resultKey]Value{}
	for _, b := range x.Binds {
		binds[resultKey{b.Index, b.Path}] = d.value(b.Value)
	}
	c.bind = func(i int, path string) Value { return lookupPath(binds, i, path) }
	return c
}

// lookupPath finds the value at a path among recorded ones, or below the
// longest recorded prefix that a parameter stands for.
func lookupPath(m map[resultKey]Value, i int, path string) Value {
	if v, ok := m[resultKey{i, path}]; ok {
		return v
	}
	for p := path; p != ""; {
		p = p[:strings.LastIndexByte(p, '.')]
		if v, ok := m[resultKey{i, p}]; ok {
			rest := path[len(p):]
			switch v.Base.(type) {
			case *ssa.Parameter, *foreignParam, foreignGlobal:
				if v.Kind == Symbolic || v.Kind == Unknown {
					v.Path += rest
					return v
				}
			}
			return Value{Kind: Unknown}
		}
	}
	return Value{Kind: Unknown}
}

// exportFacts exports the summaries of this package with those below it.
func (e *engine) exportFacts() {
	enc := &encoder{e: e, files: map[string]int{}}
	var x xPackage
	called := map[string]bool{}
	for _, fn := range e.funcs {
		if fn.Parent() != nil || fn.Object() == nil || e.inTest(fn.Pos()) {
			continue
		}
		if exportedFunc(fn) || e.saysInLinks(fn) {
			if f, ok := enc.function(fn); ok {
				x.Funcs = append(x.Funcs, f)
			}
		} else if !e.inGenerated(fn) {
			for _, name := range e.calledBy(fn) {
				called[name] = true
			}
		}
	}
	x.Called = slices.Sorted(maps.Keys(called))
	slices.SortFunc(x.Funcs, func(a, b xHead) int { return cmp.Compare(a.Name, b.Name) })
	x.Types, x.Ifaces, x.Imports, x.Texts = e.ownTypes, e.ownIfaces, e.ownImports(), e.ownTexts()
	x.Flows = e.flows()
	x.Resets, x.Intercepts, x.Files = e.resetsSessions(), e.interceptsWithTx(), enc.order
	var buf bytes.Buffer
	w, err := flate.NewWriter(&buf, flate.BestSpeed)
	if err == nil {
		err = errors.Join(cbor.NewEncoder(w).Encode(&x), w.Close())
	}
	if err != nil {
		return // nothing is known above; nothing is wrong
	}
	e.exportWith(&PackageFacts{Path: e.pass.Pkg.Path(), Data: buf.Bytes()})
}

// exportWith exports the summaries of the packages below, with more.
func (e *engine) exportWith(more ...*PackageFacts) {
	blobs := maps.Clone(e.blobs)
	for _, p := range more {
		blobs[p.Path] = p
	}
	f := newFacts(blobs)
	f.reads = e.reads
	if len(more) > 0 {
		f.own = more[0]
	}
	e.pass.ExportPackageFact(f)
}

func newFacts(blobs map[string]*PackageFacts) *Facts {
	f := &Facts{}
	for _, path := range slices.Sorted(maps.Keys(blobs)) {
		f.Packages = append(f.Packages, blobs[path])
	}
	return f
}

// exportedFunc reports whether other packages can call the function, by name or
// through an interface.
func exportedFunc(fn *ssa.Function) bool { return token.IsExported(fn.Name()) }

// saysInLinks reports whether something can be wrong in the function that only
// the linker can tell: what it calls through an interface in a transaction that it
// opens itself. No caller says that.
func (e *engine) saysInLinks(fn *ssa.Function) bool {
	return slices.ContainsFunc(e.summary(fn).effects, func(x *Effect) bool {
		return x.Op == callMethod && x.fresh > 0 && x.fresh == len(x.Scopes)
	})
}

type encoder struct {
	e  *engine
	fn *ssa.Function
	// files are the numbers of the files that places are in; order lists them.
	files map[string]int
	order []string
}

func (c *encoder) place(p Place) xPlace {
	i, ok := c.files[p.File]
	if !ok {
		i = len(c.order)
		c.files[p.File] = i
		c.order = append(c.order, p.File)
	}
	return xPlace{File: i, Line: p.Line, Col: p.Col, EndLine: p.EndLine, EndCol: p.EndCol}
}

func (c *encoder) function(fn *ssa.Function) (xHead, bool) {
	c.fn = fn
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return xHead{}, false
	}
	h := xHead{
		Name: fullName(obj), Calls: c.e.calledBy(fn), Ctx: contextParam(fn) + 1,
		Generated: c.e.inGenerated(fn), Served: served(fn), Inner: !exportedFunc(fn),
	}
	var f xFunc
	if returnsBoolSig(fn.Signature) {
		f.TestsCode, f.TestsState, f.TestsOwn = c.e.testsCode(fn, 0), c.e.testsSQLState(fn), c.e.testsOwnType(fn)
	}
	fail := c.e.failure(fn)
	f.Failure = fail.encode()
	for _, x := range c.e.summary(fn).effects {
		if y, ok := c.effect(x); ok {
			f.Effects = append(f.Effects, y)
			h.Links = h.Links || linkable(x)
		}
	}
	f.Results = c.results(fn)
	f.Out = c.outs(fn)
	if len(f.Effects) > 0 {
		f.Looks, f.Locks = c.e.looksAtState(fn, 0), c.e.takesMutex(fn)
	}
	if len(f.Effects) == 0 && len(f.Results) == 0 && !f.TestsCode && !f.TestsState && !f.TestsOwn && !fail.telling() && len(h.Calls) == 0 && len(f.Out) == 0 {
		return xHead{}, false
	}
	var err error
	h.Body, err = cbor.Marshal(&f)
	return h, err == nil
}

// linkable reports whether the linker may have more to say of an effect.
func linkable(x *Effect) bool {
	return x.Op == callMethod || x.Op == Faulty || x.Op == Run && !x.settled
}

// contextParam returns the number of the parameter that is a context, or -1.
func contextParam(fn *ssa.Function) int {
	for i, p := range fn.Params {
		if isContext(p.Type()) {
			return i
		}
	}
	return -1
}

// calledBy returns the names of the user's functions that fn and its closures
// call, or hand to somebody who may call them in a transaction, sorted.
func (e *engine) calledBy(fn *ssa.Function) []string {
	names := map[string]bool{}
	var visit func(*ssa.Function)
	visit = func(f *ssa.Function) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				e.called(in, names)
			}
		}
		for _, a := range f.AnonFuncs {
			visit(a)
		}
	}
	visit(fn)
	return slices.Sorted(maps.Keys(names))
}

// called adds the functions that an instruction calls or hands on.
func (e *engine) called(in ssa.Instruction, names map[string]bool) {
	call, ok := in.(ssa.CallInstruction)
	if !ok {
		if _, ok := in.(*ssa.MakeClosure); !ok {
			e.handed(operands(in), names)
		}
		return
	}
	callees := e.callees(call.Common())
	for i := range callees {
		c := &callees[i]
		switch {
		case c.invoked:
			if iface := e.userInterface(c); iface != "" {
				names[invoked(iface, methodKey(c.obj.Name(), c.obj.Signature()))] = true
			}
		case e.isUsers(c.obj):
			names[c.name] = true
		}
	}
	if len(callees) == 0 {
		e.handed(call.Common().Args, names)
	}
	for i := range callees {
		if c := &callees[i]; !e.onlyRegisters(c) {
			for n, a := range c.args {
				if !e.callsWithoutTx(c, n) {
					e.handed([]ssa.Value{a}, names)
				}
			}
		}
	}
}

// onlyRegisters reports whether the callee is a function of a library that opens
// no transaction. A function that it is given is entered from outside.
func (e *engine) onlyRegisters(c *callee) bool {
	if c.obj == nil || c.declared != nil || e.isUsers(c.obj) || dbapi.Lookup(c.name) != nil {
		return false
	}
	return !c.invoked || e.userInterface(c) == ""
}

// callsWithoutTx reports whether the callee is seen to call the function that it
// is given as an argument, and to do so in no transaction.
func (e *engine) callsWithoutTx(c *callee, arg int) bool {
	u := unit{fn: c.fn, foreign: c.foreign}
	if u == (unit{}) {
		return false
	}
	effects := slices.Clone(e.effectsOfUnit(u))
	if c.fn != nil {
		for _, f := range c.fn.AnonFuncs { // one that is given back, such as a handler
			effects = append(effects, e.summary(f).effects...)
		}
	}
	seen := false
	for _, x := range effects {
		if x.Op != callParam || u.index(x.pending.callee.Base) != arg {
			continue
		}
		if len(x.Scopes) > 0 || x.pending.bind(0, "").Kind == TxContext {
			return false
		}
		seen = true
	}
	return seen
}

// handed adds the user's functions among values that take a context.
func (e *engine) handed(values []ssa.Value, names map[string]bool) {
	for _, v := range values {
		if c, ok := v.(*ssa.MakeClosure); ok {
			v = c.Fn
		}
		fn, ok := v.(*ssa.Function)
		if !ok {
			continue
		}
		if obj, ok := fn.Object().(*types.Func); ok && e.isUsers(obj) && takesContext(obj.Signature()) {
			names[fullName(obj)] = true
		}
	}
}

func takesContext(sig *types.Signature) bool {
	for p := range sig.Params().Variables() {
		if isContext(p.Type()) {
			return true
		}
	}
	return false
}

// isUsers reports whether a function is the user's own.
func (e *engine) isUsers(obj *types.Func) bool {
	if obj == nil || obj.Pkg() == nil {
		return false
	}
	_, user := e.blobs[obj.Pkg().Path()]
	return user || obj.Pkg() == e.pass.Pkg
}

// operands returns the values that an instruction uses.
func operands(in ssa.Instruction) []ssa.Value {
	var out []ssa.Value
	for _, p := range in.Operands(nil) {
		if *p != nil {
			out = append(out, *p)
		}
	}
	return out
}

// invoked names a method of an interface among the functions that are called.
func invoked(iface, method string) string { return iface + "\x00" + method }

func returnsBoolSig(sig *types.Signature) bool {
	return sig.Results().Len() > 0 && sig.Results().At(0).Type().Underlying().String() == "bool"
}

// results encodes what the results of fn are, as far as it may matter to a caller.
func (c *encoder) results(fn *ssa.Function) []xResult {
	var out []xResult
	for i := range fn.Signature.Results().Len() {
		for _, path := range c.e.resultPaths(fn, i) {
			v := c.e.returned(fn, i, path)
			if !telling(v) {
				continue
			}
			out = append(out, xResult{Index: i, Path: path, Value: c.value(v)})
		}
	}
	return out
}

// telling reports whether a value says more than its type.
func telling(v Value) bool {
	switch v.Kind {
	case None, Unknown:
		_, global := v.Base.(*ssa.Global)
		return global
	case Constant:
		return true
	}
	return v.Base != nil || v.Ctx != nil || v.From != nil || v.Kind == RootContext || v.Lone || v.Alien
}

// maxPaths bounds the fields of a value that are looked at.
const maxPaths = 24

// resultPaths returns the field paths of result i of fn that may hold handles.
func (e *engine) resultPaths(fn *ssa.Function, i int) []string {
	paths := map[string]bool{"": true}
	e.handlePaths(fn.Signature.Results().At(i).Type(), "", 0, paths)
	for _, b := range fn.Blocks {
		if ret, ok := lastInstr(b).(*ssa.Return); ok && i < len(ret.Results) {
			if mi, ok := ret.Results[i].(*ssa.MakeInterface); ok {
				e.handlePaths(mi.X.Type(), "", 0, paths)
			}
		}
	}
	return sortedPaths(paths)
}

func sortedPaths(m map[string]bool) []string {
	out := slices.Sorted(maps.Keys(m))
	if len(out) > maxPaths {
		out = out[:maxPaths]
	}
	return out
}

// handlePaths adds the field paths below a type of this module at which a
// handle, a context, an interface or a function may be.
func (e *engine) handlePaths(t types.Type, prefix string, depth int, out map[string]bool) {
	st := structOf(t)
	if st == nil || depth > 2 || len(out) > maxPaths {
		return
	}
	if n, ok := types.Unalias(derefPtr(t)).(*types.Named); ok && n.Obj().Pkg() != nil {
		if libraryHandle(t, typeName(t)) != dbapi.NoHandle {
			return
		}
		if p := n.Obj().Pkg(); p != e.pass.Pkg {
			if _, user := e.blobs[p.Path()]; !user {
				return
			}
		}
	}
	for f := range st.Fields() {
		path := prefix + "." + f.Name()
		switch u := f.Type().Underlying().(type) {
		case *types.Interface, *types.Signature:
			out[path] = true
		case *types.Pointer, *types.Struct:
			k, flow := e.kindOfType(f.Type())
			if k != Unknown || flow {
				out[path] = true
				continue
			}
			if structOf(f.Type()) != nil {
				out[path] = true
				e.handlePaths(f.Type(), path, depth+1, out)
			}
		default:
			_ = u
		}
	}
}

func (c *encoder) value(v Value) xValue {
	x := xValue{Kind: v.Kind, Path: v.Path, Flow: v.Flow, Lone: v.Lone, Alien: v.Alien, Detached: v.Detached, Const: v.Const}
	switch b := v.Base.(type) {
	case *ssa.Parameter:
		if i := paramIndex(c.fn, b); i >= 0 {
			x.Base, x.Index, x.Name = xParam, i, b.Name()
		} else {
			x.Base, x.Name = xFresh, "p"+b.Name()
			if x.Kind == Symbolic {
				x.Kind = Unknown
			}
		}
	case *ssa.Global:
		x.Base, x.Name = xGlobal, b.Pkg.Pkg.Path()+"."+b.Name()
	case foreignGlobal:
		x.Base, x.Name = xGlobal, b.name
	case closureParam:
		x.Base, x.Index = xClosureParam, b.arg<<8|b.index&255
	case nil:
	case ssa.Instruction:
		x.Base, x.Name, x.Path = xFresh, placeInFunc(b)+v.Path, ""
	default:
		x.Base, x.Name = xFresh, "?"
		if x.Kind == Symbolic {
			x.Kind = Unknown
		}
	}
	if v.From != nil {
		f := c.value(*v.From)
		x.From = &f
	}
	if v.Ctx != nil {
		f := c.value(*v.Ctx)
		x.Ctx = &f
	}
	return x
}

// effect encodes an effect; false when no caller could learn anything from it.
func (c *encoder) effect(x *Effect) (xEffect, bool) {
	y := xEffect{
		Op: x.Op, Handle: c.value(x.Handle), Batch: x.Batch, Go: x.Go, Foreign: x.Foreign, State: x.State, Rows: x.rows,
		Settled: x.settled && !c.e.inGenerated(c.fn), Beside: x.Beside != nil || x.besideBelow, Keys: x.keys, What: x.What, Retry: x.Retry,
		Origin: c.place(c.e.placeOf(x.Origin)), Path: x.Path,
		Isolation: x.Mode.Isolation, ReadOnly: x.Mode.ReadOnly, Deferrable: x.Mode.Deferrable, Fault: c.fault(x.Fault), Odd: x.Mode.Unknown,
		Fresh: x.fresh, Ended: x.ended, Alternative: x.alternative, FromAmbient: x.FromAmbient, FromContext: x.FromContext, At: c.place(c.e.placeOf(x.At)),
	}
	if x.Enter != nil {
		p := c.place(c.e.placeOf(x.Enter))
		y.Enter = &p
	}
	if x.Mode.level != nil {
		y.Level = c.value(*x.Mode.level)
	}
	if x.API != nil {
		y.API = x.API.Name
		if dbapi.Lookup(y.API) != x.API && dbapi.Outside(y.API) != x.API {
			y.Shape = x.API
		}
	}
	for _, t := range x.Texts {
		var parts []xPart
		for _, p := range t {
			part := xPart{Lit: p.Lit}
			if p.Hole != nil {
				part = xPart{Hole: true, Kind: p.Hole.Kind, Path: p.Hole.Path}
				if p.Hole.Param != nil {
					part.Param = paramIndex(c.fn, p.Hole.Param) + 1
				}
			}
			parts = append(parts, part)
		}
		y.Texts = append(y.Texts, parts)
	}
	for _, s := range x.Scopes {
		xs := xScope{Tx: c.value(s.Tx), Own: s.Own}
		if s.Begin != nil {
			p := c.place(c.e.placeOf(s.Begin))
			xs.Begin = &p
		}
		y.Scopes = append(y.Scopes, xs)
	}
	for _, k := range x.conds {
		y.Conds = append(y.Conds, xCond{Test: k.test, V: c.value(k.v), Const: k.konst, Want: k.want, Handle: k.handle})
	}
	if x.pending != nil {
		c.pending(&y, x.pending)
	}
	c.data(&y, x)
	return y, true
}

// pending encodes the call that an effect makes.
func (c *encoder) pending(y *xEffect, call *pendingCall) {
	y.Callee, y.MethodSig, y.Iface, y.Pkg = c.value(call.callee), call.methodSig, call.iface, call.pkg
	for _, i := range slices.Sorted(maps.Keys(call.closures)) {
		xc := xClosure{Arg: i}
		for _, z := range call.closures[i] {
			if y, ok := c.effect(z); ok {
				xc.Effects = append(xc.Effects, y)
			}
		}
		y.Closures = append(y.Closures, xc)
	}
	for _, p := range call.bindPaths {
		v := call.bind(p.index, p.path)
		// What is not known is told too where it would be taken for what hangs
		// below a value that is.
		if telling(v) || v.Kind == Unknown && p.path != "" && telling(call.bind(p.index, "")) {
			y.Binds = append(y.Binds, xBind{Index: p.index, Path: p.path, Value: c.value(v)})
		}
	}
}
