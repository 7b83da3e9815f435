package syntax

import (
	"fmt"
	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/java"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
	"os"
	"strings"
	"testing"
)

func TestDump(t *testing.T) {
	p := os.Getenv("DUMP")
	if p == "" {
		t.Skip()
	}
	b, _ := os.ReadFile(p)
	l, _ := Detect(p)
	g := map[Language]*sitter.Language{Python: python.GetLanguage(), JavaScript: javascript.GetLanguage(), TypeScript: typescript.GetLanguage(), TSX: tsx.GetLanguage(), Go: golang.GetLanguage(), Java: java.GetLanguage()}[l]
	ps := sitter.NewParser()
	ps.SetLanguage(g)
	tr := ps.Parse(nil, b)
	c := sitter.NewTreeCursor(tr.RootNode())
	var w func(d int)
	w = func(d int) {
		n := c.CurrentNode()
		f := c.CurrentFieldName()
		if f != "" {
			f += ": "
		}
		txt := ""
		if n.ChildCount() == 0 {
			txt = " " + n.Content(b)
		}
		if n.IsNamed() || n.ChildCount() > 0 || os.Getenv("ANON") != "" {
			fmt.Println(strings.Repeat("  ", d) + f + n.Type() + txt)
		}
		if c.GoToFirstChild() {
			for {
				w(d + 1)
				if !c.GoToNextSibling() {
					break
				}
			}
			c.GoToParent()
		}
	}
	w(0)
}
