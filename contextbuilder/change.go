package contextbuilder

import (
	"slices"
	"strings"

	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/syntax"
	"github.com/prforge/prforge/internal/unidiff"
)

// modes of tree entries that hold no text of the repository.
const (
	modeSymlink   = 0o120000
	modeSubmodule = 0o160000
)

// pull is the analysis of a pull request. It is made once, before any text, and the three texts only read it.
type pull struct {
	in       *Input
	graph    *imports.Graph // nil without a base
	head     *imports.Graph // after the change; nil when nothing is known of it
	changes  []*change      // in the order of layer 2: best first
	summary  string         // section of layer 1
	problems []string
	blocks   *blocks
	counter  *tokens.Lines // cache: the three texts consider much the same lines
	*related
}

// change is one changed file.
type change struct {
	diff     *unidiff.File
	path     string // as shown: the new path, or the old one of a deleted file
	class    class
	language *syntax.Language // nil for a file without a grammar
	raw      []byte           // old content; nil when there is none or it cannot be read
	base     []byte           // the same as syntax.Normalize leaves it
	head     []byte           // new content, normalized; nil when it is not known
	was, is  *syntax.File     // nil where there is no content or no grammar
	reducer  *syntax.Reducer  // of was, if that was parsed for this pull request
	touched  []int            // definitions of was that innermost enclose the changed lines, in source order
	tests    []int            // of those, of production code, what only tests run: touched lacks them
	score    float64
	like     *change // a higher-ranked file of its class that changes alike but for names; nil for none
}

// content is the file after the change or, if that is unknown, before it.
func (c *change) content() []byte {
	if c.head != nil {
		return c.head
	}
	return c.raw
}

// class orders files of layer 2 before their scores.
type class int

const (
	production class = iota
	other            // build files, configuration, data, languages without a grammar
	test
	docs
	generated // and vendored, binary, lock files
)

func classOf(f *unidiff.File, content []byte, language *syntax.Language) class {
	path := f.Path()
	switch {
	case f.IsBinary, pathkind.IsVendored(path), pathkind.IsGenerated(path, content):
		return generated
	case pathkind.IsTest(path):
		return test
	case pathkind.IsDocs(path):
		return docs
	case language != nil && pathkind.IsProduction(path):
		return production
	default:
		return other
	}
}

// splitTests separates tests in the same file as the code that they test.
func (c *change) splitTests() {
	c.touched = slices.DeleteFunc(c.touched, func(def int) bool {
		if !c.was.Definitions[def].InTests {
			return false
		}
		c.tests = append(c.tests, def)
		return true
	})
}

// touched lists the definitions of the base that the changed lines lie in. An added line belongs to its innermost
// definition after the change that the base has too.
func touched(c *change) []int {
	if c.was == nil {
		return nil
	}
	set := map[int]bool{}
	for _, h := range c.diff.Hunks {
		for _, l := range h.Lines {
			if l.Kind == unidiff.Context || strings.TrimSpace(l.Text) == "" {
				continue
			}
			def := -1
			if l.Kind == unidiff.Deleted {
				def = c.was.Enclosing(l.Old)
			} else if c.is != nil {
				def = counterpart(c.is, c.is.Enclosing(l.New), c.was)
			}
			if def >= 0 {
				set[def] = true
			}
		}
	}
	out := make([]int, 0, len(set))
	for def := range set {
		out = append(out, def)
	}
	slices.Sort(out)
	return out
}

// counterpart finds definition def, or else the nearest enclosing one, in another version of the file; -1 if there is
// none.
func counterpart(from *syntax.File, def int, to *syntax.File) int {
	for ; def >= 0; def = from.Definitions[def].Parent {
		d := &from.Definitions[def]
		best := -1
		for i := range to.Definitions {
			t := &to.Definitions[i]
			if t.Qualified != d.Qualified || t.Kind != d.Kind {
				continue
			}
			if t.Signature == d.Signature {
				return i
			}
			if best < 0 {
				best = i
			}
		}
		if best >= 0 {
			return best
		}
	}
	return -1
}

// related holds the candidates for layers 3 to 5, best first.
type related struct {
	execution, tests []*snippet
	settings         []*setting
}

// definitionAt names the innermost definition that a line of the diff lies in,
// on the side where it is; "" if there is none.
func (c *change) definitionAt(l unidiff.Line) string {
	file, line := c.is, l.New
	if l.Kind == unidiff.Deleted {
		file, line = c.was, l.Old
	}
	if file == nil {
		return ""
	}
	if def := file.Enclosing(line); def >= 0 {
		return file.Definitions[def].Qualified
	}
	return ""
}

// isLocal reports whether a definition lies inside a function.
func isLocal(f *syntax.File, def int) bool {
	for def = f.Definitions[def].Parent; def >= 0; def = f.Definitions[def].Parent {
		if isFunction(f.Definitions[def].Kind) {
			return true
		}
	}
	return false
}
