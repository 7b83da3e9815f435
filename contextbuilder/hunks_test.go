package contextbuilder

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/testenv"
	"github.com/prforge/prforge/internal/unidiff"
)

// TestHunks_Apply shows random diffs in every amount of room and checks each
// hunk of the layer against the base, by itself.
func TestHunks_Apply(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	split := 0
	for range 60 {
		lines := pythonFile(rng, 2+rng.IntN(12))
		base := strings.Join(lines, "\n") + "\n"
		diff := mustParse(t, diffOf("pkg/a.py", lines, randomEdits(rng, len(lines))))
		if len(diff.Files) == 0 || len(diff.Files[0].Hunks) == 0 {
			continue
		}
		b := newTestBuilder(DefaultOptions())
		p, err := b.study(t.Context(), &Input{Diff: diff, Base: memory{"pkg/a.py": base}})
		if err != nil {
			t.Fatal(err)
		}
		layer := newDiffLayer(measure{counter: sharedCounter().Lines()}, p, DefaultOptions())
		for limit := 60; limit < 1200; limit += 50 + rng.IntN(150) {
			layer.fill(limit)
			if layer.tokens() > limit && layer.any() {
				t.Fatalf("%d tokens for %d", layer.tokens(), limit)
			}
			split += checkHunks(t, diff, base, layer.text())
		}
	}
	if split < 50 {
		t.Errorf("only %d hunks were split: the test does not test", split)
	}
}

// checkHunks checks the diff blocks of a text against the full diff and the
// base, and counts the hunks that are not in the full diff as they are.
func checkHunks(t *testing.T, full *unidiff.Diff, base, text string) (split int) {
	t.Helper()
	for _, block := range diffBlocks(text) {
		part := mustParse(t, block)
		for _, f := range part.Files {
			whole := full.Lookup(f.Path())
			if whole == nil {
				t.Fatalf("%s is not in the diff", f.Path())
			}
			for n := range f.Added() {
				if !whole.Added()[n] {
					t.Fatalf("added line %d is not in the diff:\n%s", n, block)
				}
			}
			for n := range f.Deleted() {
				if !whole.Deleted()[n] {
					t.Fatalf("deleted line %d is not in the diff:\n%s", n, block)
				}
			}
			for _, h := range f.Hunks {
				alone := &unidiff.File{OldPath: f.OldPath, NewPath: f.NewPath, Hunks: []unidiff.Hunk{h}}
				if _, err := unidiff.Apply([]byte(base), alone); err != nil {
					t.Fatalf("%v:\n%s", err, h)
				}
				if !slices.ContainsFunc(whole.Hunks, func(o unidiff.Hunk) bool { return o.String() == h.String() }) {
					split++
				}
			}
		}
	}
	return split
}

// diffBlocks are the fenced diffs of a text.
func diffBlocks(text string) []string {
	var out []string
	for {
		_, rest, ok := strings.Cut(text, "\n```diff\n")
		if !ok {
			return out
		}
		block, after, ok := strings.Cut(rest, "\n```\n")
		if !ok {
			return out
		}
		out = append(out, block+"\n")
		text = after
	}
}

