package contextbuilder

import (
	"strings"
	"testing"
)

// TestDiffLayer_Worth fills layer 2 with more and more room: code comes before
// imports and comments, those before brackets and the notice of a license.
func TestDiffLayer_Worth(t *testing.T) {
	var text strings.Builder
	text.WriteString("diff --git a/pay.go b/pay.go\nindex 1..2 100644\n--- a/pay.go\n+++ b/pay.go\n")
	base := []string{"package pay"}
	hunk := func(added ...string) {
		for range 40 {
			base = append(base, "// filler of the file, which nothing changes")
		}
		text.WriteString("@@ -" + itoa(len(base)) + " +" + itoa(len(base)+strings.Count(text.String(), "\n+")-1) + "," + itoa(1+len(added)) + " @@\n " + base[len(base)-1] + "\n+" + strings.Join(added, "\n+") + "\n")
	}
	hunk("// Copyright of somebody, under a license that says a lot.")
	hunk("// Pay pays what was ordered, and not more than that.")
	hunk("}")
	hunk("var limit = 3 // at most")
	in := Input{Diff: mustParse(t, text.String()), Base: memory{"pay.go": strings.Join(base, "\n") + "\n"}, Title: "t"}
	p, err := newTestBuilder(DefaultOptions()).ranked(t.Context(), &in)
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for limit := 90; limit < 400; limit++ { // with less, nothing but the bracket fits
		layer := newDiffLayer(measure{counter: sharedCounter().Lines()}, p, DefaultOptions())
		layer.fill(limit)
		for _, mark := range []string{"+// Copyright", "+// Pay", "+}", "+var limit"} {
			if strings.Contains(layer.text(), mark) && !strings.Contains(strings.Join(order, " "), mark) {
				order = append(order, mark)
			}
		}
	}
	if got := strings.Join(order, " "); got != "+var limit +// Pay +} +// Copyright" {
		t.Errorf("shown in the order %s", got)
	}
}

// TestSplit_KeepsReplacements cuts rewritten code everywhere: no part deletes lines
// without those that replace them.
func TestSplit_KeepsReplacements(t *testing.T) {
	lines, edits := make([]string, 60), make([]edit, 61)
	for i := range lines {
		lines[i] = "old_" + itoa(i) + " = 1"
		edits[i].delete = i > 4 && i < 40
	}
	for i := range 30 {
		edits[40].insert = append(edits[40].insert, "new_"+itoa(i)+" = 2")
	}
	d := mustParse(t, diffOf("a.py", lines, edits))
	c := &change{diff: d.Files[0], path: "a.py"}
	all := cut{0, 0, len(d.Files[0].Hunks[0].Lines)}
	for at := byGroup; at < byLine; at++ {
		for _, part := range split(c, all, at, 12) {
			text := ""
			for _, l := range d.Files[0].Hunks[0].Lines[part.from:part.to] {
				text += string(rune(l.Kind))
			}
			if strings.Contains(text, "-") && !strings.Contains(text, "+") {
				t.Errorf("at depth %d a part only deletes: %q", at, text)
			}
		}
	}
	if parts := split(c, all, byWindow, 12); len(parts) < 2 {
		t.Errorf("%d parts: the added lines are not cut", len(parts))
	}
}
