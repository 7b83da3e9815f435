package syntax

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	sitter "github.com/smacker/go-tree-sitter"
)

// plain is a node as the binding gives it, and as copyTree does.
type plain struct {
	Kind, Field         string
	Named, Broken       bool
	From, To            uint32
	Parent, First, Next int32
}

// copied is what copyTree gives.
type copied struct {
	Nodes        []plain
	Errors, Lost int
}

// byCursor walks a tree through the binding, a few calls into C for each node.
func byCursor(t *sitter.Tree, g *grammar, maxDepth int) copied {
	var out copied
	var visit func(c *sitter.TreeCursor, parent int32, depth int) int32
	visit = func(c *sitter.TreeCursor, parent int32, depth int) int32 {
		n := c.CurrentNode()
		out.Errors += one(n.IsError()) + one(n.IsMissing())
		if n.IsError() && (parent == none || out.Nodes[parent].Kind != ErrorKind) {
			out.Lost += int(n.EndByte() - n.StartByte())
		}
		if !hasRole(g, n, wanted) && n.ChildCount() == 0 {
			return none
		}
		i := int32(len(out.Nodes))
		field := ""
		if n.IsNamed() {
			field = c.CurrentFieldName()
		}
		out.Nodes = append(out.Nodes, plain{
			Kind: n.Type(), Field: field, Named: n.IsNamed(), From: n.StartByte(), To: n.EndByte(),
			Parent: parent, First: none, Next: none, Broken: n.HasError() || n.IsError() || n.IsMissing(),
		})
		if depth == maxDepth || hasRole(g, n, leaf) || !c.GoToFirstChild() {
			return i
		}
		last := none
		for more := true; more; more = c.GoToNextSibling() {
			next := visit(c, i, depth+1)
			switch {
			case next == none:
				continue
			case last == none:
				out.Nodes[i].First = next
			default:
				out.Nodes[last].Next = next
			}
			last = next
		}
		c.GoToParent()
		return i
	}
	c := sitter.NewTreeCursor(t.RootNode())
	defer c.Close()
	visit(c, none, 0)
	return out
}

// hasRole looks a role up; ERROR's symbol has no entry.
func hasRole(g *grammar, n *sitter.Node, role uint8) bool {
	if int(n.Symbol()) >= len(g.roles) {
		return role != leaf
	}
	return g.roles[n.Symbol()]&role != 0
}

// byWalk walks a tree in C.
func byWalk(c *sitter.Tree, g *grammar, maxDepth int) copied {
	t := copyTree(c, g, nil, maxDepth)
	defer t.giveBack()
	out := copied{Errors: t.errors, Lost: int(t.lost)}
	for i, n := range t.nodes {
		out.Nodes = append(out.Nodes, plain{
			Kind: t.kind(int32(i)), Field: g.lang.FieldName(int(n.field)), Named: n.named, From: n.from, To: n.to,
			Parent: n.parent, First: n.first, Next: n.next, Broken: n.broken,
		})
	}
	return out
}

// CompareWalks compares the walk in C, which relies on the layout of the C
// library's structs, with the binding's own: of a source whole and cut off in the
// middle, which makes ERROR and MISSING nodes, to several depths. It returns how
// many of those there were, and the bytes in them.
func CompareWalks(t *testing.T, lang *Language, path string, src []byte) (errors, lost int) {
	t.Helper()
	for _, g := range []*grammar{lang.Grammar.get(), lang.Grammar.whole()} {
		for _, text := range [][]byte{src, src[:len(src)/2], src[len(src)/3:]} {
			got := compareWalks(t, path, g, text)
			errors += got.Errors
			lost += got.Lost
		}
	}
	return errors, lost
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// compareWalks gives the whole tree.
func compareWalks(t *testing.T, path string, g *grammar, text []byte) (got copied) {
	t.Helper()
	for _, depth := range []int{0, 1, 4, 1_000} {
		err := g.withTree(text, DefaultOptions().TimeLimit, func(c *sitter.Tree) {
			got = byWalk(c, g, depth)
			if diff := cmp.Diff(byCursor(c, g, depth), got); diff != "" {
				t.Fatalf("%s, %d bytes to depth %d: -cursor +walk:\n%s", path, len(text), depth, diff)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return got
}
