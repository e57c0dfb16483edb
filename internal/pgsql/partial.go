package pgsql

import (
	"slices"
	"strings"
)

// partial fills a statement that the grammar rejected from its tokens.
func (in *input) partial(sp span, st *Statement) {
	st.Partial = true
	st.Kind = in.firstKind(sp)
	st.Locks = in.lockClauses(sp)
	st.Writing = in.writes(sp, st.Kind)
	if len(st.Locks) > 0 && st.Kind == Other {
		st.Kind = Select // the beginning is a hole
	}
	for i := range st.Locks {
		st.Locks[i].InWrite = st.Writing
	}
	in.calls(sp, st)
	switch st.Kind {
	case Set, Reset:
		in.setting(sp, st)
	case SetTransaction, Begin:
		st.Tx = in.txMode(sp)
	case Savepoint, ReleaseSavepoint, RollbackTo, Listen, Unlisten, Notify, Prepare, Execute, Deallocate, Declare:
		st.Name = in.name(sp)
	case CreateTable:
		st.Temp = in.has(span{sp.first, min(sp.end, sp.first+3)}, kwTemp)
	case LockTable:
		st.NoWait = in.has(sp, kwNoWait)
	}
}

// firstKinds are the kinds that the first word of a statement tells.
var firstKinds = map[keyword]Kind{
	kwSelect: Select, kwValues: Select, kwTable: Select, kwInsert: Insert, kwUpdate: Update, kwDelete: Delete,
	kwMerge: Merge, kwSet: Set, kwReset: Reset, kwDiscard: Discard, kwBegin: Begin, kwStart: Begin,
	kwCommit: Commit, kwEnd: Commit, kwRollback: Rollback, kwAbort: Rollback, kwSavepoint: Savepoint,
	kwRelease: ReleaseSavepoint, kwLock: LockTable, kwListen: Listen, kwUnlisten: Unlisten, kwNotify: Notify,
	kwPrepare: Prepare, kwExecute: Execute, kwDeallocate: Deallocate, kwDeclare: Declare, kwFetch: Fetch,
	kwMove: Fetch, kwClose: CloseCursor, kwCopy: Copy, kwTruncate: Truncate, kwCreate: DDL, kwAlter: DDL,
	kwDrop: DDL, kwExplain: Explain, kwDo: Do, kwCall: Call, kwShow: Show,
}

// firstKind tells the kind of a statement from its first words.
func (in *input) firstKind(sp span) Kind {
	i := sp.first
	for i < sp.end && in.is(i, "(") {
		i++
	}
	if in.kw(i) == kwWith {
		return in.mainVerb(span{i, sp.end})
	}
	if in.createsTable(i) {
		return CreateTable
	}
	k := firstKinds[in.kw(i)]
	for _, r := range refinements[k] {
		if in.has(span{i, min(sp.end, i+r.within)}, r.word) {
			return r.kind
		}
	}
	return k
}

// refinements are the kinds that a later word tells.
var refinements = map[Kind][]struct {
	word   keyword
	within int // words from the first
	kind   Kind
}{
	Set:      {{kwConstraints, 2, SetConstraints}, {kwTransaction, 2, SetTransaction}, {kwCharacteristics, 3, SetTransaction}},
	Rollback: {{kwPrepare, 2, Other}, {kwTo, 4, RollbackTo}},
	Prepare:  {{kwTransaction, 2, Commit}},
	DDL:      {{kwSystem, 2, Other}},
}

// createsTable reports whether a CREATE [[GLOBAL | LOCAL] TEMP | UNLOGGED]
// TABLE begins at token i.
func (in *input) createsTable(i int) bool {
	if in.kw(i) != kwCreate {
		return false
	}
	if in.kw(i+1) == kwLocal || in.ident(i+1) == "global" {
		i++
	}
	if in.kw(i+1) == kwTemp || in.ident(i+1) == "unlogged" {
		i++
	}
	return in.kw(i+1) == kwTable
}

func (in *input) has(sp span, k keyword) bool {
	return slices.ContainsFunc(in.toks[sp.first:sp.end], func(t token) bool { return t.kw == k })
}

// mainVerb finds the statement that WITH belongs to.
func (in *input) mainVerb(sp span) Kind {
	depth := 0
	for i := sp.first; i < sp.end; i++ {
		switch {
		case in.is(i, "("):
			depth++
		case in.is(i, ")"):
			depth--
		case depth == 0:
			if k := firstKinds[in.kw(i)]; k >= Select && k <= Merge {
				return k
			}
		}
	}
	return Other
}

// writes reports whether a statement or a query in parentheses in it begins
// with a data-modifying verb.
func (in *input) writes(sp span, k Kind) bool {
	if k >= Insert && k <= Merge {
		return true
	}
	for i := sp.first + 1; i < sp.end; i++ {
		if k := firstKinds[in.kw(i)]; in.is(i-1, "(") && k >= Insert && k <= Merge {
			return true
		}
	}
	return false
}

// ident returns the identifier that token i is, empty when it is none or has
// a hole.
func (in *input) ident(i int) string {
	if i < 0 || i >= len(in.toks) || in.toks[i].hole {
		return ""
	}
	switch in.toks[i].kind {
	case tokWord:
		return strings.ToLower(in.word(i))
	case tokQuoted:
		return strings.ReplaceAll(strings.Trim(in.word(i), `"`), `""`, `"`)
	}
	return ""
}

