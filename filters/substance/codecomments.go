package substance

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/unidiff"
)

// insideDocstring reports whether the lines leave a triple-quoted string open.
func insideDocstring(lines []string) bool {
	all := strings.Join(lines, "\n")
	return strings.Count(all, `"""`)%2 == 1 || strings.Count(all, "'''")%2 == 1
}

// commentSyntax is how a language marks comments.
type commentSyntax struct {
	line       *regexp.Regexp // from the mark to the end of the line
	block      *regexp.Regexp // nil if it has none
	docstrings bool
}

var (
	// A mark inside a string starts no comment, so strings are matched first.
	hashComment  = regexp.MustCompile("\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'|(?:^|\\s)#.*")
	slashComment = regexp.MustCompile("\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'|`[^`\n]*`|//.*|^\\s*\\*(?:\\s.*|/.*)?$")
	noComment    = regexp.MustCompile(`[^\s\S]`) // no text at all matches, the empty one neither
	slashBlock   = regexp.MustCompile("(?s)\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'|`[^`]*`|/\\*.*?(?:\\*/|$)")
	markupBlock  = regexp.MustCompile(`(?s)<!--.*?(?:-->|$)`)
)

// commentMarks asks the registry of languages, and chooses else by the extension; files of an unknown one have comments
// behind "#", as most configuration has.
func commentMarks(p string) commentSyntax {
	if l := languages.Detect(p); l != nil && l.LineComment == "//" {
		return commentSyntax{line: slashComment, block: slashBlock}
	}
	switch strings.ToLower(path.Ext(p)) {
	case ".mod", ".c", ".h", ".cc", ".cpp", ".hpp", ".kt", ".kts", ".scala", ".swift", ".groovy", ".gradle", ".proto",
		".php", ".css", ".scss":
		return commentSyntax{line: slashComment, block: slashBlock}
	case ".xml", ".html", ".htm", ".vue", ".svelte":
		return commentSyntax{line: noComment, block: markupBlock}
	case ".json":
		return commentSyntax{line: noComment}
	case ".py", ".pyi", ".pyx":
		return commentSyntax{line: hashComment, docstrings: true}
	}
	return commentSyntax{line: hashComment}
}

// code returns lines without comments and white space.
func (s commentSyntax) code(lines []string) string {
	return strings.Join(strings.Fields(s.uncommented(lines)), "")
}

// uncommented returns lines without comments.
func (s commentSyntax) uncommented(lines []string) string {
	drop := func(found string) string {
		if strings.ContainsAny(found[:1], "\"'`") {
			return found
		}
		return ""
	}
	kept := make([]string, len(lines))
	for i, line := range lines {
		kept[i] = s.line.ReplaceAllStringFunc(line, drop)
	}
	all := strings.Join(kept, "\n")
	if s.block != nil {
		all = s.block.ReplaceAllStringFunc(all, drop)
	}
	return all
}

// OnlyComments reports whether a change of a source file leaves all code as it
// is: whether each hunk has the same lines before and after it once comments,
// docstrings and blank lines are taken out. A hunk inside of a comment or
// docstring whose beginning it does not show has code for all that it tells.
// Comments that tools obey count as code.
func OnlyComments(f *unidiff.File) bool {
	if f.OldPath != f.NewPath || f.IsBinary || f.OldMode != f.NewMode || len(f.Hunks) == 0 ||
		!pathkind.IsSource(f.NewPath) {
		return false
	}
	marks := commentMarks(f.NewPath)
	for _, h := range f.Hunks {
		var old, new []string
		for _, l := range h.Lines {
			if l.Kind != unidiff.Context && directive.MatchString(l.Text) {
				return false
			}
			if l.Kind != unidiff.Added {
				old = append(old, l.Text)
			}
			if l.Kind != unidiff.Deleted {
				new = append(new, l.Text)
			}
		}
		if !slices.Equal(marks.codeLines(old), marks.codeLines(new)) {
			return false
		}
	}
	return true
}

// codeLines are the lines that hold code, without the comments behind it.
// Indentation stays: in Python it is code.
func (s commentSyntax) codeLines(lines []string) []string {
	all := s.uncommented(lines)
	if s.docstrings {
		all = docstring.ReplaceAllString(all, "$1")
	}
	var out []string
	for line := range strings.SplitSeq(all, "\n") {
		if line = strings.TrimRight(line, " \t\r"); line != "" {
			out = append(out, line)
		}
	}
	return out
}

var (
	// docstring matches one that is whole, behind the colon of what it documents.
	docstring = regexp.MustCompile(`(?s)(:[ \t]*\n\s*)[rRuU]?(?:""".*?"""|'''.*?''')`)
	// directive matches comments that change what is built or checked.
	directive = regexp.MustCompile(`^\s*(?://go:|// \+build|/// <reference|//\s*@ts-|#!|#\s*type:|#\s*-\*-)`)
)
