package rowsaffected

import (
	"slices"
	"strings"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
	"github.com/pgtxvet/pgtxvet/passes/internal/names"
	"github.com/pgtxvet/pgtxvet/passes/txflow"
)

// A guard is a condition on a row that another execution can have made false.
type guard struct {
	text string // as the statement says it
}

// A write is an UPDATE or DELETE and the site that runs it.
type write struct {
	*pgsql.Statement
	s *txflow.Site
	// answers is set when the function tells its caller whether the write failed.
	answers bool
}

// guardOf returns what guards a write of one row, if anything does.
func guardOf(w write) (guard, bool) {
	if w.Kind != pgsql.Update && w.Kind != pgsql.Delete || w.Partial || w.Trailing || w.Target.Name == "" || !w.HasWhere ||
		w.Holes && !w.WhereComplete {
		return guard{}, false
	}
	if w.Kind == pgsql.Update && len(w.Sets) == 0 {
		return guard{}, false
	}
	for _, c := range w.Where {
		if !w.onTarget(c.Column) {
			continue
		}
		for _, k := range kinds {
			if k(w, c) {
				return guard{`"` + text(c) + `"`}, true
			}
		}
	}
	if w.loose() {
		return guard{"its WHERE"}, true
	}
	return guard{}, false
}

// kinds are the kinds of guards.
var kinds = []func(write, pgsql.Comparison) bool{
	write.comparesVersion, write.holdsLease, write.comparesState, write.hasEnough, write.replaces, write.claims, write.notExpired,
}

// text writes a condition as the statement has it.
func text(c pgsql.Comparison) string {
	if strings.HasPrefix(c.Op, "IS ") {
		return c.Column.Column + " " + c.Op
	}
	value := c.Value.Text
	switch {
	case value == "" && c.Value.Kind == pgsql.ExprHole:
		value = "…"
	case value == "" && c.Op == "=" && c.Value.Kind == pgsql.ExprConst:
		value = c.Value.Const
	}
	return strings.TrimSpace(c.Column.Column + " " + c.Op + " " + value)
}

func (w write) onTarget(c pgsql.ColumnRef) bool {
	return c.Column != "" && (c.Table == "" || c.Table == w.Target.Name)
}

// set returns the assignment of a column, or nil.
func (w write) set(column string) *pgsql.Assignment {
	for i := range w.Sets {
		if strings.EqualFold(w.Sets[i].Column, column) {
			return &w.Sets[i]
		}
	}
	return nil
}

// setsUnknown reports whether some column that is written has no known name.
func (w write) setsUnknown() bool {
	return slices.ContainsFunc(w.Sets, func(a pgsql.Assignment) bool { return a.Column == "" })
}

// given reports whether an expression is one value that the caller gives.
func given(x pgsql.Expr) bool { return x.Kind == pgsql.ExprParam || x.Kind == pgsql.ExprHole }

// same reports whether two expressions are the same value.
func (w write) same(a, b pgsql.Expr) bool {
	if a.Kind == pgsql.ExprParam && b.Kind == pgsql.ExprParam {
		return w.s.SameArgument(a.Param, b.Param)
	}
	x, isConst := w.constant(a)
	y, both := w.constant(b)
	return isConst && both && strings.EqualFold(x, y)
}

// constant returns the value of an expression that is always the same.
func (w write) constant(x pgsql.Expr) (string, bool) {
	switch x.Kind {
	case pgsql.ExprConst:
		return x.Const, true
	case pgsql.ExprParam:
		return w.s.ConstArgument(x.Param)
	}
	return "", false
}

// key reports whether the conditions other than column choose one row, as far
// as names tell: there is no schema.
func (w write) key(column string) bool {
	return slices.ContainsFunc(w.Where, func(c pgsql.Comparison) bool {
		if c.Op != "=" || !w.onTarget(c.Column) || strings.EqualFold(c.Column.Column, column) || c.Value.Subquery || c.Value.Kind == pgsql.ExprColumn {
			return false
		}
		return w.keyName(strings.ToLower(c.Column.Column))
	})
}

// keyNames are names of columns that choose one row.
var keyNames = names.Set("id uuid guid uid pk oid key name slug code hash number sku ref reference token digest")

// keyName reports whether a column is by its name the key of the target: id, a
// natural key, or the table's own name with _id.
func (w write) keyName(col string) bool {
	if keyNames[col] {
		return true
	}
	for _, suffix := range []string{"_id", "_uuid", "_key", "_code", "_number", "_name", "_hash", "id"} {
		stem, ok := strings.CutSuffix(col, suffix)
		if !ok || len(stem) < 2 {
			continue
		}
		table := strings.ToLower(w.Target.Name)
		last := table[strings.LastIndexByte(table, '_')+1:]
		if strings.Contains(table, stem) && !strings.HasPrefix(table, stem+"_") || strings.HasPrefix(last, stem) {
			return true
		}
		return suffix == "_key" || suffix == "_hash"
	}
	return false
}

