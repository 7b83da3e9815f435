package debugging

import (
	"slices"

	"github.com/prforge/prforge/internal/syntax"
)

// Group is the kind of thing that an operator changes. Quotas use it.
type Group string

// The groups. Spelling, of whatever, is easy to spot and gets the smallest quota;
// a wrong value flows from the cause to an effect elsewhere.
const (
	Names      Group = "names" // a word that is nowhere else, or a name that is not there
	Data       Group = "data"
	Calls      Group = "calls"
	Conditions Group = "conditions"
)

// Operator finds where one kind of slip can be made in a script.
type Operator struct {
	Name  string // stable: it is part of published records
	Group Group
	// Text says what it changes, for the documentation.
	Text string
	// Before and After are an example, which its test holds it to.
	Before, After string
	// Imports is true where it changes what is imported: a warm interpreter
	// would hide that.
	Imports bool
	find    func(*Script, *found)
}

// Find gives the operator's candidates in source order, each once.
func (o Operator) Find(s *Script) []Candidate {
	f := &found{script: s, seen: map[string]bool{}, operator: o.Name}
	o.find(s, f)
	slices.SortStableFunc(f.all, func(a, b Candidate) int { return a.Edits[0].Offset - b.Edits[0].Offset })
	return f.all
}

// found gathers candidates.
type found struct {
	script   *Script
	operator string
	all      []Candidate
	seen     map[string]bool
}

// put adds the change of one node's text.
func (f *found) put(n syntax.Node, text string, equivalent ...Span) {
	c, ok := f.script.candidate(n, f.script.replace(n, text)...)
	f.add(c, ok, equivalent)
}

// cut adds the removal of bytes inside a node's statement.
func (f *found) cut(n syntax.Node, from, to int, text string) {
	if from >= to && text == "" {
		return
	}
	c, ok := f.script.candidate(n, f.script.edit(from, to, text))
	f.add(c, ok, nil)
}

// swap exchanges two parts of one line.
func (f *found) swap(n, a, b syntax.Node) {
	if s := f.script; a.Text() != b.Text() && s.Tree.Line(a.From()) == s.Tree.Line(b.To()) {
		f.cut(n, a.From(), b.To(), b.Text()+string(s.Source()[a.To():b.From()])+a.Text())
	}
}

// drop leaves out one of the parts that commas separate.
func (f *found) drop(n syntax.Node, parts []syntax.Node, i int) {
	switch s := f.script; {
	case i > 0 && s.Tree.Line(parts[i-1].To()) == s.Tree.Line(parts[i].To()):
		f.cut(n, parts[i-1].To(), parts[i].To(), "")
	case i == 0 && len(parts) > 1 && s.Tree.Line(parts[0].From()) == s.Tree.Line(parts[1].From()):
		f.cut(n, parts[0].From(), parts[1].From(), "")
	}
}

func (f *found) add(c Candidate, ok bool, equivalent []Span) {
	if !ok {
		return
	}
	c.Operator, c.Equivalent = f.operator, equivalent
	if key := c.Key(); !f.seen[key] {
		f.seen[key] = true
		f.all = append(f.all, c)
	}
}
