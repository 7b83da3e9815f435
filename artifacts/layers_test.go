package artifacts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/artifacts"
)

func TestLayers(t *testing.T) {
	patch := "diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n-x\n+y\n"
	for name, c := range map[string]struct {
		rendered string
		want     []artifacts.Layer
	}{
		"nothing": {"no layer", []artifacts.Layer{}},
		"text and a diff": {"## Layer 0 - Task + Focus\nReview.\n\n---\n\n## Layer 2 - Diff (Core)\n\n### a.go\n```diff\n" + patch + "```\n", []artifacts.Layer{
			{Heading: "Layer 0 - Task + Focus", Parts: []artifacts.Part{{Text: "Review."}}},
			{Heading: "Layer 2 - Diff (Core)", Parts: []artifacts.Part{{Text: "### a.go"}, {Path: "a.go", Text: patch}}},
		}},
		"a broken diff": {"## Layer 2 - Diff (Core)\n```diff\n@@ -1\n```\n", []artifacts.Layer{
			{Heading: "Layer 2 - Diff (Core)", Parts: []artifacts.Part{{Text: "```diff\n@@ -1\n```"}}},
		}},
	} {
		if d := cmp.Diff(c.want, artifacts.Layers(c.rendered)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}
