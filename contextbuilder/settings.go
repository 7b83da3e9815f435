package contextbuilder

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
	"github.com/prforge/prforge/internal/unidiff"
)

// settings lists the settings that the change touches: those that changed lines
// define or read. One that only stands near them is not what the change is about.
func (f *finder) settings() []*setting {
	var out []*setting
	add := func(found []*setting) {
		for _, s := range found {
			known := slices.ContainsFunc(out,
				func(o *setting) bool { return o.kind == s.kind && o.name == s.name && o.field == s.field })
			if !known && len(out) < f.opts.MaxRelated {
				out = append(out, s)
			}
		}
	}
	for _, s := range f.subjects {
		if s.old != nil {
			add(settingsOf(s.old, s.rewritten(s.old, s.diff.Deleted(), unidiff.Added)))
		}
		if s.new != nil {
			found := settingsOf(s.new, s.rewritten(s.new, s.diff.Added(), unidiff.Deleted))
			for _, o := range found {
				o.added = true
			}
			add(found)
		}
	}
	for _, s := range f.subjects {
		add(f.readBy(s))
	}
	for _, s := range out {
		f.addReaders(s)
	}
	return slices.DeleteFunc(out, func(s *setting) bool {
		return len(s.readers) == 0 && (s.kind == syntax.Option || s.field == "")
	})
}

// rewritten tells which of the changed lines of one side the other side has not with other white space alone, as where
// a field beside it was added and the others were aligned.
func (s *changedFile) rewritten(from *source, changed map[int]bool, other unidiff.Kind) func(int) bool {
	there := map[string]bool{}
	for _, h := range s.diff.Hunks {
		for _, l := range h.Lines {
			if l.Kind == other {
				there[withoutSpace(l.Text)] = true
			}
		}
	}
	return func(n int) bool { return changed[n] && !there[withoutSpace(from.line(n))] }
}

func withoutSpace(text string) string { return strings.Join(strings.Fields(text), "") }

// readBy lists the settings that changed lines read, from the changed file and the files that it imports.
func (f *finder) readBy(s *changedFile) []*setting {
	var from []*source
	if s.old != nil {
		from = append(from, s.old)
	}
	for _, edge := range f.importsOf(s) {
		if isTest(edge.To) || len(from) >= f.opts.MaxRelated {
			continue
		}
		if to := f.sources.get(edge.To); to != nil {
			from = append(from, to)
		}
	}
	var out []*setting
	for _, file := range from {
		for _, o := range settingsOf(file, func(int) bool { return true }) {
			if distinctive(o.field) && s.changed[o.field] && s.reads(o) {
				out = append(out, o)
			}
		}
	}
	return out
}

// reads reports whether a changed line reads a setting. A variable of another file is a member of that, or a constant.
func (s *changedFile) reads(o *setting) bool {
	readIn := func(from *source, changed map[int]bool) bool {
		asMember := o.options != "" || o.kind != syntax.Flag && from.path != o.path && o.field != strings.ToUpper(o.field)
		for n := range changed {
			line := from.line(n)
			isRead := reads(line, o.field, asMember) && !isComment(s.language, strings.TrimSpace(line))
			if isRead && o.isMeantAt(from, n, o.isNamedFor(line)) {
				return true
			}
		}
		return false
	}
	return s.old != nil && readIn(s.old, s.diff.Deleted()) || s.new != nil && readIn(s.new, s.diff.Added())
}

// distinctive reports whether a name is unlikely to mean something else elsewhere: it has several words or is long.
func distinctive(name string) bool {
	const long = 9
	lowered := strings.ToLower(name)
	return len(name) >= long || strings.Contains(strings.Trim(name, "_"), "_") || len(name) > 3 && name != lowered &&
		name[1:] != lowered[1:]
}

// addReaders finds the lines that read a setting: in its own file, in files that import it, and in the changed ones,
// which may reach it without an import. For a setting that the change adds it reads changed files after the change.
func (f *finder) addReaders(s *setting) {
	if s.word() == "" {
		return
	}
	f.readersIn(s, s.source, false)
	if s.field != "" && !distinctive(s.field) {
		return
	}
	seen := map[string]bool{s.path: true}
	add := func(from *source) {
		if from != nil && !isTest(from.path) && !seen[from.path] {
			seen[from.path] = true
			f.readersIn(s, from, true)
		}
	}
	for _, o := range f.subjects {
		if s.added {
			add(o.new)
		} else {
			add(o.old)
		}
	}
	reading := func(from string) bool { return !isTest(from) && f.graph.Mentions(from, s.word()) }
	for edge := range f.graph.ImportedBy(s.path, reading) {
		if len(s.readers) >= f.opts.MaxReaders {
			break
		}
		if !seen[edge.From] {
			add(f.sources.get(edge.From))
		}
	}
	if s.kind != syntax.Key || strings.ContainsFunc(s.word(), func(r rune) bool { return !isWord(r) }) {
		return
	}
	for _, from := range f.graph.MentionedIn(s.word()) { // a key is read wherever the configuration is available
		if len(s.readers) < f.opts.MaxReaders && !seen[from] && !isTest(from) {
			add(f.sources.get(from))
		}
	}
}

