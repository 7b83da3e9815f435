package contextbuilder

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/model"
)

// TestALargeDefinitionShowsTheBlockOfItsChange: of a definition far too large
// for the text, B shows the block around the change rather than a signature.
func TestALargeDefinitionShowsTheBlockOfItsChange(t *testing.T) {
	cases := []struct{ path, head, filler, open, near, changed, end, tail string }{
		{"shop/pay.py", "def pay(order):", "    prepare_%d(order, %d)", "    for line in order:", "        near_the_change_%d(line)", "        charge(line)", "", "    return order"},
		{"shop/pay.js", "function pay(order) {", "  prepare_%d(order, %d);", "  for (const line of order) {", "    near_the_change_%d(line);", "    charge(line);", "  }", "}"},
		{"shop/pay.ts", "function pay(order: Order): void {", "  prepare_%d(order, %d);", "  for (const line of order) {", "    near_the_change_%d(line);", "    charge(line);", "  }", "}"},
		{"shop/pay.go", "func pay(order Order) {", "\tprepare_%d(order, %d)", "\tfor _, line := range order {", "\t\tnear_the_change_%d(line)", "\t\tcharge(line)", "\t}", "}"},
		{"shop/Pay.java", "class Pay { void pay(Order order) {", "  prepare_%d(order, %d);", "  for (Line line : order) {", "    near_the_change_%d(line);", "    charge(line);", "  }", "}}"},
	}
	for _, c := range cases {
		t.Run(c.path, func(t *testing.T) {
			var lines []string
			if strings.HasSuffix(c.path, ".go") {
				lines = append(lines, "package shop", "")
			}
			lines = append(lines, c.head)
			fill := func() {
				for i := range 150 {
					lines = append(lines, fmt.Sprintf(c.filler, i, i))
				}
			}
			fill()
			lines = append(lines, c.open)
			for i := range 6 {
				lines = append(lines, fmt.Sprintf(c.near, i))
			}
			at := len(lines)
			lines = append(lines, c.changed)
			if c.end != "" {
				lines = append(lines, c.end)
			}
			fill()
			lines = append(lines, c.tail)
			edits := make([]edit, len(lines)+1)
			edits[at] = edit{insert: []string{strings.Replace(c.changed, "charge", "chargeOnce", 1)}, delete: true}
			d := mustParse(t, diffOf(c.path, lines, edits))
			r, err := newTestBuilder(DefaultOptions()).Build(Input{Repo: model.RepoRef{Owner: "o", Name: "r"}, Title: "Charge once", Diff: d,
				Base: memory{c.path: strings.Join(lines, "\n") + "\n"}, Language: "any", PRType: "bug_fix", FilesChanged: 1})
			if err != nil {
				t.Fatal(err)
			}
			holds(t, r.B, 2200)
			_, layer, _ := strings.Cut(r.B.Rendered, "## Layer 3")
			for _, want := range []string{strings.TrimSpace(c.open), "near_the_change_0", strings.TrimSpace(c.changed), " ...\n"} {
				if !strings.Contains(layer, want) {
					t.Errorf("layer 3 lacks %q:\n%s", want, layer)
				}
			}
		})
	}
}
