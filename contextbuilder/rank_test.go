package contextbuilder

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/model"
)

// added is the diff of a new file.
func added(path string, lines ...string) string {
	return diffOf(path, nil, []edit{{insert: lines}})
}

// rewritten is an edited file: its base and the diff that replaces every line.
func rewritten(base memory, path string, was, is []string) string {
	base[path] = strings.Join(was, "\n") + "\n"
	edits := make([]edit, len(was)+1)
	for i := range was {
		edits[i].delete = true
	}
	edits[len(was)].insert = is
	return diffOf(path, was, edits)
}

func numbered(prefix string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%s_%d = %d", prefix, i, i*i)
	}
	return out
}

// pathsOf are the files of layer 2 of a text, in order.
func pathsOf(t *testing.T, rendered string) []string {
	t.Helper()
	var out []string
	for _, block := range diffBlocks(rendered) {
		for _, f := range mustParse(t, block).Files {
			out = append(out, f.Path())
		}
	}
	return out
}

// A large test file must not decide which production files are shown.
func TestFilesAreRankedWithinTheirClass(t *testing.T) {
	base := memory{}
	text := rewritten(base, "billing.py", numbered("rate", 2), numbered("price", 15))
	for _, name := range []string{"de", "fr", "it", "us"} {
		text += rewritten(base, "taxes/"+name+".py", []string{"# the rate of " + name, "RATE = 1", "", ""}, []string{"# the new rate of " + name, "RATE = " + itoa(len(text))})
	}
	text += rewritten(base, "tests/test_billing.py", numbered("was", 30), numbered("is", 80))
	d := mustParse(t, text)
	r, err := newTestBuilder(DefaultOptions()).Build(t.Context(), Input{Repo: model.RepoRef{Owner: "o", Name: "r"}, Title: "t", Diff: d, Base: base, Language: "Python", FilesChanged: len(d.Files)})
	if err != nil {
		t.Fatal(err)
	}
	if paths := pathsOf(t, r.A.Rendered); len(paths) == 0 || paths[0] != "billing.py" {
		t.Errorf("files %v: billing.py has most changed code", paths)
	}
}

func TestFilesThatChangeAlikeCountAsOne(t *testing.T) {
	text := ""
	for _, name := range []string{"alpha", "beta", "gamma", "delta"} {
		text += added("mocks/"+name+".go", "package mocks", "", "type "+name+" struct{ calls int }", "func (m *"+name+") Call() { m.calls++ }")
	}
	text += added("server.go", "package server", "func Serve(address string) error {", "\treturn listen(address)", "}")
	d := mustParse(t, text)
	r, err := newTestBuilder(DefaultOptions()).Build(t.Context(), Input{Repo: model.RepoRef{Owner: "o", Name: "r"}, Title: "t", Diff: d, Language: "Go", FilesChanged: len(d.Files)})
	if err != nil {
		t.Fatal(err)
	}
	paths := pathsOf(t, r.C.Rendered)
	if len(paths) != 2 || !slices.Contains(paths, "server.go") {
		t.Errorf("files %v: one of the four that are alike, and server.go", paths)
	}
	if !strings.Contains(r.C.Rendered, "is, but for names: mocks/") {
		t.Errorf("the others are not named:\n%s", r.C.Rendered)
	}
}

func TestShapes(t *testing.T) {
	shape := func(lines ...string) string { return shapeOf(mustParse(t, added("a.go", lines...)).Files[0]) }
	if a, b := shape("x := f(y)", "g(x)", "h()"), shape("total := sum(all)", "show(total)", "end()"); a != b {
		t.Errorf("%q and %q are alike", a, b)
	}
	if a, b := shape("x := f(y)", "g(x)", "h()"), shape("x := f(y)", "g(y)", "h()"); a == b {
		t.Errorf("%q and %q differ in what g gets", a, b)
	}
	if s := shape("x := 1", "y := 2"); s != "" {
		t.Errorf("two lines have a shape: %q", s)
	}
}

// layer2 is a text's section of the diff.
func layer2(text string) string {
	_, text, _ = strings.Cut(text, "## Layer 2 - Diff (Core)\n")
	text, _, _ = strings.Cut(text, "\n---\n\n## Layer ")
	return text
}

// Nothing but layers 3 to 5 separates the three texts, unless each fills its own
// budget.
func TestSameDiff(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	differ := 0
	for range 30 {
		in := randomInput(t, rng)
		opts := DefaultOptions()
		r, err := newTestBuilder(opts).Build(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if a, b, c := layer2(r.A.Rendered), layer2(r.B.Rendered), layer2(r.C.Rendered); a == "" || a != b || b != c {
			t.Errorf("layer 2 differs:\nA %s\nB %s\nC %s", a, b, c)
		}
		opts.SameDiff = false
		if r, err = newTestBuilder(opts).Build(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		if layer2(r.A.Rendered) != layer2(r.B.Rendered) {
			differ++
		}
	}
	if differ == 0 {
		t.Error("no input is large enough for A and B to differ: the test cannot fail")
	}
}
