package dbapi

import (
	"slices"
	"strings"
)

// A row of a table is written as the function's signature reads:
//
//	f("QueryRow", Run, "h ctx sql args", row)
//
// says that (T).QueryRow runs the statement in argument 2 on the handle in
// argument 0. The layout has one word for each argument, the receiver first.
// A word that is not in [layoutWords] stands for an argument that has no part
// in the table. "fn(ctx,h)" is a function whose parameter 0 is the context and
// whose parameter 1 is the handle.

// layoutWords are the words of a layout and the fields that they set.
var layoutWords = map[string]func(*Func) *Arg{
	"h":      func(f *Func) *Arg { return &f.Handle },
	"ctx":    func(f *Func) *Arg { return &f.Ctx },
	"sql":    func(f *Func) *Arg { return &f.SQL },
	"args":   func(f *Func) *Arg { return &f.Args },
	"fn":     func(f *Func) *Arg { return &f.Fn },
	"opts":   func(f *Func) *Arg { return &f.Options },
	"batch":  func(f *Func) *Arg { return &f.Batch },
	"n":      func(f *Func) *Arg { return &f.N },
	"from":   func(f *Func) *Arg { return &f.From },
	"dst":    func(f *Func) *Arg { return &f.Dst },
	"val":    func(f *Func) *Arg { return &f.Value },
	"col":    func(f *Func) *Arg { return &f.Column },
	"table":  func(f *Func) *Arg { return &f.Table },
	"mods":   func(f *Func) *Arg { return &f.Mods },
	"stmt":   func(f *Func) *Arg { return &f.Stmt },
	"on":     func(f *Func) *Arg { return &f.On },
	"dsn":    func(f *Func) *Arg { return &f.DSN },
	"driver": func(f *Func) *Arg { return &f.Driver },
	"pred":   func(f *Func) *Arg { return &f.Pred },
}

// roleResults are the results of the roles that always return the same kind.
var roleResults = map[Role]Handle{
	Begin:   Tx,
	Acquire: Session,
	Connect: Session,
	Open:    Pool,
	Prepare: Stmt,
}

// A mod sets a further field of a row.
type mod func(*Func)

func exec(f *Func)   { f.Exec = true }
func row(f *Func)    { f.Row = true }
func rows(f *Func)   { f.Rows = true }
func joins(f *Func)  { f.Joins = true }
func undone(f *Func) { f.Undone = true }
func must(f *Func)   { f.Must = true }
func apart(f *Func)  { f.Apart = true }

func checks(f *Func)    { f.Checks = true }
func uncounted(f *Func) { f.Exec, f.Uncounted = true, true }

func async(f *Func)   { f.Async = true }
func maybe(f *Func)   { f.Maybe = true }
func endless(f *Func) { f.Endless = true }

func gives(h Handle) mod    { return func(f *Func) { f.Result = h } }
func style(s string) mod    { return func(f *Func) { f.Style = s } }
func clause(key string) mod { return func(f *Func) { f.Clause = key } }

func system(s string) mod { return func(f *Func) { f.System = s } }

func what(words string) mod { return func(f *Func) { f.What = words } }
func again(a Again) mod     { return func(f *Func) { f.Again = a } }

// retries makes a function try again on some SQLSTATEs only, and codes says for
// which ones it tests.
func retries(states ...string) mod { return func(f *Func) { f.Again, f.Retries = OnError, states } }
func codes(states ...string) mod   { return func(f *Func) { f.Codes = states } }

// ext makes External rows.
func ext(names, layout, words string, mods ...mod) []Func {
	return f(names, External, layout, append(mods, what(words))...)
}

// f makes a row for each of the names, which spaces separate.
func f(names string, role Role, layout string, mods ...mod) []Func {
	var out []Func
	for name := range strings.FieldsSeq(names) {
		row := Func{Name: name, Role: role, Result: roleResults[role]}
		row.layOut(strings.Fields(layout))
		for _, m := range mods {
			m(&row)
		}
		out = append(out, row)
	}
	return out
}

// layOut sets the argument numbers that the words of a layout stand for.
func (f *Func) layOut(words []string) {
	for i, word := range words {
		word, params, _ := strings.Cut(strings.TrimSuffix(word, ")"), "(")
		if field := layoutWords[word]; field != nil {
			*field(f) = A(i)
		}
		for j, param := range strings.Split(params, ",") {
			switch param {
			case "ctx":
				f.FnCtx = A(j)
			case "h":
				f.FnHandle = A(j)
			}
		}
	}
}

// pair is f for methods that exist with and without a context: Exec and
// ExecContext. The layout is that of the method without.
func pair(names string, role Role, layout string, mods ...mod) []Func {
	recv, rest, _ := strings.Cut(layout, " ")
	return append(f(names, role, layout, mods...), f(contextNames(names), role, recv+" ctx "+rest, mods...)...)
}

// pairFunc is pair for functions, which take the context first.
func pairFunc(names string, role Role, layout string, mods ...mod) []Func {
	return append(f(names, role, layout, mods...), f(contextNames(names), role, "ctx "+layout, mods...)...)
}

func contextNames(names string) string {
	return strings.ReplaceAll(names, " ", "Context ") + "Context"
}

// on completes the names of the methods of a type: "*database/sql.DB".
func on(typ string, groups ...[]Func) []Func {
	return rename("("+typ+").", groups)
}

// in completes the names of the functions of a package.
func in(pkg string, groups ...[]Func) []Func {
	return rename(pkg+".", groups)
}

func rename(prefix string, groups [][]Func) []Func {
	out := join(groups...)
	for i := range out {
		out[i].Name = prefix + out[i].Name
	}
	return out
}

// join makes one table of several.
func join(groups ...[]Func) []Func { return slices.Concat(groups...) }

// except returns the rows without the one of that name.
func except(name string, rows []Func) []Func {
	return slices.DeleteFunc(rows, func(f Func) bool { return f.Name == name })
}
