package syntax

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sitter "github.com/smacker/go-tree-sitter"
	"golang.org/x/tools/txtar"
)

// plain is a node as the binding gives it, and as walk does.
type plain struct {
	Kind, Field                string
	Named                      bool
	From, To                   uint32
	Parent, First, Next        int32
	HasError, IsError, Missing bool
}

// byCursor walks a tree through the binding, a few calls into C for each node.
func byCursor(t *sitter.Tree, g *grammar, maxDepth int) []plain {
	var out []plain
	var visit func(c *sitter.TreeCursor, parent int32, depth int) int32
	visit = func(c *sitter.TreeCursor, parent int32, depth int) int32 {
		n := c.CurrentNode()
		i := int32(len(out))
		field := ""
		if n.IsNamed() {
			field = c.CurrentFieldName()
		}
		out = append(out, plain{
			Kind: n.Type(), Field: field, Named: n.IsNamed(), From: n.StartByte(), To: n.EndByte(),
			Parent: parent, First: none, Next: none, HasError: n.HasError(), IsError: n.IsError(), Missing: n.IsMissing(),
		})
		if depth == maxDepth || isLeaf(g, n) || !c.GoToFirstChild() {
			return i
		}
		last := visit(c, i, depth+1)
		out[i].First = last
		for c.GoToNextSibling() {
			next := visit(c, i, depth+1)
			out[last].Next = next
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

// isLeaf reports whether the walk ends at a node; ERROR's symbol has no entry.
func isLeaf(g *grammar, n *sitter.Node) bool {
	return int(n.Symbol()) < len(g.leaves) && g.leaves[n.Symbol()]
}

// byWalk walks a tree in C.
func byWalk(t *sitter.Tree, g *grammar, maxDepth int) []plain {
	var out []plain
	walk(t, g, maxDepth, func(nodes []walked) {
		for _, n := range nodes {
			kind, named := g.symbol(sitter.Symbol(n.symbol))
			out = append(out, plain{
				Kind: kind, Field: g.lang.FieldName(int(n.field)), Named: named, From: uint32(n.from), To: uint32(n.to),
				Parent: int32(n.parent), First: int32(n.first), Next: int32(n.next),
				HasError: bool(n.has_error), IsError: bool(n.is_error), Missing: bool(n.is_missing),
			})
		}
	})
	return out
}

// TestWalk compares the walk in C, which relies on the layout of the C library's
// structs, with the binding's own: for the sources of every language, whole and
// cut off in the middle, which makes ERROR and MISSING nodes, to several depths.
func TestWalk(t *testing.T) {
	flawed, missing := 0, 0
	for path, src := range sources(t) {
		lang, ok := Detect(path)
		if !ok {
			t.Fatalf("%s: no language", path)
		}
		walks := []*grammar{grammars[lang]()}
		if lang == Python {
			walks = append(walks, wholePython())
		}
		for _, g := range walks {
			for _, text := range [][]byte{src, src[:len(src)/2], src[len(src)/3:]} {
				for _, n := range compareWalks(t, path, g, text) {
					flawed += one(n.IsError)
					missing += one(n.Missing)
				}
			}
		}
	}
	if flawed == 0 || missing == 0 {
		t.Errorf("%d ERROR nodes and %d MISSING ones: nothing was shown of them", flawed, missing)
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// compareWalks gives the nodes of the whole tree.
func compareWalks(t *testing.T, path string, g *grammar, text []byte) (got []plain) {
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

// sources are the sources of the golden archives and those of this package.
func sources(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{"empty.py": {}, "broken.js": []byte("f(")}
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if _, ok := Detect(f.Name); ok && !strings.HasPrefix(f.Name, "want/") {
				out[f.Name] = f.Data
			}
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if out[name], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	return out
}
