package injection

import "github.com/prforge/prforge/internal/syntax"

// droppedAssignment (U4) leaves out the one assignment that binds a name.
var droppedAssignment = Operator{Kind: "U4", Find: func(s *Source) []Mutation {
	var out []Mutation
	for _, b := range s.names().soleBindings() {
		if b.Field() != "left" || !b.Parent().Is("assignment") || b.Parent().Child("type").Exists() || !b.Parent().Parent().Is("expression_statement") {
			continue
		}
		if e, ok := dropStatement(s, b.Parent().Parent()); ok {
			out = append(out, Mutation{Kind: "U4", Edits: []Edit{e}, Intended: b.Text()})
		}
	}
	return out
}}

// dropStatement removes a statement that is alone on its lines and not alone in
// its block.
func dropStatement(s *Source, n syntax.Node) (Edit, bool) {
	siblings := 0
	for _, c := range n.Parent().NamedChildren() {
		if c != n {
			siblings++
		}
	}
	from, to, ok := wholeLines(s, n)
	if siblings == 0 || !ok {
		return Edit{}, false
	}
	return s.removing(from, to), true
}

// wholeLines are the bytes of the logical line that a statement is, with its
// line break; false if it shares the line or is none.
func wholeLines(s *Source, n syntax.Node) (from, to int, ok bool) {
	for _, l := range s.lines() {
		if l.start == n.From() {
			alone := n.Next().Lines().Start != n.Lines().End && s.Source()[l.to-1] == '\n' && l.last == n.Lines().End
			return l.from, l.to, alone
		}
	}
	return 0, 0, false
}
