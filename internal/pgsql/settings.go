package pgsql

import (
	"slices"
	"strings"

	"github.com/pgtxvet/pgtxvet/internal/pgsql/pgast"
)

// What the grammar calls the forms of SET that change the transaction.
const (
	setTransaction = "TRANSACTION"
	setSnapshot    = "TRANSACTION SNAPSHOT"
	setSession     = "SESSION CHARACTERISTICS"
)

func variableSetKind(v *pgast.VariableSetStmt) Kind {
	switch v.GetKind() {
	case pgast.VAR_RESET, pgast.VAR_RESET_ALL:
		return Reset
	case pgast.VAR_SET_MULTI:
		return SetTransaction
	}
	return Set
}

func (w *walker) variableSet(v *pgast.VariableSetStmt) {
	st := w.st
	switch v.GetKind() {
	case pgast.VAR_RESET_ALL:
		st.Settings = []Setting{{Name: "all", Scope: ScopeSession, Default: true}}
		return
	case pgast.VAR_SET_MULTI:
		st.Tx.Session = v.GetName() == setSession
		if v.GetName() != setSnapshot {
			w.modes(v.GetArgs())
		}
		return
	}
	s := Setting{Name: strings.ToLower(clean(v.GetName())), Scope: ScopeSession}
	if v.GetIsLocal() {
		s.Scope = ScopeTransaction
	}
	s.Default = v.GetKind() != pgast.VAR_SET_VALUE
	s.Value = w.settingValue(v.GetArgs())
	s.Param = slices.ContainsFunc(v.GetArgs(), func(a *pgast.Node) bool { return strip(a).GetParamRef() != nil })
	if s.Name == "role" && strings.EqualFold(s.Value, "none") {
		s.Default = true
	}
	st.Settings = []Setting{s}
}

// settingValue returns the values of a SET, unquoted, empty when one of them
// is not constant.
func (w *walker) settingValue(args []*pgast.Node) string {
	var out []string
	for _, a := range args {
		c := strip(a).GetAConst()
		if c == nil || w.f.filled(int(c.GetLocation())) || clean(constValue(c)) != constValue(c) {
			return ""
		}
		out = append(out, constValue(c))
	}
	return strings.Join(out, ", ")
}

// modes reads the transaction modes of BEGIN and SET TRANSACTION.
func (w *walker) modes(list []*pgast.Node) {
	for _, n := range list {
		d := n.GetDefElem()
		c := d.GetArg().GetAConst()
		if w.f.filled(int(d.GetLocation())) || c != nil && w.f.filled(int(c.GetLocation())) {
			continue
		}
		value := constValue(c)
		tx := &w.st.Tx
		switch d.GetDefname() {
		case "transaction_isolation":
			tx.Isolation = isolations[strings.ToLower(value)]
		case "transaction_read_only":
			tx.ReadOnly, tx.ReadWrite = value == "1", value != "1"
		case "transaction_deferrable":
			tx.Deferrable = value == "1"
		}
	}
}

func (w *walker) transaction(t *pgast.TransactionStmt) {
	w.st.Name = clean(t.GetSavepointName())
	if w.st.Kind == Begin {
		w.modes(t.GetOptions())
	}
}

func (w *walker) lockTable(l *pgast.LockStmt) {
	for _, r := range l.GetRelations() {
		w.addRead(table(r.GetRangeVar()))
	}
	if m := int(l.GetMode()); m > 0 && m < len(lockModes) {
		w.st.LockMode = lockModes[m]
	}
	w.st.NoWait = l.GetNowait()
}

func (w *walker) copy(c *pgast.CopyStmt) {
	switch {
	case c.GetRelation() == nil:
		w.query(c.GetQuery(), nil, true)
	case c.GetIsFrom():
		w.st.Target = table(c.GetRelation())
		w.st.Writes = []TableRef{w.st.Target}
	default:
		w.addRead(table(c.GetRelation()))
	}
}

// analyzes reports whether an EXPLAIN runs its statement.
func analyzes(e *pgast.ExplainStmt) bool {
	on := false
	for _, n := range e.GetOptions() {
		if d := n.GetDefElem(); d.GetDefname() == "analyze" || d.GetDefname() == "analyse" {
			on = optionOn(d.GetArg())
		}
	}
	return on
}

// optionOn reads the value of a boolean option; none means true.
func optionOn(n *pgast.Node) bool {
	switch v := n.GetNode().(type) {
	case *pgast.Node_String:
		s := strings.ToLower(v.String_.GetSval())
		return s != "false" && s != "off"
	case *pgast.Node_Integer:
		return v.Integer.GetIval() != 0
	case *pgast.Node_Boolean:
		return v.Boolean.GetBoolval()
	}
	return true
}

// setConfig notes a call of set_config(name, value, is_local) (documentation,
// section 9.28.1).
func (w *walker) setConfig(f *pgast.FuncCall, sc *scope) {
	args := w.namedArgs(f, sc, []string{"setting_name", "new_value", "is_local"})
	s := Setting{Func: true}
	if args[0].Kind == ExprConst {
		s.Name = strings.ToLower(args[0].Const)
	}
	if args[1].Kind == ExprConst {
		s.Value = args[1].Const
	}
	s.Default = args[1].Kind == ExprNull
	switch local := args[2]; local.Kind {
	case ExprConst:
		s.Scope = ScopeSession
		if isTrue(local.Const) {
			s.Scope = ScopeTransaction
		}
	case ExprParam:
		s.ScopeParam = local.Param
	}
	w.st.Settings = append(w.st.Settings, s)
}

// isTrue reads a boolean literal as PostgreSQL does: a prefix of true, yes or
// on, or 1.
func isTrue(s string) bool {
	s = strings.ToLower(strings.TrimSpace(s))
	return s == "on" || s == "1" || s != "" && (strings.HasPrefix("true", s) || strings.HasPrefix("yes", s))
}

// namedArgs reads the arguments of a call in the order of its parameters.
func (w *walker) namedArgs(f *pgast.FuncCall, sc *scope, params []string) []Expr {
	out := make([]Expr, len(params))
	for i, a := range f.GetArgs() {
		if n := a.GetNamedArgExpr(); n != nil {
			i = indexOf(params, n.GetName())
			a = n.GetArg()
		}
		x := w.expr(a, sc)
		if i >= 0 && i < len(out) {
			out[i] = x
		}
	}
	return out
}

func indexOf(list []string, s string) int {
	for i, v := range list {
		if v == s {
			return i
		}
	}
	return -1
}
