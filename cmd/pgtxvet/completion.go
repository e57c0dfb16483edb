package main

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"

	"github.com/pgtxvet/pgtxvet/internal/report"
)

// completions are what makes shells complete the program's commands, flags and
// rules. What they offer is filled in, so that it fits the program that wrote it.
var completions = map[string]string{
	"bash": `# bash completion for pgtxvet: source <(pgtxvet completion bash)
_pgtxvet() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
	COMPREPLY=()
	case $prev in
	explain | -rules | -disable) COMPREPLY=($(compgen -W "{{join .Rules}}" -- "$cur")) ;;
	completion) COMPREPLY=($(compgen -W "{{join .Shells}}" -- "$cur")) ;;
	-f) COMPREPLY=($(compgen -W "{{join .Formats}}" -- "$cur")) ;;
	-color) COMPREPLY=($(compgen -W "{{join .Colors}}" -- "$cur")) ;;
	-C) COMPREPLY=($(compgen -d -- "$cur")) ;;
	-config | -baseline | -cpuprofile | -memprofile) COMPREPLY=($(compgen -f -- "$cur")) ;;
	-since) COMPREPLY=($(compgen -W "$(git for-each-ref --format='%(refname:short)' 2>/dev/null)" -- "$cur")) ;;
	*)
		case $cur in
		-*) COMPREPLY=($(compgen -W "{{join .Flags}}" -- "$cur")) ;;
		*)
			COMPREPLY=($(compgen -d -- "$cur"))
			if [ "$COMP_CWORD" -eq 1 ]; then
				COMPREPLY+=($(compgen -W "{{join .Commands}}" -- "$cur"))
			fi
			;;
		esac
		;;
	esac
}
complete -F _pgtxvet pgtxvet
`,
	"zsh": `#compdef pgtxvet
# zsh completion for pgtxvet: source <(pgtxvet completion zsh)
_pgtxvet() {
	local prev=${words[CURRENT-1]}
	case $prev in
	explain | -rules | -disable) compadd -- {{join .Rules}} ;;
	completion) compadd -- {{join .Shells}} ;;
	-f) compadd -- {{join .Formats}} ;;
	-color) compadd -- {{join .Colors}} ;;
	-C) _files -/ ;;
	-config | -baseline | -cpuprofile | -memprofile) _files ;;
	-since) compadd -- $(git for-each-ref --format='%(refname:short)' 2>/dev/null) ;;
	*)
		if [[ $PREFIX == -* ]]; then
			compadd -- {{join .Flags}}
		else
			(( CURRENT == 2 )) && compadd -- {{join .Commands}}
			_files -/
		fi
		;;
	esac
}
if [ "$funcstack[1]" = "_pgtxvet" ]; then
	_pgtxvet
else
	compdef _pgtxvet pgtxvet
fi
`,
	"fish": `# fish completion for pgtxvet: pgtxvet completion fish | source
complete -c pgtxvet -n __fish_use_subcommand -a "{{join .Commands}}"
complete -c pgtxvet -f -n "__fish_seen_subcommand_from explain" -a "{{join .Rules}}"
complete -c pgtxvet -f -n "__fish_seen_subcommand_from completion" -a "{{join .Shells}}"
{{range .Options}}complete -c pgtxvet -o {{.Name}}{{.Arguments}} -d "{{.Usage}}"
{{end}}`,
}

// An option is a flag as fish wants it described.
type option struct{ Name, Arguments, Usage string }

// completion prints the completion of a shell.
func (p *program) completion(args []string) int {
	shells := slices.Sorted(maps.Keys(completions))
	if len(args) != 1 || !slices.Contains(shells, args[0]) {
		return p.fail(errors.New("completion wants the name of a shell: " + strings.Join(shells, ", ")))
	}
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	data := struct {
		Commands, Rules, Shells, Formats, Colors, Flags []string
		Options                                         []option
	}{Commands: names, Rules: append(p.suite.names(), "all"), Shells: shells, Formats: report.Formats(), Colors: colors}
	values := map[string]string{
		"rules": strings.Join(data.Rules, " "), "disable": strings.Join(data.Rules, " "),
		"f": strings.Join(data.Formats, " "), "color": strings.Join(colors, " "),
		"since": "(git for-each-ref --format='%(refname:short)' 2>/dev/null)",
	}
	p.flagSet(new(flags)).VisitAll(func(f *flag.Flag) {
		data.Flags = append(data.Flags, "-"+f.Name)
		o := option{f.Name, " -r", f.Usage}
		if b, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
			o.Arguments = ""
		}
		if v := values[f.Name]; v != "" {
			o.Arguments = fmt.Sprintf(" -x -a %q", v)
		}
		data.Options = append(data.Options, o)
	})
	t := template.Must(template.New(args[0]).Funcs(template.FuncMap{"join": func(s []string) string { return strings.Join(s, " ") }}).Parse(completions[args[0]]))
	if err := t.Execute(p.stdout, data); err != nil {
		return p.fail(err)
	}
	return exitClean
}
