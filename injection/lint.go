package injection

import (
	"slices"

	"github.com/prforge/prforge/internal/languages/python"
	"github.com/prforge/prforge/internal/syntax"
)

// Lint is what the rules find in a file, taken as a linter: a wrong indentation,
// or else the names that no binding reaches and, where modules are known, imports
// of what these lack. The lines are those where an error shows. It knows of no
// original and of no slip.
func Lint(src []byte, modules Modules) []Fault {
	tokens, err := syntax.ParseTokens(python.Language, src, syntax.DefaultOptions())
	if err != nil {
		return nil
	}
	if e := checkIndentation(logicalLines(tokens)); e != nil {
		return []Fault{{CauseLine: e.line, EffectLines: []int{e.line}, ReportLine: e.line, Error: e.class}}
	}
	s, err := Read(src)
	if err != nil || s.names().unsupported != "" {
		return nil
	}
	var out []Fault
	for _, u := range s.names().undefined {
		out = found(out, u.node.Text(), u.node.Lines().Start, "NameError")
	}
	for _, u := range s.names().early {
		out = found(out, u.node.Text(), u.node.Lines().Start, "UnboundLocalError")
	}
	if modules == nil {
		return out
	}
	for _, i := range s.Imports() {
		m := modules(i.Module, i.Level)
		if m == nil || m.Open != "" {
			continue
		}
		for at, name := range i.Names {
			if !m.Names[name] {
				out = found(out, name, i.Lines[at], "ImportError")
			}
		}
	}
	return out
}

// found adds a position where a name is wrong: to the name's finding, or a new one.
func found(all []Fault, name string, line int, class string) []Fault {
	i := slices.IndexFunc(all, func(f Fault) bool { return f.Name == name && f.Error == class })
	if i < 0 {
		return append(all, Fault{Name: name, CauseLine: line, EffectLines: []int{line}, ReportLine: line, Error: class})
	}
	all[i].EffectLines = append(all[i].EffectLines, line)
	return all
}
