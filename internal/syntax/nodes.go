package syntax

import (
	"bytes"
	"slices"
	"strings"
)

// Tree is a source with all its nodes, for code that edits bytes at the
// positions of nodes. It is never changed and may be shared by goroutines.
type Tree struct{ t *tree }

// Source is the bytes that were parsed; not to be changed.
func (t *Tree) Source() []byte { return t.t.src }

// Root is the node of the whole file.
func (t *Tree) Root() Node { return Node{t.t, 0} }

// Line is the 1-based line of a byte offset.
func (t *Tree) Line(offset int) int { return t.t.line(uint32(offset)) }

// Node is a node of a Tree: a value, cheap to copy and comparable. The zero
// Node is "none": its methods return zero values.
type Node struct {
	t *tree
	i int32
}

// node is the node, or none.
func (t *tree) node(i int32) Node {
	if i == none {
		return Node{}
	}
	return Node{t, i}
}

// Exists reports whether there is a node.
func (n Node) Exists() bool { return n.t != nil }

// Index is the node's number in source order, parents before children.
func (n Node) Index() int { return int(n.i) }

// Kind is the grammar's name of the node: "identifier", "call", "+".
func (n Node) Kind() string {
	if n.t == nil {
		return ""
	}
	return n.t.kind(n.i)
}

// Is reports whether the node is of one of the kinds.
func (n Node) Is(kinds ...string) bool {
	return n.t != nil && slices.Contains(kinds, n.t.kind(n.i))
}

// Field is the name of the parent's field that holds the node, "" for none.
func (n Node) Field() string {
	if n.t == nil {
		return ""
	}
	return n.t.field(n.i)
}

// Text is the node's bytes.
func (n Node) Text() string {
	if n.t == nil {
		return ""
	}
	return n.t.text(n.i)
}

// From is the offset of the first byte.
func (n Node) From() int {
	if n.t == nil {
		return 0
	}
	return int(n.t.nodes[n.i].from)
}

// To is the offset behind the last byte.
func (n Node) To() int {
	if n.t == nil {
		return 0
	}
	return int(n.t.nodes[n.i].to)
}

// Lines are the lines that the node covers.
func (n Node) Lines() Span {
	if n.t == nil {
		return Span{}
	}
	return n.t.span(n.t.nodes[n.i].from, n.t.nodes[n.i].to)
}

// Parent is the node around it; none for the root.
func (n Node) Parent() Node {
	if n.t == nil {
		return Node{}
	}
	return n.t.node(n.t.nodes[n.i].parent)
}

// Child is the first child in the field of that name, or none.
func (n Node) Child(field string) Node {
	if n.t == nil {
		return Node{}
	}
	for c := n.t.nodes[n.i].first; c != none; c = n.t.nodes[c].next {
		if n.t.field(c) == field {
			return Node{n.t, c}
		}
	}
	return Node{}
}

// ChildOf is the first child of one of the kinds, or none.
func (n Node) ChildOf(kinds ...string) Node {
	if n.t == nil {
		return Node{}
	}
	for c := n.t.nodes[n.i].first; c != none; c = n.t.nodes[c].next {
		if slices.Contains(kinds, n.t.kind(c)) {
			return Node{n.t, c}
		}
	}
	return Node{}
}

// Children are all children in source order, tokens included.
func (n Node) Children() []Node {
	if n.t == nil {
		return nil
	}
	var out []Node
	for c := n.t.nodes[n.i].first; c != none; c = n.t.nodes[c].next {
		out = append(out, Node{n.t, c})
	}
	return out
}

// NamedChildren are the named children in source order, without comments.
func (n Node) NamedChildren() []Node {
	var out []Node
	n.Each(func(c Node) {
		if !c.IsComment() {
			out = append(out, c)
		}
	})
	return out
}

