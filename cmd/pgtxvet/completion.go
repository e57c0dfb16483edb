package main

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pgtxvet/pgtxvet/internal/report"
)

// completions are what makes shells complete the program's commands, flags and
// rules. What they offer is filled in, so that it fits the program that wrote it.
// text/template could do that, but a program that has it keeps every exported
// method of every type: 4 MB more in each process of go vet.
var completions = map[string]string{
	"bash": `# bash completion for pgtxvet: source <(pgtxvet completion bash)
_pgtxvet() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
	COMPREPLY=()
	case $prev in
	explain | -rules | -disable) COMPREPLY=($(compgen -W "{rules}" -- "$cur")) ;;
	completion) COMPREPLY=($(compgen -W "{shells}" -- "$cur")) ;;
	-f) COMPREPLY=($(compgen -W "{formats}" -- "$cur")) ;;
	-color) COMPREPLY=($(compgen -W "{colors}" -- "$cur")) ;;
	-C) COMPREPLY=($(compgen -d -- "$cur")) ;;
	-config | -baseline | -cpuprofile | -memprofile) COMPREPLY=($(compgen -f -- "$cur")) ;;
	-since) COMPREPLY=($(compgen -W "$(git for-each-ref --format='%(refname:short)' 2>/dev/null)" -- "$cur")) ;;
	*)
		case $cur in
		-*) COMPREPLY=($(compgen -W "{flags}" -- "$cur")) ;;
		*)
			COMPREPLY=($(compgen -d -- "$cur"))
			if [ "$COMP_CWORD" -eq 1 ]; then
				COMPREPLY+=($(compgen -W "{commands}" -- "$cur"))
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
	explain | -rules | -disable) compadd -- {rules} ;;
	completion) compadd -- {shells} ;;
	-f) compadd -- {formats} ;;
	-color) compadd -- {colors} ;;
	-C) _files -/ ;;
	-config | -baseline | -cpuprofile | -memprofile) _files ;;
	-since) compadd -- $(git for-each-ref --format='%(refname:short)' 2>/dev/null) ;;
	*)
		if [[ $PREFIX == -* ]]; then
			compadd -- {flags}
		else
			(( CURRENT == 2 )) && compadd -- {commands}
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
complete -c pgtxvet -n __fish_use_subcommand -a "{commands}"
complete -c pgtxvet -f -n "__fish_seen_subcommand_from explain" -a "{rules}"
complete -c pgtxvet -f -n "__fish_seen_subcommand_from completion" -a "{shells}"
{options}`,
}

// completion prints the completion of a shell.
func (p *program) completion(args []string) int {
	shells := slices.Sorted(maps.Keys(completions))
	if len(args) != 1 || completions[args[0]] == "" {
		return p.fail(errors.New("completion wants the name of a shell: " + strings.Join(shells, ", ")))
	}
	var names, options []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	rules := append(p.suite.names(), "all")
	p.flags(func(f *flag.Flag) { options = append(options, "-"+f.Name) })
	fill := strings.NewReplacer("{commands}", strings.Join(names, " "), "{rules}", strings.Join(rules, " "),
		"{shells}", strings.Join(shells, " "), "{formats}", strings.Join(report.Formats(), " "),
		"{colors}", strings.Join(colors, " "), "{flags}", strings.Join(options, " "), "{options}", p.fishOptions(rules))
	fmt.Fprint(p.stdout, fill.Replace(completions[args[0]]))
	return exitClean
}

// flags visits the flags of the program.
func (p *program) flags(visit func(*flag.Flag)) { p.flagSet(new(flags)).VisitAll(visit) }

// fishOptions are the flags as fish wants them described.
func (p *program) fishOptions(rules []string) string {
	values := map[string][]string{
		"rules": rules, "disable": rules, "f": report.Formats(), "color": colors,
		"since": {"(git for-each-ref --format='%(refname:short)' 2>/dev/null)"},
	}
	var b strings.Builder
	p.flags(func(f *flag.Flag) {
		arguments := " -r"
		if isBool, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && isBool.IsBoolFlag() {
			arguments = ""
		} else if v := values[f.Name]; v != nil {
			arguments = fmt.Sprintf(" -x -a %q", strings.Join(v, " "))
		}
		fmt.Fprintf(&b, "complete -c pgtxvet -o %s%s -d %q\n", f.Name, arguments, f.Usage)
	})
	return b.String()
}
