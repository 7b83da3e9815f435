package contextbuilder

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/model"
)

// TestDefinition_LargeShowsBlockOfChange: of a definition far too large
// for the text, B shows the block around the change rather than a signature.
func TestDefinition_LargeShowsBlockOfChange(t *testing.T) {
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
			r, err := newTestBuilder(DefaultOptions()).Build(t.Context(), Input{Repo: model.RepoRef{Owner: "o", Name: "r"}, Title: "Charge once", Diff: d,
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

// TestChanges_ShownBeforeOneIsWide: eight changed definitions are shown,
// though one of five times their size comes first.
func TestChanges_ShownBeforeOneIsWide(t *testing.T) {
	base := memory{}
	var diff strings.Builder
	for i := range 9 {
		lines := []string{fmt.Sprintf("def pay_%d(order):", i)}
		changed := []int{40}
		if i == 0 {
			changed = []int{10, 20, 30, 40, 50}
		}
		for n := range 60 {
			lines = append(lines, fmt.Sprintf("    total = add_up_what_is_owed(order, total, step=%d, of=%d)", n, i))
		}
		edits := make([]edit, len(lines)+1)
		for _, at := range changed {
			lines[at] = fmt.Sprintf("    charge_the_account_%d_of_%d(order, total, retries=9)", at, i)
			edits[at] = edit{insert: []string{strings.Replace(lines[at], "retries=9", "retries=3", 1)}, delete: true}
		}
		path := fmt.Sprintf("shop/pay_%d.py", i)
		base[path] = strings.Join(lines, "\n") + "\n"
		diff.WriteString(diffOf(path, lines, edits))
	}
	in := Input{Repo: model.RepoRef{Owner: "o", Name: "r"}, Title: "Retry less", Diff: mustParse(t, diff.String()), Base: base, Language: "python", PRType: "feature", FilesChanged: 9}
	b := newTestBuilder(DefaultOptions())
	p, err := b.study(t.Context(), &in)
	if err != nil {
		t.Fatal(err)
	}
	blocks := b.changedBlocks(p)
	if len(blocks) != 9 {
		t.Fatalf("%d changed definitions", len(blocks))
	}
	for _, block := range blocks {
		if !block.shown() && block.name != "pay_0" {
			t.Error(block)
		}
	}
}

// TestCopiesAreShownOnce: of files that change alike but for names layer 3 shows
// the definitions of one.
func TestCopiesAreShownOnce(t *testing.T) {
	const src = `import { rate } from "./rates";

export function pay(order: Order): number {
  const total = rate(order);
  order.check(total);
  order.charge(total);
  order.audit(total);
  return total;
}
`
	base := memory{"deno/pay.ts": src, "src/pay.ts": src, "src/rates.ts": "export function rate(order: Order): number {\n  return order.total;\n}\n"}
	lines := strings.Split(strings.TrimSuffix(src, "\n"), "\n")
	edits := make([]edit, len(lines)+1)
	edits[3] = edit{insert: []string{"  const total = 2 * rate(order);"}, delete: true}
	edits[5] = edit{insert: []string{"  order.chargeOnce(total);"}, delete: true}
	in := Input{Repo: model.RepoRef{Owner: "o", Name: "r"}, Title: "Charge twice", Base: base, Language: "typescript", PRType: "feature", FilesChanged: 2,
		Diff: mustParse(t, diffOf("deno/pay.ts", lines, edits)+diffOf("src/pay.ts", lines, edits))}
	r, err := newTestBuilder(DefaultOptions()).Build(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	_, layer, _ := strings.Cut(r.B.Rendered, "## Layer 3")
	if n := strings.Count(layer, "function pay("); n > 1 {
		t.Errorf("pay is shown %d times:\n%s", n, layer)
	}
}