// TestGitTakesSplitHunks lets git itself apply every hunk of a split one.
func TestGitTakesSplitHunks(t *testing.T) {
	testenv.Tool(t, "git")
	rng := rand.New(rand.NewPCG(7, 8))
	lines := pythonFile(rng, 8)
	base := strings.Join(lines, "\n") + "\n"
	edits := make([]edit, len(lines)+1)
	edits[20] = edit{insert: pythonFile(rng, 12), delete: true}
	edits[22] = edit{insert: []string{"# more"}, delete: true}
	edits[40] = edit{insert: pythonFile(rng, 3)}
	diff := mustParse(t, diffOf("a.py", lines, edits))
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.py"), []byte(base), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := newTestBuilder(DefaultOptions()).study(t.Context(), &Input{Diff: diff, Base: memory{"a.py": base}})
	if err != nil {
		t.Fatal(err)
	}
	hunks, bare := 0, 0
	for limit := 100; limit < 1200; limit += 100 {
		layer := newDiffLayer(measure{counter: sharedCounter().Lines()}, p, DefaultOptions())
		layer.fill(limit)
		for _, block := range diffBlocks(layer.text()) {
			for _, f := range mustParse(t, block).Files {
				for _, h := range f.Hunks {
					hunks++
					one := *f
					one.Hunks = []unidiff.Hunk{h}
					args := []string{"apply", "--check", "-"}
					if first, last := h.Lines[0].Kind, h.Lines[len(h.Lines)-1].Kind; first == unidiff.Deleted || last != unidiff.Context {
						args = []string{"apply", "--check", "--unidiff-zero", "-"} // cut next to a deleted line
						bare++
					}
					cmd := exec.Command("git", args...)
					cmd.Dir, cmd.Stdin = dir, strings.NewReader(one.String())
					if out, err := cmd.CombinedOutput(); err != nil {
						t.Errorf("%v: %s\n%s", err, out, one.String())
					}
				}
			}
		}
	}
	if hunks < 10 || bare > hunks/2 {
		t.Errorf("%d hunks, %d without context", hunks, bare)
	}
}

// TestDiffLayerAlwaysHasAHunk: also for one long function, for lines that are
// hard to fit, and for a new file.
func TestDiffLayerAlwaysHasAHunk(t *testing.T) {
	long := "def f():\n" + strings.Repeat("    x = compute(1, 2, 3, 4, 5, 6, 7, 8, 9)\n", 400)
	for name, text := range map[string]string{
		"new function": "diff --git a/a.py b/a.py\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ b/a.py\n@@ -0,0 +1,401 @@\n+" + strings.ReplaceAll(strings.TrimSuffix(long, "\n"), "\n", "\n+") + "\n",
		"long line":    "diff --git a/a.js b/a.js\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ b/a.js\n@@ -0,0 +1,2 @@\n+" + strings.Repeat("ab+", 40000) + "1\n+let x\n",
	} {
		t.Run(name, func(t *testing.T) {
			r, err := newTestBuilder(DefaultOptions()).Build(t.Context(), Input{Diff: mustParse(t, text), Base: memory{}, Title: "t"})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []Context{r.A, r.B, r.C} {
				if !strings.Contains(c.Rendered, "\n@@ -0,0 +") {
					t.Errorf("%s has no hunk:\n%.3000s", c.Config, c.Rendered)
				}
			}
		})
	}
}

func TestRenamesModesAndBinaries(t *testing.T) {
	text := "diff --git a/old.py b/new.py\nsimilarity index 100%\nrename from old.py\nrename to new.py\n" +
		"diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n" +
		"diff --git a/a.png b/a.png\nindex 1111111..2222222 100644\nBinary files a/a.png and b/a.png differ\n"
	r, err := newTestBuilder(DefaultOptions()).Build(t.Context(), Input{Diff: mustParse(t, text), Base: memory{"old.py": "x = 1\n", "run.sh": "true\n", "a.png": "\x00"}, Title: "t"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"- new.py: renamed from old.py\n", "- run.sh: mode changed from 100644 to 100755\n", "- a.png: binary file changed\n", "The diff has no text"} {
		if !strings.Contains(r.A.Rendered, want) {
			t.Errorf("no %q in\n%s", want, r.A.Rendered)
		}
	}
}

// TestMismatch: a diff that is not against the base is an error that says where.
func TestMismatch(t *testing.T) {
	diff := mustParse(t, diffOf("a.py", []string{"a", "b"}, []edit{{}, {delete: true}, {}}))
	for name, base := range map[string]memory{"other text": {"a.py": "a\nc\n"}, "no file": {}} {
		_, err := newTestBuilder(DefaultOptions()).Build(t.Context(), Input{Diff: diff, Base: base})
		var mismatch *mismatchError
		if !errors.As(err, &mismatch) || mismatch.Path != "a.py" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
