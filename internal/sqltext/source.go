package sqltext

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

func constantString(s string) constant.Value { return constant.MakeString(s) }

// facts is what one scan of the package finds.
type facts struct {
	made    map[*ssa.Function]ssa.Instruction // the one instruction that uses a closure's function
	users   map[*ssa.Const]ssa.Instruction    // of string constants
	globals map[*ssa.Global]*global
	exprs   map[string][]expr // constant string expressions by value
	spans   map[token.Pos]span
	embeds  map[types.Object]string // //go:embed patterns
	written map[*ssa.Global]bool    // of other packages, which this one may change
}

// A global is how a package variable gets its content.
type global struct {
	stores  []use // in the package's initializer
	changed bool  // it may change later
}

// An expr is a constant string expression and the texts it is written as.
type expr struct {
	pos, end token.Pos
	text     Text
}

type span struct{ pos, end token.Pos }

// index scans the package, once.
func (r *Resolver) index() *facts {
	if r.facts != nil {
		return r.facts
	}
	x := &facts{
		made:    map[*ssa.Function]ssa.Instruction{},
		users:   map[*ssa.Const]ssa.Instruction{},
		globals: map[*ssa.Global]*global{},
		exprs:   map[string][]expr{},
		spans:   map[token.Pos]span{},
		embeds:  map[types.Object]string{},
		written: map[*ssa.Global]bool{},
	}
	r.facts = x
	r.scanSyntax()
	for _, fn := range r.declared() {
		r.scanFunction(fn)
	}
	return x
}

// declared are the functions of the package that are not closures.
func (r *Resolver) declared() []*ssa.Function {
	fns := []*ssa.Function{r.pkg.Func("init")}
	for _, file := range r.files {
		for _, d := range file.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if obj, ok := r.info.Defs[fd.Name].(*types.Func); ok {
				fns = append(fns, r.pkg.Prog.FuncValue(obj))
			}
		}
	}
	// The functions init#1, init#2, … have no object.
	for n := 1; ; n++ {
		fn := r.pkg.Func("init#" + strconv.Itoa(n))
		if fn == nil {
			return fns
		}
		fns = append(fns, fn)
	}
}

func (r *Resolver) scanFunction(fn *ssa.Function) {
	if fn == nil {
		return
	}
	var buf [8]*ssa.Value
	for _, b := range fn.Blocks {
		for _, inst := range b.Instrs {
			for _, op := range inst.Operands(buf[:0]) {
				r.scanOperand(inst, *op)
			}
		}
	}
	for _, anon := range fn.AnonFuncs {
		r.scanFunction(anon)
	}
}

func (r *Resolver) scanOperand(inst ssa.Instruction, v ssa.Value) {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value != nil && v.Value.Kind() == constant.String {
			r.facts.users[v] = inst
		}
	case *ssa.Function:
		if v.Parent() != nil {
			if r.facts.made[v] != nil {
				inst = nil // not the only one
			}
			r.facts.made[v] = inst
		}
	case *ssa.Global:
		if v.Pkg == r.pkg {
			r.scanGlobal(inst, v)
		} else if load, ok := inst.(*ssa.UnOp); !ok || !isPointer(load.Type()) && r.mutates(load) {
			r.facts.written[v] = true
		}
	}
}

// scanGlobal notes one use of a package variable.
func (r *Resolver) scanGlobal(inst ssa.Instruction, v *ssa.Global) {
	g := r.facts.globals[v]
	if g == nil {
		g = &global{}
		r.facts.globals[v] = g
	}
	c := collector{r: r, seen: map[ssa.Value]bool{}}
	c.referrer(v, inst, "", false)
	if load, ok := inst.(*ssa.UnOp); ok && !isPointer(load.Type()) && r.mutates(load) {
		g.changed = true
	}
	initializer := inst.Parent() == r.pkg.Func("init")
	for _, u := range c.list {
		if u.kind == isStore && initializer && !u.weak {
			g.stores = append(g.stores, u)
			continue
		}
		if u.kind == isCall && r.harmless(u) {
			continue
		}
		g.changed = true
	}
}

// harmless says whether a call only reads the variable it has the address of:
// a method of the package that does not write its receiver.
func (r *Resolver) harmless(u use) bool {
	return !r.passes(u, anyPath, map[ssa.Value]bool{})
}