// anyKey reports whether some other column is compared with one value.
func (w write) anyKey(column string) bool {
	return slices.ContainsFunc(w.Where, func(c pgsql.Comparison) bool {
		return c.Op == "=" && w.onTarget(c.Column) && !strings.EqualFold(c.Column.Column, column) && given(c.Value)
	}) || w.key(column)
}

// versions are names of columns that count the changes of a row.
var versions = names.Set("version row_version lock_version rowversion lockversion record_version object_version entity_version data_version version_number " +
	"version_id revision rev etag generation epoch seq sequence resource_version optlock opt_lock xmin")

// comparesVersion is optimistic locking: a version is compared and, by an
// UPDATE, also changed.
func (w write) comparesVersion(c pgsql.Comparison) bool {
	col := strings.ToLower(c.Column.Column)
	if !versions[col] || c.Op != "=" || !given(c.Value) || !w.anyKey(col) {
		return false
	}
	if col == "xmin" {
		return true
	}
	if w.Kind == pgsql.Delete {
		// With another key than id, the version may be a part of the key.
		table := strings.ToLower(w.Target.Name)
		return w.equals("id") && !strings.Contains(table, "version") && !strings.Contains(table, "revision") && !strings.Contains(table, "history")
	}
	if a := w.set(col); a != nil {
		return !w.same(a.Value, c.Value)
	}
	return (w.setsUnknown() || fencing[col]) && w.equals("id")
}

// fencing are those versions that are compared also by writes that leave them
// alone, and that are no part of a key.
var fencing = names.Set("row_version lock_version rowversion lockversion resource_version optlock opt_lock etag generation epoch")

// equals reports whether a column is compared with one value.
func (w write) equals(column string) bool {
	return slices.ContainsFunc(w.Where, func(c pgsql.Comparison) bool {
		return c.Op == "=" && strings.EqualFold(c.Column.Column, column) && w.onTarget(c.Column)
	})
}

// owners are names of columns that say which process holds a row, or whose it is.
var (
	owners = names.Set("owner owner_id worker worker_id worker_name instance instance_id node node_id host hostname session_id token epoch term executor runner_id " +
		"process_id agent_id client_id replica_id pod pod_name identity")
	leaseWords = names.Set("lease leases leased lock locks locked heartbeat heartbeats leader leaders election elections")
)

func hasWord(name string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(name), w) })
}

// ofLeases reports whether the name of a table or column is about leases.
func ofLeases(name string) bool {
	return slices.ContainsFunc(strings.Split(strings.ToLower(name), "_"), func(w string) bool { return leaseWords[w] })
}

// holdsLease is a write by the holder of a row: the holder is compared, and the
// write does more than to give the row up.
func (w write) holdsLease(c pgsql.Comparison) bool {
	col := strings.ToLower(c.Column.Column)
	if c.Op != "=" || !given(c.Value) || !w.fenced(col, c) || !w.anyKey(col) && !w.namedConst(col) {
		return false
	}
	if w.Kind == pgsql.Delete {
		// A lock that is given up is gone either way; a job is done once more.
		return names.Fences[col] && !ofLeases(w.Target.Name) && !hasWord(w.Target.Name, []string{"session", "reservation"}) && w.key(col)
	}
	if a := w.set(col); a != nil && w.same(a.Value, c.Value) {
		return false
	}
	return !w.releases()
}

// namedConst reports whether a key is compared with a constant: the one row of
// an election.
func (w write) namedConst(column string) bool {
	return slices.ContainsFunc(w.Where, func(c pgsql.Comparison) bool {
		return c.Op == "=" && c.Value.Kind == pgsql.ExprConst && keyNames[strings.ToLower(c.Column.Column)] && !strings.EqualFold(c.Column.Column, column)
	})
}

// fenced reports whether a column says which process holds the row.
func (w write) fenced(col string, c pgsql.Comparison) bool {
	if names.Fences[col] {
		return true
	}
	if !owners[col] {
		return false
	}
	if c.Value.Kind == pgsql.ExprParam && w.s.OwnArgument(c.Value.Param) {
		return true
	}
	if col == "owner_id" || col == "client_id" || col == "session_id" || col == "token" {
		return ofLeases(w.Target.Name)
	}
	return ofLeases(w.Target.Name) || slices.ContainsFunc(w.Sets, func(a pgsql.Assignment) bool { return ofLeases(a.Column) }) ||
		slices.ContainsFunc(w.Where, func(o pgsql.Comparison) bool { return ofLeases(o.Column.Column) })
}

