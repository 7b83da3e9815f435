package gitsource

import "testing"

// The nearest changed folder counts, up and down; the root is one, too.
func TestChangedPaths_Distance(t *testing.T) {
	deep, root := newChangedPaths([]string{"a/b/x.go", "c/x.go"}), newChangedPaths([]string{"y.go"})
	for folder, want := range map[string]struct{ deep, root int }{
		".": {1, 0}, "a": {1, 1}, "a/b": {0, 2}, "a/b/c": {1, 3}, "a/c": {2, 2}, "c/d": {1, 2}, "d/e": {3, 2},
	} {
		if got := deep.distance(folder); got != want.deep {
			t.Errorf("%s: %d from a/b and c, want %d", folder, got, want.deep)
		}
		if got := root.distance(folder); got != want.root {
			t.Errorf("%s: %d from the root, want %d", folder, got, want.root)
		}
	}
}

// What an origin refused is remembered, and nothing else.
func TestRefusals(t *testing.T) {
	var r refusals
	r.add("a")
	if !r.has("a") || r.has("b") {
		t.Errorf("%v", r.oids)
	}
}
