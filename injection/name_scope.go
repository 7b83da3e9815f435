package injection

import (
	"maps"
	"slices"
)

// otherScope (U6) writes, in the place of a name, one that only another function
// of the file has and that shares a part with it: pasted from there.
var otherScope = Operator{Kind: "U6", Find: func(s *Source) []Mutation {
	n := s.names()
	var foreign []string
	for i := range n.scopes {
		if n.scopes[i].kind == functionScope {
			foreign = slices.AppendSeq(foreign, maps.Keys(n.scopes[i].bound))
		}
	}
	slices.Sort(foreign)
	foreign = slices.DeleteFunc(slices.Compact(foreign), func(name string) bool {
		return len(name) < minWord || receiver(name) || name[0] == '_' || keywords[name]
	})
	var out []Mutation
	for _, u := range n.uses {
		if r := n.resolve(u.name, u.scope); r != local && r != enclosing || receiver(u.name) {
			continue
		}
		if name := n.unseen(foreign, u); name != "" {
			out = append(out, renaming("U6", u, name))
		}
	}
	return out
}}

// unseen draws one of the names that a use cannot see.
func (n *names) unseen(foreign []string, u use) string {
	best, rank := "", ""
	for _, name := range foreign {
		if h := string(hashOf(u.node.From(), name)); (best == "" || h < rank) && common(name, u.name) > 0 &&
			n.resolve(name, u.scope) == nowhere {
			best, rank = name, h
		}
	}
	return best
}