// Walk visits the node and everything below it in source order, without
// recursion. It does not enter a node for which f returns false.
func (n Node) Walk(f func(Node) bool) {
	if n.t == nil {
		return
	}
	for stack := []int32{n.i}; len(stack) > 0; {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !f(Node{n.t, at}) {
			continue
		}
		bottom := len(stack)
		for c := n.t.nodes[at].first; c != none; c = n.t.nodes[c].next {
			stack = append(stack, c)
		}
		for i, j := bottom, len(stack)-1; i < j; i, j = i+1, j-1 {
			stack[i], stack[j] = stack[j], stack[i]
		}
	}
}

// Next is the next named sibling that is not a comment, or none.
func (n Node) Next() Node {
	if n.t == nil {
		return Node{}
	}
	for c := n.t.nodes[n.i].next; c != none; c = n.t.nodes[c].next {
		if n.t.nodes[c].named && !IsComment(n.t.kind(c)) {
			return Node{n.t, c}
		}
	}
	return Node{}
}

// IsNamed reports whether the node is more than a token.
func (n Node) IsNamed() bool { return n.t != nil && n.t.nodes[n.i].named }

// IsComment reports whether the node is a comment.
func (n Node) IsComment() bool { return n.t != nil && IsComment(n.t.kind(n.i)) }

// Begins reports whether the node's text begins with the prefix.
func (n Node) Begins(prefix string) bool {
	return n.t != nil && bytes.HasPrefix(n.t.src[n.t.nodes[n.i].from:n.t.nodes[n.i].to], []byte(prefix))
}

// FirstChild is the first child, be it a token or a comment, or none.
func (n Node) FirstChild() Node {
	if n.t == nil {
		return Node{}
	}
	return n.t.node(n.t.nodes[n.i].first)
}

// NextSibling is what follows in the parent, be it a token or a comment, or none.
func (n Node) NextSibling() Node {
	if n.t == nil {
		return Node{}
	}
	return n.t.node(n.t.nodes[n.i].next)
}

// FirstNamed is the first named child that is not a comment, or none.
func (n Node) FirstNamed() Node {
	if n.t == nil {
		return Node{}
	}
	for c := n.t.nodes[n.i].first; c != none; c = n.t.nodes[c].next {
		if n.t.nodes[c].named && !IsComment(n.t.kind(c)) {
			return Node{n.t, c}
		}
	}
	return Node{}
}

// Each calls f for each named child, comments included.
func (n Node) Each(f func(Node)) {
	if n.t == nil {
		return
	}
	for c := n.t.nodes[n.i].first; c != none; c = n.t.nodes[c].next {
		if n.t.nodes[c].named {
			f(Node{n.t, c})
		}
	}
}

// maxDotted is the longest text of names joined by dots.
const maxDotted = 200

// Dotted is the text of names joined by dots; "?" if there is anything else, ""
// for no node.
func (n Node) Dotted() string {
	if n.To()-n.From() > maxDotted {
		return "?"
	}
	s := strings.ReplaceAll(n.Text(), "?.", ".")
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '.' && c != '_' && c != '$' && c < 0x80 &&
			!('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9') {
			return "?"
		}
	}
	return s
}

// Literal is the content of a string literal without escapes and interpolations;
// false for anything else.
func (n Node) Literal() (string, bool) {
	if n.t == nil || !n.t.g.strings[n.Kind()] {
		return "", false
	}
	s := n.Text()
	if i := strings.IndexAny(s, "'\"`"); i > 0 && i <= 2 {
		if strings.ContainsAny(s[:i], "fFbB") {
			return "", false
		}
		s = s[i:]
	}
	for _, q := range []string{`"""`, `'''`, `"`, `'`, "`"} {
		if len(s) >= 2*len(q) && strings.HasPrefix(s, q) && strings.HasSuffix(s, q) {
			s = s[len(q) : len(s)-len(q)]
			return s, !strings.ContainsAny(s, "\\\n") && !strings.Contains(s, "${")
		}
	}
	return "", false
}

// TrimmedLines are the lines of the node without white space at its end: Python's
// blocks may run into the next line.
func (n Node) TrimmedLines() Span {
	if n.t == nil {
		return Span{}
	}
	from := n.t.nodes[n.i].from
	return n.t.span(from, n.t.trimEnd(from, n.t.nodes[n.i].to))
}
