package scripts

import (
	"slices"

	"github.com/prforge/prforge/internal/syntax"
)

// Group is what an operator touches. Quotas go by it.
type Group string

// The groups. Names are easy to spot and get the smallest quota; data flows
// from the cause to an effect elsewhere.
const (
	Names Group = "names"
	Data  Group = "data"
	Calls Group = "calls"
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

// Operators are all operators in the order in which they are tried.
func Operators() []Operator {
	return []Operator{
		readOption, stepDropped, trainTest, dtype, shape, slice, callDropped, inplaceNone,
		valuesDropped, arrayDropped, container, returnDropped, unpack, offByOne, axis,
		numberAsText, columnDropped, columnName, swappedArguments,
		keywordName, functionName,
		nameDefined, importAlias, importDropped,
	}
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
