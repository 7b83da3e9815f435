package contextbuilder

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
	"github.com/prforge/prforge/internal/text"
)

// Code that a change may break without touching it: readers of the state that it writes, and copies of the changed
// code.

// writes matches an assignment to a field.
var writes = regexp.MustCompile(`\b[A-Za-z_]\w*\.([A-Za-z_]\w{2,})\s*(?:[-+*/%|&^]|<<|>>|\?\?|\|\||&&)?=(?:[^=>]|$)`)

// maxFields is how many fields that a change writes are followed.
const maxFields = 6

// written lists the fields that the changed lines assign, in their order.
func (s *changedFile) written() []string {
	var out []string
	for _, line := range s.lines {
		for _, m := range writes.FindAllStringSubmatch(line, -1) {
			if !slices.Contains(out, m[1]) && len(out) < maxFields {
				out = append(out, m[1])
			}
		}
	}
	return out
}

// stateReaders offers the readers of the fields that the change writes: in the same file and, for fields with
// distinctive names, in the files that import it.
func (f *finder) stateReaders(s *changedFile) []*snippet {
	var out []*snippet
	for _, field := range s.written() {
		files := []*source{s.old}
		if distinctive(field) {
			for edge := range f.graph.ImportedBy(s.diff.OldPath, func(from string) bool { return !isTest(from) }) {
				if len(files) >= f.opts.MaxCallers {
					break
				}
				if from := f.sources.get(edge.From); from != nil {
					files = append(files, from)
				}
			}
		}
		for _, from := range files {
			out = append(out, f.readersOf(from, field)...)
		}
	}
	return out
}

// readersOf offers the functions of a file that read a field, each with the statements around the reads.
func (f *finder) readersOf(from *source, field string) []*snippet {
	lines := map[int][]int{}
	var defs []int
	for n := 1; n <= len(from.lines); n++ {
		if !strings.Contains(from.line(n), field) || !reads(from.line(n), field, true) ||
			isComment(from.file.Language, strings.TrimSpace(from.line(n))) {
			continue
		}
		def := from.enclosing(n)
		if def < 0 || !isFunction(from.file.Definitions[def].Kind) || f.isTouched(from.path, def) {
			continue
		}
		if lines[def] == nil {
			defs = append(defs, def)
		}
		lines[def] = append(lines[def], n)
	}
	if len(defs) > f.opts.MaxCallers {
		return nil // read everywhere: no reader is special
	}
	var out []*snippet
	for _, def := range defs {
		why := "reads " + text.OneLine(field)
		if from.path == f.subjectOf(from) {
			why = ""
		}
		out = append(out, f.around(from, def, lines[def], why)...)
	}
	return out
}

// subjectOf is the path of a changed file; "" for any other.
func (f *finder) subjectOf(from *source) string {
	for _, s := range f.subjects {
		if s.old == from {
			return from.path
		}
	}
	return ""
}

// around offers a definition whole if it is small, else the statements around
// some of its lines.
func (f *finder) around(from *source, def int, lines []int, why string) []*snippet {
	out := f.shown(from, def, tierCallers, why, "")[:1:1]
	if reducer := f.reducer(from); reducer != nil {
		if narrow := reducer.Reduce(def, lines); len(narrow) > 0 {
			out = append(out, &snippet{source: from, tier: tierCallers, why: why, def: def, form: syntax.Reduced,
				reduction: narrow[0]})
		}
	}
	return out
}

// alike is the share of equal lines from which two functions of one name are
// taken for siblings that have to change together.
const alike = 0.6

// siblings offers functions with the name of a changed one and mostly its lines: of other types of the file, of the
// files beside it, and of files of the same name elsewhere.
func (f *finder) siblings(s *changedFile) []*snippet {
	var names []string
	for _, t := range s.touched {
		if d := &s.was.Definitions[t]; isFunction(d.Kind) {
			names = append(names, d.Name)
		}
	}
	var out []*snippet
	for _, from := range f.beside(s, names) {
		for def := range from.file.Definitions {
			d := &from.file.Definitions[def]
			if !isFunction(d.Kind) || f.isTouched(from.path, def) || len(out) >= 2*f.opts.MaxCallers {
				continue
			}
			for _, t := range s.touched {
				if c := &s.was.Definitions[t]; c.Name == d.Name && isFunction(c.Kind) &&
					equalLines(s.old, c.Lines, from, d.Lines) >= alike {
					out = append(out, f.around(from, def, []int{d.Body.Start + 1}, "like "+text.OneLine(c.Qualified))...)
					break
				}
			}
		}
	}
	return out
}

// beside lists the file itself, and those files of its folder and of its name that may define one of some names.
func (f *finder) beside(s *changedFile, names []string) []*source {
	out := []*source{s.old}
	n := 1 // all of them count
	folder, name := path.Split(s.diff.OldPath)
	for _, e := range f.in.Base.Entries() {
		rest, inside := strings.CutPrefix(e.Path, folder)
		near := inside && !strings.Contains(rest, "/") || path.Base(e.Path) == name
		if !near || e.Path == s.diff.OldPath || isTest(e.Path) || !sameFamily(e.Path, s.diff.OldPath) {
			continue
		}
		if n++; n > f.opts.MaxRelated {
			break
		}
		if f.graph.MayDefine(e.Path, names...) {
			if from := f.sources.get(e.Path); from != nil {
				out = append(out, from)
			}
		}
	}
	return out
}

// equalLines is the share of the longer span's lines that the other has too; 0 for very short spans.
func equalLines(a *source, of syntax.Span, b *source, in syntax.Span) float64 {
	const least = 4
	count := map[string]int{}
	n, m, equal := 0, 0, 0
	for i := of.Start; i <= of.End; i++ {
		if line := strings.TrimSpace(a.line(i)); line != "" {
			count[line]++
			n++
		}
	}
	for i := in.Start; i <= in.End; i++ {
		if line := strings.TrimSpace(b.line(i)); line != "" {
			m++
			if count[line] > 0 {
				count[line]--
				equal++
			}
		}
	}
	if min(n, m) < least {
		return 0
	}
	return float64(equal) / float64(max(n, m))
}