// mutates says whether a map or slice that was loaded is written to.
func (r *Resolver) mutates(load *ssa.UnOp) bool {
	for _, ref := range *load.Referrers() {
		switch ref := ref.(type) {
		case *ssa.MapUpdate:
			return ref.Map == load
		case *ssa.IndexAddr:
			for _, use := range *ref.Referrers() {
				if st, ok := use.(*ssa.Store); ok && st.Addr == ref {
					return true
				}
			}
		case *ssa.Call:
			if b, ok := ref.Call.Value.(*ssa.Builtin); ok && ref.Call.Args[0] == load &&
				(b.Name() == "delete" || b.Name() == "clear" || b.Name() == "copy") {
				return true
			}
		}
	}
	return false
}

// global is the content of a package variable, below a path, if it is set
// where it is declared and nowhere else.
func (r *Resolver) global(v *ssa.Global, path string) vals {
	if v.Pkg != r.pkg {
		return r.imported(v, path)
	}
	if pattern, ok := r.index().embeds[v.Object()]; ok && path == "" {
		return r.embedded(v, pattern)
	}
	g := r.index().globals[v]
	if g == nil || g.changed || len(g.stores) == 0 || v.Object() == nil {
		return nil
	}
	for i := len(g.stores) - 1; i >= 0; i-- {
		u := g.stores[i]
		if rest, ok, sure := below(path, u.path); ok {
			if !sure {
				return nil
			}
			return r.at(point{r.root, u.inst}, u.val, rest)
		}
	}
	return zero(types.Typ[types.String], path)
}

func (r *Resolver) embedded(v *ssa.Global, pattern string) vals {
	if r.readFile == nil || strings.ContainsAny(pattern, "*?[") {
		return nil
	}
	if g := r.facts.globals[v]; g != nil && g.changed {
		return nil
	}
	data, err := r.readFile(pattern)
	if err != nil || len(data) > maxBytes {
		return nil
	}
	return textVals(literal(string(data)))
}

// literal is the text of a string constant, with positions where its writing
// is found.
func (r *Resolver) literal(c *ssa.Const) Text {
	s := constant.StringVal(c.Value)
	if len(s) > maxBytes {
		return hole(Unknown)
	}
	if s == "" {
		return Text{}
	}
	if t := r.written(s, r.index().users[c]); t != nil {
		return t
	}
	return literal(s)
}

// written finds the one constant expression that a value used by an
// instruction can come from.
func (r *Resolver) written(s string, user ssa.Instruction) Text {
	all := r.facts.exprs[s]
	if len(all) == 0 || user == nil {
		return nil
	}
	found := all
	if syntax := user.Parent().Syntax(); syntax != nil {
		found = within(all, span{syntax.Pos(), syntax.End()})
	}
	if len(found) > 1 {
		if sp, ok := r.facts.spans[user.Pos()]; ok {
			found = within(found, sp)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found[0].text
}

func within(list []expr, sp span) []expr {
	var out []expr
	for _, e := range list {
		if sp.pos <= e.pos && e.end <= sp.end {
			out = append(out, e)
		}
	}
	return out
}

// scanSyntax collects constant string expressions, the spans of what
// instructions have as position, and //go:embed variables.
func (r *Resolver) scanSyntax() {
	decls := r.constants()
	for _, file := range r.files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.GenDecl:
				r.scanEmbed(n)
			case *ast.CallExpr:
				r.facts.spans[n.Lparen] = span{n.Lparen, n.Rparen}
			case *ast.BinaryExpr:
				r.facts.spans[n.OpPos] = span{n.Pos(), n.End()}
			case *ast.ReturnStmt:
				r.facts.spans[n.Return] = span{n.Pos(), n.End()}
			case *ast.KeyValueExpr:
				r.facts.spans[n.Colon] = span{n.Pos(), n.End()}
			case *ast.AssignStmt:
				for i, lhs := range n.Lhs {
					if len(n.Lhs) == len(n.Rhs) {
						r.facts.spans[lhs.Pos()] = span{n.Rhs[i].Pos(), n.Rhs[i].End()}
					}
				}
			case *ast.ValueSpec:
				for i, name := range n.Names {
					if len(n.Names) == len(n.Values) {
						r.facts.spans[name.Pos()] = span{n.Values[i].Pos(), n.Values[i].End()}
					}
				}
			}
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			return r.scanExpr(e, decls)
		})
	}
}

