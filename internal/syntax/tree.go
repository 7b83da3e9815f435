package syntax

import (
	"bytes"
	"sort"
	"strings"
)

// none means "no node".
const none int32 = -1

// node is one node of a tree, laid out as in C. It holds no pointer: a file has
// hundreds of thousands, and the garbage collector need not look at them.
type node struct {
	from, to            uint32
	parent, first, next int32
	symbol, field       uint16 // the grammar's; see kind and field of tree
	named, broken       bool
}

// tree is a parsed source as plain Go data: walking it needs no call into C,
// and nothing of it can dangle. Node 0 is the root. Tokens that the grammar does
// not want are left out.
type tree struct {
	g      *grammar
	src    []byte
	lines  []uint32 // offset of each line's first byte
	nodes  []node
	errors int    // ERROR and MISSING nodes
	lost   uint32 // bytes inside outermost ERROR nodes
}

// begins reports whether the node's text begins with the prefix.
func (t *tree) begins(n int32, prefix string) bool {
	return bytes.HasPrefix(t.src[t.nodes[n].from:t.nodes[n].to], []byte(prefix))
}

func (t *tree) kind(n int32) string {
	if n == none {
		return ""
	}
	return t.g.kind(t.nodes[n].symbol)
}

// field is the name of the parent's field that holds a named node; "" for none.
func (t *tree) field(n int32) string { return t.g.fields[t.nodes[n].field] }

func (t *tree) text(n int32) string {
	if n == none {
		return ""
	}
	return string(t.src[t.nodes[n].from:t.nodes[n].to])
}

// line is the 1-based line of a byte offset.
func (t *tree) line(at uint32) int {
	return sort.Search(len(t.lines), func(i int) bool { return t.lines[i] > at })
}

// span is the lines of the bytes from, inclusive, to to, exclusive.
func (t *tree) span(from, to uint32) Span {
	return Span{t.line(from), t.line(max(from, to, 1) - b2u(to > from))}
}

func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// child is the first child in the field, or none.
func (t *tree) child(n int32, field string) int32 {
	if n == none {
		return none
	}
	for c := t.nodes[n].first; c != none; c = t.nodes[c].next {
		if t.field(c) == field {
			return c
		}
	}
	return none
}

// childOf is the first child of one of the kinds, or none.
func (t *tree) childOf(n int32, kinds ...string) int32 {
	if n == none {
		return none
	}
	for c := t.nodes[n].first; c != none; c = t.nodes[c].next {
		kind := t.kind(c)
		for _, k := range kinds {
			if kind == k {
				return c
			}
		}
	}
	return none
}

// children calls f for each named child.
func (t *tree) children(n int32, f func(c int32)) {
	if n == none {
		return
	}
	for c := t.nodes[n].first; c != none; c = t.nodes[c].next {
		if t.nodes[c].named {
			f(c)
		}
	}
}

// firstNamed is the first named child that is not a comment, or none.
func (t *tree) firstNamed(n int32) int32 {
	if n == none {
		return none
	}
	for c := t.nodes[n].first; c != none; c = t.nodes[c].next {
		if t.nodes[c].named && !IsComment(t.kind(c)) {
			return c
		}
	}
	return none
}

// IsComment reports whether a kind of node is a comment.
func IsComment(kind string) bool {
	return kind == "comment" || kind == "line_comment" || kind == "block_comment" || kind == "html_comment"
}

// maxDotted is the longest text of names joined by dots.
const maxDotted = 200

// dotted is the text of names joined by dots; "?" if there is anything else.
func (t *tree) dotted(n int32) string {
	if n != none && t.nodes[n].to-t.nodes[n].from > maxDotted {
		return "?"
	}
	s := strings.ReplaceAll(t.text(n), "?.", ".")
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '.' && c != '_' && c != '$' && c < 0x80 && !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9') {
			return "?"
		}
	}
	return s
}

// literal is the content of a string literal without escapes and
// interpolations; false for anything else.
func (t *tree) literal(n int32) (string, bool) {
	if n == none {
		return "", false
	}
	if !t.g.strings[t.kind(n)] {
		return "", false
	}
	s := t.text(n)
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

// lineStarts are the offsets of the lines' first bytes. A final line break
// starts no line.
func lineStarts(src []byte) []uint32 {
	out := make([]uint32, 1, bytes.Count(src, []byte{'\n'})+1)
	for i, c := range src {
		if c == '\n' && i+1 < len(src) {
			out = append(out, uint32(i+1))
		}
	}
	return out
}