// idleStates are states of a row that nobody works on.
var idleStates = names.Set("pending queued ready new open available idle free waiting released unlocked scheduled retry retrying created unclaimed")

// releases reports whether an UPDATE only gives a row up: it clears columns, and
// says that the row waits.
func (w write) releases() bool {
	cleared := false
	for _, a := range w.Sets {
		value, isConst := w.constant(a.Value)
		switch {
		case a.Value.Kind == pgsql.ExprNull, a.Value.Kind == pgsql.ExprDefault, isConst && value == "":
			cleared = true
		case isConst && (idleStates[strings.ToLower(value)] || value == "false"):
		case isTime(a) || touches(a):
		default:
			return false
		}
	}
	return cleared
}

// isTime reports whether an assignment sets a point in time.
func isTime(a pgsql.Assignment) bool {
	col := strings.ToLower(a.Column)
	return isTimeName(col) || a.Value.Kind == pgsql.ExprOther && slices.ContainsFunc(a.Value.Funcs, func(f string) bool { return clocks[f] })
}

var clocks = names.Set("now clock_timestamp statement_timestamp transaction_timestamp current_timestamp localtimestamp pg_catalog.now")

func isTimeName(col string) bool {
	for _, s := range []string{"_at", "_on", "_time", "_date", "_ts", "timestamp", "_until"} {
		if strings.HasSuffix(col, s) {
			return true
		}
	}
	return false
}

// touches reports whether an assignment only says that a row was seen or changed.
func touches(a pgsql.Assignment) bool {
	col := strings.ToLower(a.Column)
	return strings.HasPrefix(col, "last_") || strings.HasPrefix(col, "updated") || strings.HasPrefix(col, "modified") || strings.HasPrefix(col, "accessed") ||
		strings.HasPrefix(col, "seen") || strings.Contains(col, "heartbeat") || strings.HasSuffix(col, "_seen_at") || col == "update_time" || col == "mtime"
}

// onlyTouches reports whether all assignments only say so.
func (w write) onlyTouches() bool {
	return w.Kind == pgsql.Update && !slices.ContainsFunc(w.Sets, func(a pgsql.Assignment) bool { return !touches(a) })
}

// liveStates are states that say no more than that a row is not deleted.
var liveStates = names.Set("active enabled live valid published visible normal")

// givenUp are states that a row which is not done by now is put into: that it
// has been done meanwhile is as good.
var givenUp = names.Set("failed failure error errored expired timeout timedout timed_out stale abandoned dead")

// comparesState is a change of a row that is in some state.
func (w write) comparesState(c pgsql.Comparison) bool {
	col := strings.ToLower(c.Column.Column)
	if !names.State(col) || c.Op != "=" && c.Op != "IN" || !w.key(col) || w.onlyTouches() || c.Value.Subquery || c.Value.Kind == pgsql.ExprColumn {
		return false
	}
	value, isConst := w.constant(c.Value)
	a := w.set(col)
	switch {
	case value == "true" || value == "false":
		return false
	case a != nil:
		to, known := w.constant(a.Value)
		return !w.same(a.Value, c.Value) && !(known && givenUp[strings.ToLower(to)]) && !w.releases()
	case isConst && liveStates[strings.ToLower(value)]:
		return false
	}
	// Notes on a row in some state, which are logged when they fail, are not
	// relied on.
	return w.answers
}

// counters are words in names of columns that only count for display: they are
// kept from falling below zero.
var counters = []string{"count", "likes", "follow", "unread", "views", "refs", "refcount", "votes", "comments", "score", "num_", "members"}

// hasEnough is an amount that is reduced or raised as long as a bound allows it.
func (w write) hasEnough(c pgsql.Comparison) bool {
	switch c.Op {
	case ">=", ">", "<", "<=", "<>":
	default:
		return false
	}
	a := w.set(c.Column.Column)
	if a == nil || !w.relative(*a) || !w.anyKey(c.Column.Column) {
		return false
	}
	switch {
	case strings.Contains(a.Value.Text, "-") && (c.Op == ">=" || c.Op == ">" || c.Op == "<>"):
		_, isConst := w.constant(c.Value)
		return !isConst || len(a.Value.Params) > 0 || !hasWord(c.Column.Column, counters)
	case strings.Contains(a.Value.Text, "+") && (c.Op == "<" || c.Op == "<="):
		return !strings.Contains(strings.ToLower(c.Column.Column), "version")
	}
	return false
}