// scanExpr notes an expression if it is a constant string, and then does not
// want its parts.
func (r *Resolver) scanExpr(e ast.Expr, decls map[types.Object]ast.Expr) bool {
	tv, ok := r.info.Types[e]
	if !ok || tv.Value == nil || tv.Value.Kind() != constant.String || !tv.IsValue() {
		return true
	}
	s := constant.StringVal(tv.Value)
	if _, seen := r.facts.spans[e.Pos()]; !seen {
		r.facts.spans[e.Pos()] = span{e.Pos(), e.End()}
	}
	t := r.leaves(e, decls, 0)
	if got, ok := t.constant(); !ok || got != s {
		t = Text{{Lit: s, Pos: e.Pos()}}
	}
	r.facts.exprs[s] = append(r.facts.exprs[s], expr{e.Pos(), e.End(), t})
	return false
}

// constants are the expressions of the package's declared string constants.
func (r *Resolver) constants() map[types.Object]ast.Expr {
	decls := map[types.Object]ast.Expr{}
	for _, file := range r.files {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Names) != len(spec.Values) {
				return true
			}
			for i, name := range spec.Names {
				if c, ok := r.info.Defs[name].(*types.Const); ok && isString(c.Type()) {
					decls[c] = spec.Values[i]
				}
			}
			return true
		})
	}
	return decls
}

// leaves is a constant expression as the literals it is made of.
func (r *Resolver) leaves(e ast.Expr, decls map[types.Object]ast.Expr, depth int) Text {
	if depth > 100 {
		return hole(Unknown)
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		return written(e)
	case *ast.ParenExpr:
		return r.leaves(e.X, decls, depth+1)
	case *ast.BinaryExpr:
		return r.leaves(e.X, decls, depth+1).plus(r.leaves(e.Y, decls, depth+1))
	case *ast.CallExpr:
		if len(e.Args) == 1 {
			return r.leaves(e.Args[0], decls, depth+1)
		}
	case *ast.Ident:
		if decl := decls[r.info.Uses[e]]; decl != nil {
			return r.leaves(decl, decls, depth+1)
		}
		return r.elsewhere(e, r.info.Uses[e])
	case *ast.SelectorExpr:
		return r.elsewhere(e, r.info.Uses[e.Sel])
	}
	return hole(Unknown)
}

// elsewhere is a constant without an expression in this package.
func (r *Resolver) elsewhere(e ast.Expr, obj types.Object) Text {
	c, ok := obj.(*types.Const)
	if !ok || c.Val().Kind() != constant.String {
		return hole(Unknown)
	}
	return Text{{Lit: constant.StringVal(c.Val()), Pos: e.Pos()}}
}

// written is a string literal, in parts where it has escapes: those without
// have an exact position.
func written(lit *ast.BasicLit) Text {
	raw := lit.Value
	if lit.Kind != token.STRING || len(raw) < 2 {
		return hole(Unknown)
	}
	body := raw[1 : len(raw)-1]
	if raw[0] == '`' {
		// The scanner has dropped carriage returns from Value.
		p := Part{Lit: body, Pos: lit.Pos()}
		if int(lit.End()-lit.Pos()) == len(raw) {
			p.at = lit.Pos() + 1
		}
		return Text{p}
	}
	var t Text
	for off := 0; off < len(body); {
		n := strings.IndexByte(body[off:], '\\')
		if n != 0 {
			if n < 0 {
				n = len(body) - off
			}
			t = append(t, Part{Lit: body[off : off+n], Pos: lit.Pos(), at: lit.Pos() + 1 + token.Pos(off)})
			off += n
			continue
		}
		rest := body[off:]
		c, multibyte, tail, err := strconv.UnquoteChar(rest, '"')
		if err != nil {
			return hole(Unknown)
		}
		s := string(c)
		if c < 0x100 && !multibyte {
			s = string([]byte{byte(c)})
		}
		t = append(t, Part{Lit: s, Pos: lit.Pos()})
		off += len(rest) - len(tail)
	}
	return t
}

// scanEmbed notes variables with one //go:embed pattern.
func (r *Resolver) scanEmbed(d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return
	}
	for _, s := range d.Specs {
		spec := s.(*ast.ValueSpec)
		doc := spec.Doc
		if doc == nil && len(d.Specs) == 1 {
			doc = d.Doc
		}
		if doc == nil || len(spec.Names) != 1 {
			continue
		}
		for _, c := range doc.List {
			args, ok := strings.CutPrefix(c.Text, "//go:embed ")
			if !ok {
				continue
			}
			args = strings.TrimSpace(args)
			if name, err := strconv.Unquote(args); err == nil {
				args = name
			}
			if obj := r.info.Defs[spec.Names[0]]; obj != nil && !strings.Contains(args, " ") {
				r.facts.embeds[obj] = args
			}
		}
	}
}
