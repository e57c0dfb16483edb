package schema

import (
	"slices"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
)

func (m *model) createFunction(c *pgsql.Change) {
	n, _ := m.place(c.Table)
	f := &function{name: n, def: c.Function}
	list := slices.DeleteFunc(m.funcs[n], func(o *function) bool { return slices.Equal(o.def.Arguments, f.def.Arguments) })
	m.funcs[n] = append(list, f)
}

// functions returns the functions that a statement names.
func (m *model) functions(c *pgsql.Change) (name, []*function) {
	n, _ := m.place(c.Table)
	if list := m.funcs[n]; list != nil || c.Table.Schema != "" {
		return n, list
	}
	for n, list := range m.funcs {
		if n.name == c.Table.Name {
			return n, list
		}
	}
	return n, nil
}

// meant reports whether a statement that names a function with its arguments,
// or without, means the function.
func meant(f *function, c *pgsql.Change) bool {
	return c.Function == nil || slices.Equal(f.def.Arguments, c.Function.Arguments)
}

func (m *model) alterFunction(c *pgsql.Change) {
	_, list := m.functions(c)
	for _, f := range list {
		if c.Function.Volatility != pgsql.VolatilityUnset && (len(list) == 1 || meant(f, c)) {
			def := *f.def
			def.Volatility = c.Function.Volatility
			f.def = &def
		}
	}
}

func (m *model) dropFunction(c *pgsql.Change) {
	n, list := m.functions(c)
	if list = slices.DeleteFunc(list, func(f *function) bool { return meant(f, c) }); len(list) > 0 {
		m.funcs[n] = list
	} else {
		delete(m.funcs, n)
	}
}

func (m *model) renameFunction(c *pgsql.Change) {
	n, list := m.functions(c)
	if len(list) > 0 {
		to := name{n.schema, c.To}
		m.funcs[to] = append(m.funcs[to], list...)
		delete(m.funcs, n)
	}
}
