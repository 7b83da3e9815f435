package contextbuilder

import (
	"iter"
	"strings"

	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/syntax"
)

// source is a parsed file of the base commit with its normalized text.
type source struct {
	path  string
	file  *syntax.File
	text  []byte
	lines []string // of text
	inner []int    // see enclosing; nil until it is needed
}

func newSource(path string, file *syntax.File, text []byte) *source {
	return &source{path: path, file: file, text: text, lines: strings.Split(string(text), "\n")}
}

// enclosing caches file.Enclosing, for code that asks about many lines.
func (s *source) enclosing(n int) int {
	if s.inner == nil {
		s.inner = s.file.EnclosingByLine()
	}
	if n < 0 || n >= len(s.inner) {
		return -1
	}
	return s.inner[n]
}

// inTests reports whether only tests run a line of production code.
func (s *source) inTests(n int) bool {
	if s.file.Language == nil || !s.file.Language.InlineTests {
		return false
	}
	def := s.enclosing(n)
	return def >= 0 && s.file.Definitions[def].InTests
}

// line is line n of the source, from 1; "" outside it.
func (s *source) line(n int) string {
	if n < 1 || n > len(s.lines) {
		return ""
	}
	return s.lines[n-1]
}

// join is the lines of a span, each with a line feed.
func (s *source) join(span syntax.Span) string {
	if span.Start < 1 || span.End > len(s.lines) || span.Start > span.End {
		return ""
	}
	return strings.Join(s.lines[span.Start-1:span.End], "\n") + "\n"
}

// words iterates over the identifiers on some lines.
func (s *source) words(span syntax.Span) iter.Seq[string] {
	return func(yield func(string) bool) {
		for n := span.Start; n <= span.End; n++ {
			for word := range wordsIn(s.line(n)) {
				if !yield(word) {
					return
				}
			}
		}
	}
}

// has reports whether an identifier is on some lines.
func (s *source) has(span syntax.Span, word string) bool {
	for w := range s.words(span) {
		if w == word {
			return true
		}
	}
	return false
}

// wordsIn iterates over the identifiers in a text.
func wordsIn(text string) iter.Seq[string] {
	return strings.FieldsFuncSeq(text, func(r rune) bool { return !isWord(r) })
}

func isWord(r rune) bool {
	return r == '_' || r == '$' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f
}

// sources reads files of the base commit, each once.
type sources struct {
	base  model.Snapshot
	graph *imports.Graph
	files map[string]*source
}

// get is a parsed file of the base; nil if it cannot be read or has no grammar.
func (s *sources) get(path string) *source {
	if found, ok := s.files[path]; ok {
		return found
	}
	s.files[path] = nil
	if file, ok := s.graph.File(path); ok {
		if data, err := s.base.Read(path); err == nil {
			s.files[path] = newSource(path, file, syntax.Normalize(data))
		}
	}
	return s.files[path]
}

// isComment reports whether a trimmed line is a comment, by its start. For languages without a grammar it assumes
// comments of shell and C.
func isComment(language *syntax.Language, text string) bool {
	slashes := strings.HasPrefix(text, "//") || strings.HasPrefix(text, "/*") || strings.HasPrefix(text, "* ") ||
		text == "*" || strings.HasPrefix(text, "*/")
	switch {
	case language == nil:
		return slashes || strings.HasPrefix(text, "#")
	case language.LineComment == "#":
		return strings.HasPrefix(text, "#") || language.Indented &&
			(strings.HasPrefix(text, `"""`) || strings.HasPrefix(text, `'''`))
	default:
		return slashes
	}
}

func isFunction(k syntax.Kind) bool {
	return k == syntax.Function || k == syntax.Method || k == syntax.Constructor || k == syntax.Handler
}
