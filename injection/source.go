package injection

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/prforge/prforge/internal/languages/python"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/syntax"
)

// Source is a Python file as operators and rules see it. It is never changed
// and may be shared by goroutines.
type Source struct {
	*syntax.Tree
	lines func() []line
	names func() *names

	behaviors Behaviors // nil where nothing was called
}

// Behaviors says what calls of the function around a mutation say of it; nil where
// nothing is known.
type Behaviors func(Mutation) *model.Behavior

// Read parses a Python file; the bytes are kept and must not change. Errors are
// syntax.ErrNoTree.
func Read(src []byte) (*Source, error) {
	tree, err := syntax.ParseTree(python.Language, src, syntax.DefaultOptions())
	if err != nil {
		return nil, fmt.Errorf("read the Python source: %w", err)
	}
	s := &Source{Tree: tree}
	s.lines = sync.OnceValue(func() []line { return logicalLines(tree) })
	s.names = sync.OnceValue(func() *names { return resolveNames(tree) })
	return s, nil
}

// WithBehaviors is the source with what calls say of mutations of it.
func (s *Source) WithBehaviors(b Behaviors) *Source {
	out := *s
	out.behaviors = b
	return &out
}

// LogicalLines is how many logical lines the file has: statements' lines, with
// continuation lines joined, blank and comment lines left out.
func (s *Source) LogicalLines() int { return len(s.lines()) }

// firstLine is the first physical line of the logical line that has a line.
func (s *Source) firstLine(line int) int {
	for _, l := range s.lines() {
		if l.first <= line && line <= l.last {
			return l.first
		}
	}
	return line
}

// lineAt is the 1-based line of an offset, the end of the file included.
func (s *Source) lineAt(offset int) int { return 1 + bytes.Count(s.Source()[:offset], []byte{'\n'}) }

// removing is the edit that removes some bytes.
func (s *Source) removing(from, to int) Edit {
	return Edit{Offset: from, Line: s.lineAt(from), Old: string(s.Source()[from:to])}
}

// FirstLines are, of each logical line that has any, the first physical line that
// is among those wanted.
func (s *Source) FirstLines(wanted func(line int) bool) []int {
	var out []int
	for _, l := range s.lines() {
		for n := l.first; n <= l.last; n++ {
			if wanted(n) {
				out = append(out, n)
				break
			}
		}
	}
	return out
}

// InText reports whether a comment or string of the file has the word.
func (s *Source) InText(word string) bool {
	found := false
	s.Root().Walk(func(n syntax.Node) bool {
		if n.Is("comment", "string") && HasWord(n.Text(), word) {
			found = true
		}
		return !found
	})
	return found
}

// Bound are the names that the file binds in any scope, sorted.
func (s *Source) Bound() []string {
	names := map[string]bool{}
	for i := range s.names().scopes {
		for name := range s.names().scopes[i].bound {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}
