// Package debugging puts faults into Python scripts that run, and decides from records of runs which of them are good
// questions: where the cause is, where the effect shows, which faults fit together.
//
// It is pure. An operator changes one statement and nothing else; what the
// change does is not the operator's word but a run's.
package debugging

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/prforge/prforge/injection"
	"github.com/prforge/prforge/internal/languages/python"
	"github.com/prforge/prforge/internal/syntax"
)

// Script is a parsed script.
type Script struct {
	Tree *syntax.Tree
	// Statements are in source order, a compound one before those inside it.
	Statements []Statement
	byNode     map[int]int // a statement's node -> its index
	names      map[string]int
}

// Span is the lines of a statement, 1-based and inclusive; those of a compound
// statement are its header's.
type Span struct {
	First int `json:"first"`
	Last  int `json:"last"`
}

// overlaps reports whether two spans share a line.
func (s Span) overlaps(o Span) bool { return s.First <= o.Last && o.First <= s.Last }

// Statement is one statement, or the header of a compound one.
type Statement struct {
	Node     syntax.Node
	Span     Span
	Compound bool
	// Shared is true if another statement has a line of this one: line numbers then cannot distinguish them.
	Shared bool
}

// Parse reads a script. The error wraps syntax.ErrNoTree. src must not change
// afterwards.
func Parse(src []byte) (*Script, error) {
	tree, err := syntax.ParseTree(python.Language, src, syntax.DefaultOptions())
	if err != nil {
		return nil, fmt.Errorf("parse a script: %w", err)
	}
	s := &Script{Tree: tree, byNode: map[int]int{}, names: map[string]int{}}
	tree.Root().Walk(func(n syntax.Node) bool {
		if n.Is("identifier") {
			s.names[n.Text()]++
		}
		if isStatement(n) {
			s.byNode[n.Index()] = len(s.Statements)
			s.Statements = append(s.Statements, statement(tree, n))
		}
		return true
	})
	used := map[int]int{}
	for i, st := range s.Statements {
		for line := st.Span.First; line <= st.Span.Last; line++ {
			if j, taken := used[line]; taken {
				s.Statements[i].Shared, s.Statements[j].Shared = true, true
			}
			used[line] = i
		}
	}
	return s, nil
}

// isStatement reports whether a node is a statement or a clause with a header.
func isStatement(n syntax.Node) bool {
	return strings.HasSuffix(n.Kind(), "_statement") ||
		n.Is("function_definition", "class_definition", "elif_clause", "except_clause", "case_clause")
}

// statement measures a statement: a compound one ends where its block begins.
func statement(tree *syntax.Tree, n syntax.Node) Statement {
	from, to := n.From(), n.To()
	compound := false
	for _, c := range n.Children() {
		if c.Is("block") {
			compound = true
			break
		}
		if c.Is(":") {
			to = c.To()
		}
	}
	if !compound {
		to = n.To()
	}
	return Statement{Node: n, Span: Span{tree.Line(from), tree.Line(max(from, to-1))}, Compound: compound}
}

// at is the index of the statement whose own text holds the node, -1 where it is
// inside none.
func (s *Script) at(n syntax.Node) int {
	for ; n.Exists(); n = n.Parent() {
		if i, ok := s.byNode[n.Index()]; ok {
			return i
		}
	}
	return -1
}

// Source is the script's bytes; not to be changed.
func (s *Script) Source() []byte { return s.Tree.Source() }

// Line is a line's text without white space around it; "" beyond the end.
func Line(src []byte, line int) string {
	lines := bytes.Split(src, []byte("\n"))
	if line < 1 || line > len(lines) {
		return ""
	}
	return strings.TrimSpace(string(lines[line-1]))
}

// Candidate is a change of one statement.
type Candidate struct {
	Operator string
	// Statement is the index of the statement that is changed.
	Statement int
	Edits     []injection.Edit
	// Equivalent are statements where one change would repair the script too.
	Equivalent []Span
}

// Apply gives the script with the change made.
func (s *Script) Apply(c Candidate) ([]byte, error) {
	return injection.Apply(s.Source(), c.Edits)
}

// Key identifies a candidate among those of its script.
func (c Candidate) Key() string {
	return fmt.Sprintf("%s %d %+v", c.Operator, c.Statement, c.Edits)
}

// replace is the change of one node's text.
func (s *Script) replace(n syntax.Node, text string) []injection.Edit {
	if !n.Exists() || n.Text() == text {
		return nil
	}
	return []injection.Edit{s.edit(n.From(), n.To(), text)}
}

// edit replaces bytes.
func (s *Script) edit(from, to int, text string) injection.Edit {
	return injection.Edit{Offset: from, Line: s.Tree.Line(from), Old: string(s.Source()[from:to]), New: text}
}

// candidate makes a Candidate of edits around a node; ok is false where there is
// no edit or no statement that could hold it.
func (s *Script) candidate(n syntax.Node, edits ...injection.Edit) (Candidate, bool) {
	i := s.at(n)
	if i < 0 || len(edits) == 0 || s.Statements[i].Shared {
		return Candidate{}, false
	}
	slices.SortFunc(edits, func(a, b injection.Edit) int { return a.Offset - b.Offset })
	return Candidate{Statement: i, Edits: edits}, true
}
