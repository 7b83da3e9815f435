package scoring

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// TestThresholdsAreDocumented compares thresholds.go with the table of
// docs/scores.md.
func TestThresholdsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/scores.md")
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "thresholds.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			row := "| `" + spec.Names[0].Name + "` | " + spec.Values[0].(*ast.BasicLit).Value + " |"
			if rows++; strings.Count(string(page), row) != 1 {
				t.Errorf("docs/scores.md has no row %s", row)
			}
		}
		return true
	})
	_, section, _ := strings.Cut(string(page), "## Thresholds that are no keys")
	if listed := strings.Count(section, "\n| `"); listed != rows {
		t.Errorf("docs/scores.md lists %d thresholds, thresholds.go has %d", listed, rows)
	}
}
