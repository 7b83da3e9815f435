package syntax

import (
	"bytes"
	"sort"

	sitter "github.com/smacker/go-tree-sitter"
)

// ErrorKind is the kind of the nodes for what the grammar did not understand.
const ErrorKind = "ERROR"

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

// grammar has the names of a grammar as Go strings, so that copying a node
// allocates nothing. It is immutable.
type grammar struct {
	lang    *sitter.Language
	mask    func(src []byte) []byte // nil leaves the source as it is
	kinds   []string                // by symbol, like roles
	roles   []uint8
	fields  []string // by field id
	strings map[string]bool
}

// kind is the name of a kind of node.
func (g *grammar) kind(symbol uint16) string {
	if int(symbol) >= len(g.kinds) {
		return ErrorKind
	}
	return g.kinds[symbol]
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

// trimEnd drops white space at the end of a node: Python's blocks may run into
// the next line.
func (t *tree) trimEnd(from, to uint32) uint32 {
	for to > from && (t.src[to-1] == '\n' || t.src[to-1] == ' ' || t.src[to-1] == '\t' || t.src[to-1] == '\r') {
		to--
	}
	return to
}

func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// IsComment reports whether a kind of node is a comment.
func IsComment(kind string) bool {
	return kind == "comment" || kind == "line_comment" || kind == "block_comment" || kind == "html_comment"
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
