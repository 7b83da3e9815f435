package injection

import (
	"fmt"
	"sync"

	"github.com/prforge/prforge/internal/syntax"
)

// Source is a Python file as operators and rules see it. It is never changed
// and may be shared by goroutines.
type Source struct {
	*syntax.Tree
	lines func() []line
	names func() *names
}

// Read parses a Python file; the bytes are kept and must not change. Errors are
// syntax.ErrNoTree.
func Read(src []byte) (*Source, error) {
	tree, err := syntax.ParsePython(src, syntax.DefaultOptions())
	if err != nil {
		return nil, fmt.Errorf("read the Python source: %w", err)
	}
	s := &Source{Tree: tree}
	s.lines = sync.OnceValue(func() []line { return logicalLines(tree) })
	s.names = sync.OnceValue(func() *names { return resolveNames(tree) })
	return s, nil
}

// LogicalLines is how many logical lines the file has: statements' lines, with
// continuation lines joined, blank and comment lines left out.
func (s *Source) LogicalLines() int { return len(s.lines()) }

// LogicalLinesOn counts the logical lines that begin on one of the lines.
func (s *Source) LogicalLinesOn(lines map[int]bool) int {
	n := 0
	for _, l := range s.lines() {
		if lines[l.first] {
			n++
		}
	}
	return n
}
