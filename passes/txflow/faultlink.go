package txflow

import (
	"go/token"
	"slices"
)

// The encoded forms of a [Fault] and of a failure.
type (
	xFault struct {
		_            struct{} `cbor:",toarray"`
		Kind         FaultKind
		Failed, Ret  xPlace
		Again, Plain bool
		First        *xEffect
		Next         []xEffect
		Pure, NoRows bool
		Certain      string
	}
	xFailure struct {
		_               struct{} `cbor:",toarray"`
		Pure, NoRows    bool
		Certain, Absent []string
	}
)

func (f failure) encode() xFailure {
	return xFailure{Pure: f.pure, NoRows: f.noRows, Certain: f.certain, Absent: f.absent}
}

func (x xFailure) decode() failure { return failure{x.Pure, x.NoRows, x.Certain, x.Absent} }

// telling reports whether callers learn something from a failure.
func (f failure) telling() bool { return f.pure || len(f.certain)+len(f.absent) > 0 }

// fault encodes a fault.
func (c *encoder) fault(f *Fault) *xFault {
	if f == nil {
		return nil
	}
	x := &xFault{Kind: f.Kind, Failed: c.place(f.Failed), Ret: c.place(f.ret), Again: f.Again, Plain: f.plain,
		Pure: f.need.pure, NoRows: f.need.noRows, Certain: f.need.certain}
	if f.first != nil {
		if y, ok := c.effect(f.first); ok {
			x.First = &y
		}
	}
	for _, n := range f.next {
		if y, ok := c.effect(n); ok {
			x.Next = append(x.Next, y)
		}
	}
	return x
}

// fault decodes a fault.
func (d *decoder) fault(x *xFault) *Fault {
	if x == nil {
		return nil
	}
	f := &Fault{Kind: x.Kind, Failed: d.place(x.Failed), ret: d.place(x.Ret), Again: x.Again, plain: x.Plain,
		need: need{pure: x.Pure, noRows: x.NoRows, certain: x.Certain}}
	if x.First != nil {
		f.first = d.effect(x.First)
	}
	for i := range x.Next {
		f.next = append(f.next, d.effect(&x.Next[i]))
	}
	return f
}

// substitute puts the undecided calls of a fault into a caller's terms.
func (f *Fault) substitute(sub func(Value) Value) *Fault {
	if f == nil || f.first == nil {
		return f
	}
	g := *f
	g.first = f.first.rebind(sub)
	g.next = nil
	for _, n := range f.next {
		g.next = append(g.next, n.rebind(sub))
	}
	return &g
}

// rebind puts the handle and the arguments of an effect into other terms.
func (x *Effect) rebind(sub func(Value) Value) *Effect {
	y := *x
	y.Handle = sub(x.Handle)
	y.pending = x.pending.rebind(sub)
	return &y
}

// fault makes a site of a fault that the program as a whole decides.
func (l *linker) fault(f *linkFunc, y *Effect) {
	if y.settled || y.below || y.Fault.Kind == swallowed {
		return
	}
	z := *y
	if y.Fault.first == nil {
		if y.Handle.Kind != Tx || y.Handle.Base == nil {
			return
		}
		l.addFault(f, &z)
		return
	}
	tx := l.txOf(f, y.Fault)
	if tx.Kind != Tx || tx.Base == nil {
		return
	}
	z.Handle = tx
	if y.Fault.Kind == RetriedInside {
		l.addFault(f, &z)
		return
	}
	for _, n := range y.Fault.next {
		if l.uses(f, n, tx) {
			z.Origin = n.Origin
			l.addFault(f, &z)
			return
		}
	}
}

// addFault adds the site of a fault, once.
func (l *linker) addFault(f *linkFunc, z *Effect) {
	at := l.e.placeOf(z.Origin)
	key := linkKey{at, at, Faulty}
	if l.said[key] != nil {
		return
	}
	l.said[key] = map[string]bool{f.short: true}
	z.settled = true
	l.sites = append(l.sites, &Site{Effect: z, e: l.e, linked: f.effects, Linked: true})
}

// txOf returns the transaction in which all of the implementations' statements
// run that the first call of a fault leads to, when their error says what the
// fault needs.
func (l *linker) txOf(f *linkFunc, fault *Fault) Value {
	for _, m := range l.implementations(fault.first) {
		if !fault.need.met(l.e.failureOfUnit(m.unit)) {
			return Value{}
		}
	}
	var tx Value
	for _, x := range l.touched(f, fault.first, 0) {
		switch x.Op {
		case Run:
			if x.waits() || tx.Kind != None && !tx.Same(x.Handle) {
				return Value{}
			}
			tx = x.Handle
		case External, Faulty:
		default:
			return Value{}
		}
	}
	return tx
}

// uses reports whether a call that follows a failure runs a statement in the
// transaction.
func (l *linker) uses(f *linkFunc, n *Effect, tx Value) bool {
	if n.Op != callMethod {
		return n.Handle.Kind == Tx && n.Handle.Same(tx)
	}
	return slices.ContainsFunc(l.touched(f, n, 0), func(x *Effect) bool {
		return x.Op == Run && x.Handle.Same(tx) && !x.waits()
	})
}

// touched returns the effects of the implementations of a call, in the terms of
// the function that makes it.
func (l *linker) touched(f *linkFunc, p *Effect, depth int) []*Effect {
	if depth >= maxLinks {
		return nil
	}
	var out []*Effect
	for _, m := range l.implementations(p) {
		sub := l.terms(p, m, f.name)
		for _, x := range l.e.effectsOfUnit(m.unit) {
			y := l.e.instance(p.Origin, m.unit, x, sub)
			switch {
			case y == nil:
			case y.Op == callMethod && len(l.implementations(y)) > 0:
				out = append(out, l.touched(f, y, depth+1)...)
			case y.Op != callMethod:
				out = append(out, y)
			}
		}
	}
	return out
}

// FaultRange returns the source range of a fault.
func (s *Site) FaultRange() (pos, end token.Pos) { return s.e.rangeOf(s.Origin) }

// FailedPos returns the position of the statement that fails first.
func (s *Site) FailedPos() token.Pos {
	pos, _ := s.e.positions(s.Fault.Failed)
	return pos
}

// FailedWhere says where the statement stands that fails first: "line 42", or
// "store.go:42" in another file.
func (s *Site) FailedWhere() string {
	return s.Fault.Failed.from(s.e.placeOf(s.Origin))
}

// NewHere reports whether a fault is known in the function whose effect it is,
// and in none that it calls.
func (s *Site) NewHere() bool { return s.settled && !s.below }

// ownFile returns the file of this package with the given name, or nil.
func (e *engine) ownFile(name string) *token.File {
	for _, f := range e.pass.Files {
		if tf := e.pass.Fset.File(f.FileStart); tf != nil && e.pass.Fset.Position(f.FileStart).Filename == name {
			return tf
		}
	}
	return nil
}