// name returns the name that a statement such as SAVEPOINT or LISTEN gives.
func (in *input) name(sp span) string {
	for i := sp.first + 1; i < sp.end; i++ {
		switch in.kw(i) {
		case kwSavepoint, kwWork, kwTransaction, kwTo, kwPrepare, kwAll:
			continue
		}
		return in.ident(i)
	}
	return ""
}

// setting reads SET and RESET.
func (in *input) setting(sp span, st *Statement) {
	s := Setting{Scope: ScopeSession, Default: st.Kind == Reset}
	i := sp.first + 1
	switch in.kw(i) {
	case kwLocal:
		s.Scope = ScopeTransaction
		i++
	case kwSession:
		if in.kw(i+1) != kwAuthorization {
			i++
		}
	}
	s.Name, i = in.settingName(i, sp.end)
	if s.Name == "all" && st.Kind == Set {
		s.Name = ""
	}
	if i < sp.end && (in.is(i, "=") || in.kw(i) == kwTo) {
		i++
	}
	s.Value = in.literals(i, sp.end)
	s.Param = slices.ContainsFunc(in.toks[i:sp.end], func(t token) bool { return t.kind == tokParam })
	s.Default = s.Default || in.kw(i) == kwDefault && i < sp.end
	st.Settings = append([]Setting{s}, st.Settings...)
}

// settingName reads the name of a parameter and returns the token after it.
func (in *input) settingName(i, end int) (string, int) {
	switch {
	case in.match(i, end, []keyword{kwTime, kwZone}):
		return "timezone", i + 2
	case in.match(i, end, []keyword{kwSession, kwAuthorization}):
		return "session_authorization", i + 2
	case in.kw(i) == kwNames:
		return "client_encoding", i + 1
	case i >= end:
		return "", i
	}
	name := in.ident(i)
	for i++; i+1 < end && in.is(i, "."); i += 2 {
		if part := in.ident(i + 1); name != "" && part != "" {
			name += "." + part
		} else {
			name = ""
		}
	}
	return name, i
}

// literals returns the values from token i on, empty when one is not constant.
func (in *input) literals(i, end int) string {
	var out []string
	for ; i < end; i += 2 {
		t := in.toks[i]
		switch {
		case t.hole || t.kind > tokNumber || i+1 < end && !in.is(i+1, ","):
			return ""
		case t.kind == tokString:
			out = append(out, unquote(in.word(i)))
		default:
			out = append(out, in.word(i))
		}
	}
	return strings.Join(out, ", ")
}

// unquote returns the value of a plain quoted literal.
func unquote(s string) string {
	return strings.ReplaceAll(strings.Trim(s, "'"), "''", "'")
}

// levels are the isolation levels as they are written.
var levels = []struct {
	words []keyword
	level Isolation
}{
	{[]keyword{kwRead, kwUncommitted}, ReadUncommitted},
	{[]keyword{kwRead, kwCommitted}, ReadCommitted},
	{[]keyword{kwRepeatable, kwRead}, RepeatableRead},
	{[]keyword{kwSerializable}, Serializable},
}

// txMode reads transaction modes.
func (in *input) txMode(sp span) TxMode {
	tx := TxMode{Session: in.has(sp, kwCharacteristics)}
	for i := sp.first; i < sp.end; i++ {
		for _, l := range levels {
			if in.kw(i-1) == kwLevel && in.match(i, sp.end, l.words) {
				tx.Isolation = l.level
			}
		}
		tx.ReadOnly = tx.ReadOnly || in.match(i, sp.end, []keyword{kwRead, kwOnly})
		tx.ReadWrite = tx.ReadWrite || in.match(i, sp.end, []keyword{kwRead, kwWrite})
		tx.Deferrable = tx.Deferrable || in.kw(i) == kwDeferrable && in.kw(i-1) != kwNot
	}
	return tx
}

// calls finds the calls of advisory-lock functions and of set_config.
func (in *input) calls(sp span, st *Statement) {
	for i := sp.first; i+1 < sp.end; i++ {
		t := in.toks[i]
		if t.kind != tokWord || !in.is(i+1, "(") || in.is(i-1, ".") && in.ident(i-2) != "pg_catalog" {
			continue
		}
		name := in.ident(i)
		if call, ok := advisoryFuncs[name]; ok {
			call.Pos, call.End = in.off(t.start), in.off(t.end)
			st.Advisory = append(st.Advisory, call)
		}
		if name == "set_config" {
			st.Settings = append(st.Settings, in.configCall(i+2, sp.end))
		}
	}
}

// configCall reads the arguments of set_config from token i on, as far as each
// is one token.
func (in *input) configCall(i, end int) Setting {
	s := Setting{Func: true}
	if i < end && in.toks[i].kind == tokString && !in.toks[i].hole {
		s.Name = strings.ToLower(unquote(in.word(i)))
	}
	depth := 0
	for ; i < end; i++ {
		switch {
		case in.is(i, "("):
			depth++
		case in.is(i, ")") && depth > 0:
			depth--
		case in.is(i, ")"):
			return in.configScope(s, i-1)
		}
	}
	return s
}

// configScope reads is_local from token i.
func (in *input) configScope(s Setting, i int) Setting {
	switch t := in.toks[i]; {
	case !in.is(i-1, ","):
	case t.kind == tokParam:
		s.ScopeParam = t.param
	case t.kind == tokWord && strings.EqualFold(in.word(i), "true"):
		s.Scope = ScopeTransaction
	case t.kind == tokWord && strings.EqualFold(in.word(i), "false"):
		s.Scope = ScopeSession
	}
	return s
}
