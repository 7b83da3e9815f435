package contextbuilder

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/syntax"
	"github.com/prforge/prforge/internal/text"
)

// callers offers the code that calls or uses what changed: short callers
// whole, long ones by their signature with the line of the call.
func (f *finder) callers(s *changedFile) []*snippet {
	var out []*snippet
	for _, def := range s.touched {
		d := &s.was.Definitions[def]
		n := 0
		for _, site := range f.graph.CallersOf(s.diff.OldPath, d.Qualified) {
			if isTestSite(site) || n >= f.opts.MaxCallers {
				continue
			}
			if snippets := f.callSite(site, d); len(snippets) > 0 {
				out = append(out, snippets...)
				n++
			}
		}
		if d.Parent < 0 && distinctiveEnough(d.Name) {
			out = append(out, f.mentions(s.old, d)...)
			if n == 0 {
				out = append(out, f.users(s, d)...)
			}
		}
	}
	return out
}

// isTestSite reports whether a call is in tests.
func isTestSite(site imports.CallSite) bool {
	return isTest(site.Path) || site.Caller != nil && site.Caller.Definition.InTests
}

func (f *finder) callSite(site imports.CallSite, d *syntax.Definition) []*snippet {
	from := f.sources.get(site.Path)
	if from == nil || site.Caller != nil && f.isTouched(site.Path, site.Caller.Def) {
		return nil
	}
	if site.Caller == nil {
		if span := from.file.StatementAt(site.Call.Line); span.Start > 0 {
			return []*snippet{{source: from, tier: tierCallers, why: "calls " + text.OneLine(d.Name), def: -1, statement: span}}
		}
		return nil
	}
	return f.shown(from, site.Caller.Def, tierCallers, "calls "+text.OneLine(d.Name), lineNote(from, site.Call.Line))
}

// lineNote quotes one line as a comment, with its position. A line too long to read is only named.
func lineNote(s *source, n int) string {
	const readable = 160
	text := strings.TrimSpace(s.line(n))
	if len(text) > readable || strings.Contains(text, "*/") {
		return fmt.Sprintf("line %d", n)
	}
	return fmt.Sprintf("line %d: %s", n, text)
}

// distinctiveEnough keeps names of one or two letters from matching everything.
func distinctiveEnough(name string) bool { return len(name) > 2 }

// mentions offers the functions of the same file that use a changed definition without a call: passed on, bound, or
// as a type.
func (f *finder) mentions(s *source, d *syntax.Definition) []*snippet {
	var out []*snippet
	seen := map[int]bool{}
	for n := 1; n <= len(s.lines) && len(seen) < f.opts.MaxCallers; n++ {
		if d.Lines.Contains(n) || !strings.Contains(s.line(n), d.Name) ||
			isComment(s.file.Language, strings.TrimSpace(s.line(n))) {
			continue
		}
		def := s.enclosing(n)
		if def < 0 || seen[def] || !isFunction(s.file.Definitions[def].Kind) || f.isTouched(s.path, def) ||
			!s.has(syntax.Span{Start: n, End: n}, d.Name) {
			continue
		}
		seen[def] = true
		out = append(out, f.shown(s, def, tierCallers, "", lineNote(s, n))...)
	}
	return out
}

// users offers the definitions, in files that import the changed one, that use a name of it without a call that could
// be resolved.
func (f *finder) users(s *changedFile, d *syntax.Definition) []*snippet {
	var out []*snippet
	for edge := range f.graph.ImportedBy(s.diff.OldPath,
		func(from string) bool { return !isTest(from) && f.graph.Mentions(from, d.Name) }) {
		from := f.sources.get(edge.From)
		if from == nil || len(edge.Names) > 0 && !slices.Contains(edge.Names, d.Name) {
			continue
		}
		if line := firstUse(from, d.Name); line > 0 {
			if def := from.enclosing(line); def >= 0 && !f.isTouched(edge.From, def) {
				out = append(out, f.shown(from, def, tierCallers, "uses "+text.OneLine(d.Name), lineNote(from, line))...)
			}
		}
		if len(out) >= 3*f.opts.MaxCallers {
			break
		}
	}
	return out
}

// firstUse is the first line outside imports and comments that has the word; 0 if
// there is none.
func firstUse(s *source, word string) int {
	for n := 1; n <= len(s.lines); n++ {
		text := s.line(n)
		if strings.Contains(text, word) && !inImports(s.file, n) && !isComment(s.file.Language, strings.TrimSpace(text)) &&
			s.has(syntax.Span{Start: n, End: n}, word) {
			return n
		}
	}
	return 0
}