// replaces is a compare and set: a column is changed where it has its old value.
func (w write) replaces(c pgsql.Comparison) bool {
	if c.Op != "=" || !w.key(c.Column.Column) {
		return false
	}
	a := w.set(c.Column.Column)
	col := strings.ToLower(c.Column.Column)
	if a == nil || !given(c.Value) || w.same(a.Value, c.Value) || w.keyName(col) || tenants[strings.TrimSuffix(col, "_id")] && w.record() {
		return false
	}
	old, isConst := w.constant(c.Value)
	if isConst && (old == "true" || old == "false") {
		return false
	}
	// With unknown values on both sides they may well be one.
	return a.Value.Kind == pgsql.ExprParam && c.Value.Kind == pgsql.ExprParam || a.Value.Kind == pgsql.ExprConst || a.Value.Kind == pgsql.ExprOther
}

// tenants are what columns that say whose a row is are named after.
var tenants = names.Set("org organization organisation tenant account workspace project team company customer user namespace site store shop group realm domain")

// record reports whether the UPDATE writes more than one column beside those
// that every change touches: the whole record, which names its tenant again. Who
// moves a row to another tenant writes that alone.
func (w write) record() bool {
	n := 0
	for _, a := range w.Sets {
		if !touches(a) {
			n++
		}
	}
	return n > 2
}

// claims is an empty field, or a mark that is not set, that is filled in for
// somebody; or one that can be used once, with more to follow.
func (w write) claims(c pgsql.Comparison) bool {
	a := w.set(c.Column.Column)
	if w.Kind != pgsql.Update || a == nil || !w.key(c.Column.Column) || !w.unset(c, *a) {
		return false
	}
	return slices.ContainsFunc(w.Sets, w.namesHolder) || usedOnce[strings.ToLower(c.Column.Column)] && w.writesMore()
}

// usedOnce are names of columns that say that something which can be used once
// has been used.
var usedOnce = names.Set("used used_at is_used consumed consumed_at redeemed redeemed_at is_redeemed claimed claimed_at is_claimed spent spent_at is_spent")

// unset reports whether a column is empty, or false, and is filled by a.
func (w write) unset(c pgsql.Comparison, a pgsql.Assignment) bool {
	if c.Op == "IS NULL" {
		return a.Value.Kind != pgsql.ExprNull
	}
	old, isConst := w.constant(c.Value)
	to, both := w.constant(a.Value)
	return c.Op == "=" && isConst && both && (old == "true" && to == "false" || old == "false" && to == "true")
}

// writesMore reports whether the function inserts a row, or adds to one, after
// the write: what the guard was to protect.
func (w write) writesMore() bool {
	past := false
	for x := range w.s.Family() {
		if x.Origin == w.s.Origin {
			past = true
			continue
		}
		if past && x.Op == txflow.Run && w.s.Any(x, func(q *pgsql.Statement) bool {
			return q.Target.Name != w.Target.Name && (q.Kind == pgsql.Insert || q.Kind == pgsql.Update && slices.ContainsFunc(q.Sets, write{Statement: q}.relative))
		}) {
			return true
		}
	}
	return false
}

// namesHolder reports whether an assignment says who has the row from now on.
func (w write) namesHolder(a pgsql.Assignment) bool {
	return a.Value.Kind == pgsql.ExprParam && names.Holder(a.Column)
}

// loose reports whether a term of the WHERE that is no comparison of one column
// is a guard: a claim of what is free or was held too long, an amount that must
// not fall below zero after it is reduced.
func (w write) loose() bool {
	if w.Kind != pgsql.Update || w.WhereComplete || w.Holes {
		return false
	}
	return slices.ContainsFunc(w.Sets, func(a pgsql.Assignment) bool {
		tested := slices.ContainsFunc(w.WhereLoose, func(r pgsql.ColumnRef) bool { return strings.EqualFold(r.Column, a.Column) })
		if !tested {
			return false
		}
		return w.namesHolder(a) && w.key(a.Column) && !w.equals(a.Column) || w.relative(a) && len(a.Value.Params) > 0 && w.anyKey(a.Column)
	})
}

// relative reports whether a column is set from its own value, by addition or
// subtraction.
func (w write) relative(a pgsql.Assignment) bool {
	return a.Value.Kind == pgsql.ExprOther && strings.ContainsAny(a.Value.Text, "+-") &&
		slices.ContainsFunc(a.Value.Columns, func(r pgsql.ColumnRef) bool { return strings.EqualFold(r.Column, a.Column) })
}

// notExpired is a change of a row whose time has not run out.
func (w write) notExpired(c pgsql.Comparison) bool {
	col := strings.ToLower(c.Column.Column)
	if c.Op != ">" && c.Op != ">=" || w.Kind != pgsql.Update || !w.key(col) || w.onlyTouches() {
		return false
	}
	return hasWord(col, []string{"expire", "expiry", "valid_until", "lease_until", "locked_until", "lease_end", "deadline"}) &&
		c.Value.Kind != pgsql.ExprColumn
}
