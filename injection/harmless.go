package injection

import (
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// Harmless is the ordered list of edits that look like slips and change nothing. Controls use them.
var Harmless = []Operator{renamedThroughout, reindentedBlock}

// renamedThroughout renames a local variable and every use of it.
var renamedThroughout = Operator{Kind: "renamed", Find: func(s *Source) []Mutation {
	n := s.names()
	var out []Mutation
	for _, b := range n.soleBindings() {
		if b.Field() != "left" || !b.Parent().Is("assignment") || n.scopeOf(b) == 0 || n.boundIn(b.Text()) != 1 {
			continue
		}
		slip := otherName(b.Text(), n.words, b.From())
		if slip == "" || strings.HasPrefix(b.Text(), "__") {
			continue
		}
		m := Mutation{Kind: "renamed", Edits: []Edit{replacing(b, slip)}}
		for _, u := range n.uses {
			if u.node.Text() == b.Text() {
				m.Edits = append(m.Edits, replacing(u.node, slip))
			}
		}
		m.Order()
		out = append(out, m)
	}
	return out
}}

// scopeOf is the scope that binds a node; the module's where it is not found.
func (n *names) scopeOf(b syntax.Node) int {
	for i := range n.scopes {
		if slices.Contains(n.scopes[i].bound[b.Text()], b) {
			return i
		}
	}
	return 0
}

// boundIn counts the scopes that bind the name, or declare it bound elsewhere.
func (n *names) boundIn(name string) int {
	count := 0
	for i := range n.scopes {
		if len(n.scopes[i].bound[name]) > 0 {
			count++
		}
		if n.scopes[i].elsewhere[name] != "" {
			count++
		}
	}
	return count
}

// reindentedBlock gives every line of a block half a level more.
var reindentedBlock = Operator{Kind: "reindented", Find: func(s *Source) []Mutation {
	lines := s.lines()
	half := strings.Repeat(" ", max(1, len(indentUnit(lines))/2))
	var out []Mutation
	for i := 1; i < len(lines); i++ {
		indent := lines[i].indent
		if !lines[i-1].opens || strings.Trim(indent, " ") != "" || len(indent) <= len(lines[i-1].indent) {
			continue
		}
		m := Mutation{Kind: "reindented"}
		for j := i; j < len(lines) && len(lines[j].indent) >= len(indent) && strings.HasPrefix(lines[j].indent, indent); j++ {
			if lines[j].joined() || lines[j].opens {
				m.Edits = nil // text inside must not move, and a block in a block is more than a slip
				break
			}
			m.Edits = append(m.Edits, Edit{Offset: lines[j].start - len(lines[j].indent), Line: lines[j].first, Old: indent,
				New: indent + half})
		}
		if len(m.Edits) > 0 {
			out = append(out, m)
		}
	}
	return out
}}

// ProveHarmless makes a harmless edit and says that the file is as clean as
// before, with the same names bound in as many scopes. The error is a *Refusal,
// or ErrEdit for edits that do not fit.
func (s *Source) ProveHarmless(m Mutation) ([]byte, error) {
	edited, err := Apply(s.Source(), m.Edits)
	if err != nil {
		return nil, err
	}
	after, err := Read(edited)
	if err != nil {
		return nil, refuse(RefusedOtherError, "it does not parse")
	}
	if s.names().unsupported != "" {
		return nil, refuse(RefusedUnsupported, "%s", s.names().unsupported)
	}
	if err := after.Clean(); err != nil {
		return nil, err
	}
	if before, now := s.names(), after.names(); len(before.uses) != len(now.uses) ||
		len(before.scopes) != len(now.scopes) || len(s.lines()) != len(after.lines()) {
		return nil, refuse(RefusedOtherError, "it is another program")
	}
	return edited, nil
}
