package bugs

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/injection"
	"github.com/prforge/prforge/internal/model"
)

// The configurations of a question. A shows the file alone; B adds the names of
// the repository's modules that the file imports from; C adds their source. What
// is shown of them is the base's, and nothing of the file itself: its earlier
// version has the lines that a slip was made in.
const (
	ConfigA = "A"
	ConfigB = "B"
	ConfigC = "C"
)

// decidable returns the configurations that show enough to see a fault of the family.
func decidable(family string) []string {
	if family == string(injection.Import) {
		return []string{ConfigB, ConfigC}
	}
	return []string{ConfigA, ConfigB, ConfigC}
}

const (
	contextHead  = "Files of the repository that the file imports from, as they are without this pull request:\n\n"
	contextNone  = "The file imports from no other file of the repository.\n"
	contextNames = "%s (%s) has the names %s.\n"
	contextMore  = " and may have more"
)

// contexts are what B and C show of what a source imports. Sources of modules are
// shown in the order of the imports while there is room for them, unless they name the pull request.
func contexts(s *injection.Source, self, pull string, modules injection.Modules, most int) []model.BugContext {
	var names, sources strings.Builder
	seen, shown := map[string]bool{}, map[string]bool{self: true}
	for _, i := range s.Imports() {
		written := strings.Repeat(".", i.Level) + i.Module
		if seen[written] || modules == nil {
			continue
		}
		seen[written] = true
		m := modules(i.Module, i.Level)
		switch {
		case m == nil || m.Path == self:
			continue
		case m.Source == nil:
			fmt.Fprintf(&names, "%s (%s) is changed by the pull request too, and is not shown.\n", m.Path, written)
			continue
		}
		list := strings.Join(slices.Sorted(maps.Keys(m.Names)), ", ")
		if m.Open != "" {
			list += contextMore
		}
		fmt.Fprintf(&names, contextNames, m.Path, written, list)
		if !shown[m.Path] && sources.Len()+len(m.Source) <= most && !tells(string(m.Source), pull) {
			shown[m.Path] = true
			fmt.Fprintf(&sources, "\n--- %s\n%s", m.Path, m.Source)
		}
	}
	b := contextNone
	if names.Len() > 0 {
		b = contextHead + names.String()
	}
	return []model.BugContext{{Config: ConfigB, Text: b}, {Config: ConfigC, Text: b + sources.String()}}
}

var (
	namesLine  = regexp.MustCompile(`(?m)^(.+) \((\.*[^() ]*)\) has the names (.*)\.$`)
	sourceFrom = regexp.MustCompile(`(?m)^--- `)
)

// ReadContext reads from a context what its reader can know of the modules: those
// that are named there, and nothing else.
func ReadContext(text string) injection.Modules {
	known := map[string]*injection.Module{}
	if at := sourceFrom.FindStringIndex(text); at != nil {
		text = text[:at[0]] // what a source says is no statement of ours
	}
	for _, found := range namesLine.FindAllStringSubmatch(text, -1) {
		list, open := strings.CutSuffix(found[3], contextMore)
		m := &injection.Module{Path: found[1], Names: map[string]bool{}}
		if open {
			m.Open = "it may have more names"
		}
		for name := range strings.SplitSeq(list, ", ") {
			m.Names[name] = true
		}
		known[found[2]] = m
	}
	return func(name string, level int) *injection.Module { return known[strings.Repeat(".", level)+name] }
}

// ContextOf is what a configuration shows of other files; "" for A.
func ContextOf(q *model.BugQuestion, config string) string {
	for _, c := range q.Contexts {
		if c.Config == config {
			return c.Text
		}
	}
	return ""
}

// Shows is all that a question shows in a configuration, with the canary last.
func Shows(q *model.BugQuestion, config string) string {
	out := q.View
	if text := ContextOf(q, config); text != "" {
		out += "\n" + text
	}
	if q.Canary != "" {
		out += "\n" + q.Canary + "\n"
	}
	return out
}
