package contextbuilder

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// settings lists the settings that the change touches: those defined on changed
// lines, in the definitions around them, and those that either reads.
func (f *finder) settings() []*setting {
	var out []*setting
	add := func(found []*setting) {
		for _, s := range found {
			known := slices.ContainsFunc(out, func(o *setting) bool { return o.kind == s.kind && o.name == s.name && o.field == s.field })
			if !known && len(out) < f.opts.MaxRelated {
				out = append(out, s)
			}
		}
	}
	for _, s := range f.subjects {
		if s.old != nil {
			deleted := s.diff.Deleted()
			add(settingsOf(s.old, func(n int) bool { return deleted[n] }))
		}
		if s.new != nil {
			lines := s.diff.Added()
			found := settingsOf(s.new, func(n int) bool { return lines[n] })
			for _, o := range found {
				o.added = true
			}
			add(found)
		}
	}
	for _, s := range f.subjects {
		add(f.readBy(s))
	}
	for _, s := range f.subjects {
		if s.old != nil {
			add(settingsOf(s.old, s.inTouched))
		}
	}
	for _, s := range out {
		f.addReaders(s)
	}
	return slices.DeleteFunc(out, func(s *setting) bool {
		return len(s.readers) == 0 && (s.kind == syntax.Option || s.field == "")
	})
}

// inTouched reports whether a line of the old file is in a function that changed. For a type only the changed lines
// count.
func (s *changedFile) inTouched(n int) bool {
	for _, def := range s.touched {
		if d := &s.was.Definitions[def]; isFunction(d.Kind) && d.Lines.Contains(n) {
			return true
		}
	}
	return false
}

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
			if distinctive(o.field) && s.changed[o.field] {
				out = append(out, o)
			}
		}
	}
	return out
}

// distinctive reports whether a name is unlikely to mean something else elsewhere: it has several words or is long.
func distinctive(name string) bool {
	const long = 9
	lowered := strings.ToLower(name)
	return len(name) >= long || strings.Contains(strings.Trim(name, "_"), "_") || len(name) > 3 && name != lowered && name[1:] != lowered[1:]
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
	asMember := s.field == "" || len(s.field) == 1 || s.kind == syntax.Option && strings.Contains(s.name, ".") || elsewhere && s.field != strings.ToUpper(s.field)
	for n := 1; n <= len(in.lines) && len(s.readers) < f.opts.MaxReaders; n++ {
		text := in.line(n)
		if in.path == s.path && n == s.line || !strings.Contains(text, s.word()) || !reads(text, s.word(), asMember) || s.isCalled(text) {
			continue
		}
		def := in.enclosing(n)
		if seen[def] || in.inTests(n) || inImports(in.file, n) || !s.mayBeReadIn(in, def) || isComment(in.file.Language, strings.TrimSpace(text)) {
			continue
		}
		if slices.ContainsFunc(s.readers, func(r reader) bool { return r.path == in.path && r.line == n }) {
			continue
		}
		seen[def] = true
		s.readers = append(s.readers, reader{in, n})
	}
}

// mayBeReadIn reports whether code that uses the name probably means the setting's field: a function, or other code
// that is not the setting's own. If the field has a common name, the function must mention its type.
func (s *setting) mayBeReadIn(in *source, def int) bool {
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
	typ, _, isMember := strings.Cut(s.name, ".")
	if s.kind != syntax.Option || !isMember || distinctive(s.field) {
		return true
	}
	return strings.HasPrefix(d.Qualified, typ+".") || in.has(d.Lines, typ)
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
	return ofType.MatchString(before) || s.kind == syntax.Option && s.file.Language.CallsNoField && !strings.Contains(declared, "func(")
}