// readersIn adds the lines of a file that read the setting's field, one per definition.
func (f *finder) readersIn(s *setting, in *source, elsewhere bool) {
	seen := map[int]bool{}
	asMember := s.field == "" || s.kind == syntax.Flag || len(s.field) == 1 || s.options != "" || elsewhere &&
		s.field != strings.ToUpper(s.field)
	for n := 1; n <= len(in.lines) && len(s.readers) < f.opts.MaxReaders; n++ {
		text := in.line(n)
		if in.path == s.path && n == s.line || !strings.Contains(text, s.word()) || !reads(text, s.word(), asMember) ||
			s.isCalled(text) || s.copies(text) {
			continue
		}
		def := in.enclosing(n)
		if seen[def] || in.inTests(n) || inImports(in.file, n) || !s.mayBeReadAt(in, n, def) ||
			isComment(in.file.Language, strings.TrimSpace(text)) {
			continue
		}
		if slices.ContainsFunc(s.readers, func(r reader) bool { return r.path == in.path && r.line == n }) {
			continue
		}
		seen[def] = true
		s.readers = append(s.readers, reader{in, n})
	}
}

// mayBeReadAt reports whether the code that uses the name on a line probably means the setting's field: a function, or
// other code that is not the setting's own. If the field has a common name, the function must mention its type.
func (s *setting) mayBeReadAt(in *source, n, def int) bool {
	if ending := in.file.Language.DeclarationFiles; ending != "" && strings.Contains(path.Base(in.path), ending) {
		return false
	}
	if def < 0 {
		return in.path == s.path
	}
	d := &in.file.Definitions[def]
	if !isFunction(d.Kind) {
		return in.path == s.path && d.Parent < 0 && s.kind != syntax.Option && !d.Lines.Contains(s.line)
	}
	if s.kind == syntax.Flag && (in.path != s.path || def != s.enclosing(s.line)) &&
		!slices.ContainsFunc(owners(in.line(n), s.field), isParsed) {
		return false // a word that names something else
	}
	if s.options != "" && in.file.Language.Family != s.file.Language.Family {
		return false // a type of another language has fields of its own
	}
	return s.isMeantAt(in, n, s.options == "" || in.has(d.Lines, s.options) || distinctive(s.field) &&
		s.isFieldIn(in.line(n), in))
}

// isFieldIn reports whether a line that has the field's name means the field of the setting's options: as a member of
// something that is called options, in a file that mentions their type. Without a type of options any use of the name
// does.
func (s *setting) isFieldIn(line string, in *source) bool {
	if s.options == "" {
		return true
	}
	return in != nil && in.has(syntax.Span{Start: 1, End: len(in.lines)}, s.options) &&
		slices.ContainsFunc(owners(line, s.field), isOptions)
}

// isParsed reports whether a name is that of parsed flags.
func isParsed(name string) bool { return name == "args" || name == "argv" || isOptions(name) }

// copies reports whether a line only hands the field on under its own name, as a copying constructor does.
func (s *setting) copies(text string) bool {
	value, isMember := strings.CutSuffix(strings.TrimRight(strings.TrimSpace(text), ";,"), "."+s.field)
	target, _, assigns := strings.Cut(value, "=")
	if !assigns {
		target, _, assigns = strings.Cut(value, ":")
	}
	return isMember && assigns && lastWord(target) == s.field
}

// ofType matches a type or namespace before its method.
var ofType = regexp.MustCompile(`\b[A-Z]\w*\.$`)

// isCalled reports whether a line calls a method or function of the option's name,
// which then is not the option where the language says so, or where it is the
// method of a type ("JSON.stringify").
func (s *setting) isCalled(text string) bool {
	before, _, called := strings.Cut(text, s.field+"(")
	if s.field == "" || !called {
		return false
	}
	declared := s.source.line(s.line)
	return ofType.MatchString(before) || s.kind == syntax.Option && s.file.Language.CallsNoField &&
		!strings.Contains(declared, "func(")
}
