package injection

import (
	"bytes"

	"github.com/prforge/prforge/internal/syntax"
)

// Operator finds where slips of one kind can be made.
type Operator struct {
	Kind string // stable: it is part of published records
	// Find gives the slips in the order of their first edit. Whether each is a
	// fault is for the rules or a run to say.
	Find func(*Source) []Mutation
}

// replacing is the edit that writes other text in the place of a node.
func replacing(n syntax.Node, with string) Edit {
	return Edit{Offset: n.From(), Line: n.Lines().Start, Old: n.Text(), New: with}
}

// dropStatement removes a statement that is alone on its lines and not alone in
// its block. One with a yield stays: without it its function may be no generator
// any more, which is a second fault.
func dropStatement(s *Source, n syntax.Node) (Edit, bool) {
	yields := false
	n.Walk(func(c syntax.Node) bool {
		yields = yields || c.Is("yield")
		return !yields
	})
	if yields {
		return Edit{}, false
	}
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

// renaming writes another name in the place of one use.
func renaming(kind string, u use, name string) Mutation {
	return Mutation{Kind: kind, Edits: []Edit{replacing(u.node, name)}, Intended: u.node.Text()}
}

// receiver reports whether a name is that of a method's receiver, which nobody
// renames.
func receiver(name string) bool { return name == "self" || name == "cls" }

// lineStart is the offset of the first byte of the line.
func lineStart(src []byte, at int) int { return bytes.LastIndexByte(src[:at], '\n') + 1 }

// lineEnd is the offset behind the line's line break.
func lineEnd(src []byte, at int) int {
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(src)
}
