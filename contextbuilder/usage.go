package contextbuilder

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/syntax"
	"github.com/prforge/prforge/internal/text"
)

// The definitions that a change uses, and what it shows of them.

// uses reports whether some lines of a file use one of its definitions: an equal word is not enough. A member is used
// through its type or, in code of that type, through the object; anything else without a receiver.
func (s *changedFile) uses(lines []string, def int) bool {
	d := &s.was.Definitions[def]
	typ := typeAround(s.was, def)
	inside := slices.ContainsFunc(s.touched, func(t int) bool {
		return t != def && typ != "" && (typeAround(s.was, t) == typ || s.was.Definitions[t].Name == typ)
	})
	return slices.ContainsFunc(lines, func(line string) bool {
		return usedIn(line, d.Name, func(receiver string) bool {
			switch {
			case typ == "":
				return receiver == ""
			case receiver == "self" || receiver == "this" || receiver == "cls" || receiver == "super()":
				return inside
			case receiver == "":
				return inside && s.was.Language.ImplicitThis
			case s.was.Language.NamedReceiver:
				return inside
			}
			return receiver == typ
		})
	})
}

// typeAround is the name of the type that a definition is a member of; "" for
// none. A Go method has it in its name.
func typeAround(f *syntax.File, def int) string {
	d := &f.Definitions[def]
	if d.Parent < 0 {
		typ, _, member := strings.Cut(d.Qualified, ".")
		if member && f.Language.NamedReceiver {
			return typ
		}
		return ""
	}
	if p := &f.Definitions[d.Parent]; isType(p.Kind) {
		return p.Name
	}
	return ""
}

func isType(k syntax.Kind) bool {
	switch k {
	case syntax.Class, syntax.Struct, syntax.Interface, syntax.Enum, syntax.Record, syntax.Implementation:
		return true
	}
	return false
}

// usedIn calls a function for each whole-word occurrence of a name in a line, with the word before its dot; "" if
// there is no dot.
func usedIn(line, name string, accept func(receiver string) bool) bool {
	for at := 0; ; {
		i := strings.Index(line[at:], name)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(name)
		at = to
		if from > 0 && isWord(rune(line[from-1])) || to < len(line) && isWord(rune(line[to])) {
			continue
		}
		before, dotted := strings.CutSuffix(line[:from], ".")
		receiver := ""
		if dotted {
			before = strings.TrimSuffix(before, "?")
			receiver = before[strings.LastIndexFunc(before, func(r rune) bool { return !isWord(r) && r != '(' && r != ')' })+1:]
			if receiver == "" {
				receiver = "?"
			}
		}
		if accept(receiver) {
			return true
		}
	}
}

// known offers a definition that the change uses. For a type too large to show it offers the members named by the
// lines around the change, after the first sentence of its documentation: an empty body would say nothing.
func (f *finder) known(s *changedFile, from *source, def, tier int, why string) []*snippet {
	forms := f.shown(from, def, tier, why, "")
	if !isType(from.file.Definitions[def].Kind) {
		return forms
	}
	out := forms[:1:1]
	for m := range from.file.Definitions {
		d := &from.file.Definitions[m]
		if isFunction(d.Kind) && typeAround(from.file, m) == from.file.Definitions[def].Name &&
			(s.changed[d.Name] || s.around[d.Name]) {
			out = append(out, &snippet{source: from, tier: tier, why: why, def: m, form: syntax.Stub,
				note: saysFirst(from, def)})
		}
	}
	return append(out, forms[2])
}

// Documentation in XML, which "///" begins: a tag that names something, and any tag.
var (
	xmlName = regexp.MustCompile(`<(?:see|seealso|paramref|typeparamref) (?:cref|name|langword)="(?:\w:)?([^"<>]*)" ?/>`)
	xmlTag  = regexp.MustCompile(`</?[a-z][^<>]*>`)
)

// docText is a line of documentation without its comment marks.
func docText(line string) string {
	if strings.HasPrefix(strings.TrimSpace(line), "///") {
		line = xmlTag.ReplaceAllString(xmlName.ReplaceAllString(line, "$1"), "")
	}
	return strings.Trim(line, " \t\"/*#")
}

// saysFirst is the first sentence of a type's documentation, after its name; ""
// without one that is short.
func saysFirst(from *source, def int) string {
	const longest = 120
	d := &from.file.Definitions[def]
	at := d.Doc.Start
	if from.file.Language.Indented {
		at = d.Body.Start
		if at > 0 && strings.HasSuffix(strings.TrimSpace(from.line(at)), ":") {
			at++
		}
		if !strings.HasPrefix(strings.TrimSpace(from.line(at)), `"""`) {
			return ""
		}
	}
	text := docText(from.line(at))
	if text == "" && at > 0 {
		text = docText(from.line(at + 1))
	}
	for _, end := range sentenceEnd.FindAllStringIndex(text+" ", -1) {
		if !abbreviation.MatchString(text[:end[0]+1]) {
			text = text[:min(end[1], len(text))]
			break
		}
	}
	if text = strings.TrimSpace(text); text == "" || len(text) > longest {
		return ""
	}
	if strings.HasPrefix(text, d.Name+" ") {
		return text // Go's comments begin with the name
	}
	return d.Name + ": " + text
}

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
