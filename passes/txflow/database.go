package txflow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// beside returns the open transaction that x bypasses: x takes another
// connection of the database that the transaction was begun on.
func (e *engine) beside(x *Effect) *Scope {
	h := x.Handle
	if x.Op != Run {
		h = x.begunOn()
	}
	if h.Kind == Tx || h.Kind == Session || h.Kind != Pool && !(h.Flow || e.flowHandle(h)) {
		return nil // no other connection, as far as is known
	}
	if givenTx(h) {
		return nil
	}
	for i := range x.Scopes {
		sc := &x.Scopes[i]
		if x.Handle.Same(sc.Tx) || h.Same(sc.Tx) {
			return nil // on the transaction itself
		}
	}
	var found *Scope
	for i := range x.Scopes {
		sc := &x.Scopes[i]
		if !e.sameDatabase(x, h, *sc) || !x.beyond(*sc) {
			continue
		}
		if sc.Begin != nil {
			return sc // it is known where it begins
		}
		if found == nil {
			found = sc
		}
	}
	return found
}

// begunOn returns the handle that a transaction is begun on or a session taken
// from: the pool, where a library takes another connection for a transaction in a
// transaction.
func (x *Effect) begunOn() Value {
	if x.Op == BeginTx && x.API != nil && x.API.Apart {
		return x.Handle.Root()
	}
	return *x.Handle.From
}

// beyond reports whether x cannot run on the transaction of sc, whatever a
// caller decides: what it waits for is at most that the caller's context carries
// none, and this one was begun here, for another context.
func (x *Effect) beyond(sc Scope) bool {
	for _, c := range x.conds {
		if c.handle && (c.test != carriesTx || c.want || sc.Begin == nil) {
			return false
		}
	}
	return true
}

// givenTx reports whether a handle whose type does not tell may well be a
// transaction: what a closure is called with, or a parameter of such a name. To
// begin on it sets a savepoint.
func givenTx(h Value) bool {
	p := h.Parameter()
	if p == nil || h.Kind == Pool || h.Path != "" {
		return false
	}
	return p.Parent().Parent() != nil || strings.Contains(strings.ToLower(p.Name()), "tx")
}

// sameDatabase reports whether the pool h and the transaction of sc are known
// to belong to one database: the transaction was begun on the same pool, or on
// one that goes by the same plain name where nothing speaks of another. No name
// tells where the transaction's pool was opened by the type that keeps it, nor where
// one of several functions begins x, each on a pool of its own, nor where neither
// pool has one.
func (e *engine) sameDatabase(x *Effect, h Value, sc Scope) bool {
	from := sc.Tx.From
	if from != nil {
		for from.From != nil && (from.Kind == Tx || from.Kind == Session) {
			from = from.From
		}
		if from.Same(h) || e.sameOrigin(*from, h) {
			return true
		}
		if sc.Own || x.Op != Run && x.alternative != 0 {
			return false
		}
		if e.flowHandle(h) || h.Flow && h.Kind != Pool {
			return false // it may be a transaction itself
		}
		if from.Kind == Pool && from.Base != nil {
			return e.plainName(h) && e.plainName(*from) && h.Base != nil && lastName(h)+lastName(*from) != ""
		}
		if from.Kind == Manager || from.Kind == Unknown || from.Kind == Symbolic {
			return h.Kind == Pool && e.plainName(h)
		}
		return false
	}
	// A transaction that comes in as a parameter: all there is to go by is the
	// name of the pool. One that is looked up (by tenant, by shard) has none.
	return h.Kind == Pool && h.Base != nil && lastName(h) != "" && e.plainName(h) && (x.Op == Run || x.alternative == 0)
}

// sameOrigin reports whether two handles are fields of one object in which the
// package puts the same pool, or what it has made of it.
func (e *engine) sameOrigin(a, b Value) bool {
	x, y := e.putIn(a), e.putIn(b)
	return x.Same(y) && (x.Kind == Pool || x.Kind == Symbolic) && x.Parameter() != nil
}

// putIn evaluates what the package puts in the field of a handle, where it does so
// in one place.
func (e *engine) putIn(v Value) Value {
	p := v.Parameter()
	if p == nil || v.Path == "" {
		return Value{}
	}
	n, ok := types.Unalias(derefPtr(p.Type())).(*types.Named)
	if !ok || n.Obj().Pkg() != e.pass.Pkg {
		return Value{}
	}
	name, rest := splitPath(v.Path)
	stored := e.fields[fieldKey{n.Origin().Obj(), name}]
	if len(stored) != 1 {
		return Value{}
	}
	return e.eval(stored[0], rest)
}

// lastName is the name that a handle goes by in the source.
func lastName(v Value) string {
	if v.Path != "" && v.Path[0] == '.' {
		return strings.ToLower(v.Path[strings.LastIndexByte(v.Path, '.')+1:])
	}
	switch b := v.Base.(type) {
	case *ssa.Parameter:
		return strings.ToLower(b.Name())
	case *ssa.Global:
		return strings.ToLower(b.Name())
	}
	return ""
}

// plainNames are names for a program's one database. A pool that goes by
// another (a replica, an audit log, a legacy system) may be another database.
var plainNames = map[string]bool{
	"": true, "db": true, "pool": true, "conn": true, "conns": true, "database": true, "pg": true,
	"pgx": true, "pgpool": true, "pgxpool": true, "dbpool": true, "connpool": true, "connectionpool": true, "dbconnectionpool": true, "postgres": true,
	"sqldb": true, "dbx": true, "sqlx": true, "gorm": true, "gormdb": true, "dbconn": true,
	"sb": true, "qb": true, "psql": true, "sq": true, "builder": true, "goqu": true, "bun": true, "ent": true,
	"client": true, "store": true, "p": true, "d": true, "dbc": true, "river": true, "riverclient": true, "gue": true,
}

// plainName reports whether a pool goes by the name of the one database, and
// is not declared to belong to another.
func (e *engine) plainName(v Value) bool { return plainNames[lastName(v)] && !e.otherDatabase(v) }

// OnlyGuards reports whether the transaction that the effect bypasses does nothing
// but hold an advisory lock: it guards work that is meant to run on other
// connections. In a closure the transaction may come in as a parameter; then the
// function around it tells.
func (s *Site) OnlyGuards() bool {
	if s.Fn == nil {
		return s.e.onlyGuards(s.linked, s.Beside.Tx)
	}
	txs := []Value{s.Beside.Tx}
	for fn := s.Fn; fn != nil; fn = fn.Parent() {
		effects := s.e.summary(fn).effects
		for _, x := range effects {
			if fn != s.Fn && x.Origin == s.Origin {
				for _, sc := range x.Scopes {
					txs = append(txs, sc.Tx)
				}
			}
		}
		if slices.ContainsFunc(txs, func(tx Value) bool { return s.e.onlyGuards(effects, tx) }) {
			return true
		}
	}
	return false
}

// onlyGuards reports whether the statements that effects run on a transaction are
// advisory locks, and settings for them.
func (e *engine) onlyGuards(effects []*Effect, tx Value) bool {
	locks := false
	for _, x := range effects {
		if x.Op != Run || !x.Handle.Same(tx) {
			continue
		}
		st := e.only(x)
		if st == nil || len(st.Advisory) == 0 && len(st.Settings) == 0 {
			return false
		}
		locks = locks || len(st.Advisory) > 0
	}
	return locks
}
