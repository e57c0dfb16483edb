package termdoc

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

const (
	// gap is between two sessions.
	gap = "  │ "
	// narrow is the least width of a session beside others. With less, each
	// line says whose it is.
	narrow = 26
	// shortest is the least width of a text, however narrow the terminal.
	shortest = 16
	indent   = "    "
	server   = "PG"
)

// An event is something that happens in a session.
type event struct {
	who  string // "" if it is of none
	text string
}

var (
	participant = lazy(`^participant (\w+) as (.*)$`)
	request     = lazy(`^(\w+)->>PG: (.*)$`)
	answer      = lazy(`^PG-->>(\w+): (.*)$`)
	noteOver    = lazy(`^Note over (\w+)(,\w+)?: (.*)$`)
	entity      = strings.NewReplacer("<br/>", " ", "#lt;", "<", "#gt;", ">", "#59;", ";", "#35;", "#")
)

func lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// timeline draws a sequence diagram of sessions that talk to a server: each
// session is a column, what it sends stands above what it gets, and time runs
// down.
func timeline(diagram []string, width int) string {
	var ids, names []string
	var events []event
	for _, line := range diagram {
		line = strings.TrimSpace(line)
		if m := participant().FindStringSubmatch(line); m != nil {
			if m[1] != server {
				ids, names = append(ids, m[1]), append(names, entity.Replace(m[2]))
			}
		} else if e, ok := parse(line); ok {
			events = append(events, e)
		}
	}
	if len(ids) == 0 {
		return ""
	}
	column := (width-len(indent))/len(ids) - utf8.RuneCountInString(gap)
	column = min(column, textWidth-utf8.RuneCountInString(gap))
	if len(ids) > 1 && column < narrow {
		return list(ids, names, events, width)
	}
	return columns(ids, names, events, column)
}

// parse reads one event.
func parse(line string) (event, bool) {
	if m := request().FindStringSubmatch(line); m != nil {
		return event{m[1], entity.Replace(m[2])}, true
	}
	if m := answer().FindStringSubmatch(line); m != nil {
		return event{m[1], "→ " + entity.Replace(m[2])}, true
	}
	if m := noteOver().FindStringSubmatch(line); m != nil {
		if m[1] == server || m[2] != "" {
			return event{"", entity.Replace(m[3])}, true
		}
		return event{m[1], "(" + entity.Replace(m[3]) + ")"}, true
	}
	return event{}, false
}

// columns draws sessions side by side.
func columns(ids, names []string, events []event, width int) string {
	var b strings.Builder
	row := func(at int, text string) {
		cells := make([]string, len(ids))
		cells[at] = text
		writeRow(&b, cells, width)
	}
	writeRow(&b, names, width)
	rule := strings.Repeat("─", width)
	fmt.Fprintln(&b, indent+strings.Repeat(rule+"──┼─", len(ids)-1)+rule)
	for _, e := range events {
		at := slices.Index(ids, e.who)
		if at < 0 {
			for _, line := range wrap(e.text, len(ids)*width) {
				fmt.Fprintln(&b, indent+"= "+line)
			}
			continue
		}
		for i, line := range wrap(e.text, width-2) {
			if i > 0 {
				line = "  " + line
			}
			row(at, line)
		}
	}
	return b.String()
}

func writeRow(b *strings.Builder, cells []string, width int) {
	var parts []string
	for _, c := range cells {
		parts = append(parts, c+strings.Repeat(" ", max(0, width-utf8.RuneCountInString(c))))
	}
	fmt.Fprintln(b, strings.TrimRight(indent+strings.Join(parts, gap), " "))
}

// list draws one event a line, with the session in front.
func list(ids, names []string, events []event, width int) string {
	var b strings.Builder
	first := 0
	for _, name := range names {
		first = max(first, utf8.RuneCountInString(name))
	}
	for _, e := range events {
		who := ""
		if at := slices.Index(ids, e.who); at >= 0 {
			who = names[at]
		}
		for _, line := range wrap(e.text, max(shortest, width-first-len(indent)-utf8.RuneCountInString(gap))) {
			writeRow(&b, []string{who, line}, first)
			who = ""
		}
	}
	return b.String()
}
