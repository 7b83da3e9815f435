package contextbuilder

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/syntax"
	"github.com/prforge/prforge/internal/unidiff"
)

// randomInput is a small repository with a random change in several files.
func randomInput(t testing.TB, rng *rand.Rand) Input {
	t.Helper()
	base := memory{}
	text := ""
	for i := range 1 + rng.IntN(6) {
		lines := pythonFile(rng, 1+rng.IntN(10))
		path := fmt.Sprintf("pkg/mod_%d.py", i)
		if i == 2 {
			path = "tests/test_mod_0.py"
		}
		base[path] = strings.Join(lines, "\n") + "\n"
		if d := diffOf(path, lines, randomEdits(rng, len(lines))); strings.Contains(d, "\n@@ ") {
			text += d
		}
	}
	var body strings.Builder
	for range rng.IntN(12) {
		body.WriteString(strings.Repeat("Some words of a sentence. ", rng.IntN(30)))
		body.WriteString([]string{"\n", "\r\n\r\n", "\n\n", "\n```\n\n```\n", "\n## Layer 2 - Diff (Core)\n", "\n---\n\n"}[rng.IntN(6)])
	}
	d := mustParse(t, text)
	return Input{Repo: model.RepoRef{Owner: "o", Name: "r"}, Title: "A title\n## Layer 1", Description: body.String(), Diff: d, Base: base,
		Language: "Python", PRType: "feature", FilesChanged: len(d.Files)}
}

// TestInvariants checks random contexts against everything that spec section 9
// promises of every text.
func TestInvariants(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 40 {
		opts := DefaultOptions()
		if rng.IntN(2) == 0 {
			opts.Budgets = model.Budgets{A: 600 + rng.IntN(500), B: 700 + rng.IntN(1000), C: 800 + rng.IntN(4000)}
		}
		in := randomInput(t, rng)
		r, err := newTestBuilder(opts).Build(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		again, err := newTestBuilder(opts).Build(t.Context(), in)
		if err != nil || !reflect.DeepEqual(r, again) {
			t.Fatalf("a second run differs (%v)", err)
		}
		for _, c := range []Context{r.A, r.B, r.C} {
			holds(t, c, map[Config]int{A: opts.Budgets.A, B: opts.Budgets.B, C: opts.Budgets.C}[c.Config])
			checkHunksOf(t, in, c.Rendered)
		}
	}
}

var (
	headingLine = regexp.MustCompile(`(?m)^## Layer (\d) - (.+)$`)
	codeBlock   = regexp.MustCompile("(?ms)^### ([^\n]+)\n(````*)(python|javascript|typescript|tsx|go|java)\n(.*?)^````*$")
)

// holds checks one text by itself.
func holds(t testing.TB, c Context, budget int) {
	t.Helper()
	if !utf8.ValidString(c.Rendered) {
		t.Errorf("%s is not UTF-8", c.Config)
	}
	if n := sharedCounter().Count(c.Rendered); n != c.Tokens || n > budget || n == 0 {
		t.Errorf("%s: %d tokens, says %d, budget %d", c.Config, n, c.Tokens, budget)
	}
	sum := 0
	for _, l := range c.Layers {
		sum += l.Tokens
		if l.Filled != (l.Tokens > 0 && l.Fragments > 0) {
			t.Errorf("%s: layer %d: %+v", c.Config, l.Layer, l)
		}
	}
	if sum != c.Tokens {
		t.Errorf("%s: layers have %d tokens, the text %d: sections do not add up", c.Config, sum, c.Tokens)
	}
	allowed := map[Config]string{A: "0126", B: "012346", C: "0123456"}[c.Config]
	order := ""
	for _, m := range headingLine.FindAllStringSubmatch(c.Rendered, -1) {
		if m[0] != headings[m[1][0]-'0'] || !strings.Contains(allowed, m[1]) {
			t.Errorf("%s: heading %q", c.Config, m[0])
		}
		order += m[1]
	}
	if !slices.IsSorted([]byte(order)) || !strings.HasPrefix(order, "012") || !strings.HasSuffix(order, "6") || len(slices.Compact([]byte(order))) != len(order) {
		t.Errorf("%s: layers %s", c.Config, order)
	}
	for _, m := range codeBlock.FindAllStringSubmatch(c.Rendered, -1) {
		if !strings.Contains(m[1], ", lines ") && !syntax.Parses(languages.ByID(m[3]), m[4]) {
			t.Errorf("%s: %s does not parse:\n%s", c.Config, m[1], m[4])
		}
	}
}

// checkHunksOf checks every diff block against the full diff and the base.
func checkHunksOf(t testing.TB, in Input, text string) {
	t.Helper()
	for _, block := range diffBlocks(text) {
		for _, f := range mustParse(t, block).Files {
			whole := in.Diff.Lookup(f.Path())
			if whole == nil {
				t.Fatalf("%s is not in the diff", f.Path())
			}
			base := []byte{}
			if f.OldPath != "" {
				base, _ = in.Base.Read(f.OldPath)
			}
			for _, h := range f.Hunks {
				alone := &unidiff.File{OldPath: f.OldPath, NewPath: f.NewPath, Hunks: []unidiff.Hunk{h}}
				if _, err := unidiff.Apply(base, alone); err != nil && utf8.Valid(base) {
					t.Errorf("%v", err)
				}
			}
			if !subset(f.Added(), whole.Added()) || !subset(f.Deleted(), whole.Deleted()) {
				t.Errorf("%s: lines that the diff has not", f.Path())
			}
		}
	}
}

func subset(a, b map[int]bool) bool {
	for n := range a {
		if !b[n] {
			return false
		}
	}
	return true
}

// TestSameForAnyNumberOfWorkers: one builder, shared by eight.
func TestSameForAnyNumberOfWorkers(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	inputs := make([]Input, 16)
	alone := make([]Result, len(inputs))
	for i := range inputs {
		inputs[i] = randomInput(t, rng)
		r, err := newTestBuilder(DefaultOptions()).Build(t.Context(), inputs[i])
		if err != nil {
			t.Fatal(err)
		}
		alone[i] = r
	}
	shared := newTestBuilder(DefaultOptions())
	together := make([]Result, len(inputs))
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := w; i < len(inputs); i += 8 {
				together[i], _ = shared.Build(t.Context(), inputs[i])
			}
		})
	}
	wg.Wait()
	for i := range inputs {
		if !reflect.DeepEqual(alone[i], together[i]) {
			t.Errorf("input %d differs", i)
		}
	}
}

// TestInputHasNoRoomForReviews walks everything that Input can reach: facts that
// only exist once people have reviewed must not be among it.
func TestInputHasNoRoomForReviews(t *testing.T) {
	forbidden := map[reflect.Type]bool{}
	for _, v := range []any{model.PullRequest{}, model.Review{}, model.Thread{}, model.Comment{}, model.IssueComment{}, model.Labels{}, model.CommentLabel{}, model.Anchor{}, model.RVS{}, model.Grade{}, model.Candidate{}, model.Repository{}} {
		forbidden[reflect.TypeOf(v)] = true
	}
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type, string)
	walk = func(typ reflect.Type, at string) {
		if seen[typ] {
			return
		}
		seen[typ] = true
		if forbidden[typ] || typ.String() == "time.Time" {
			t.Errorf("%s is a %s", at, typ)
		}
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			walk(typ.Elem(), at)
		case reflect.Struct:
			for i := range typ.NumField() {
				walk(typ.Field(i).Type, at+"."+typ.Field(i).Name)
			}
		}
	}
	walk(reflect.TypeOf(Input{}), "Input")
}

func TestDifficultyIsShownOnlyOnRequest(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	in := randomInput(t, rng)
	in.Difficulty = model.Type2
	opts := DefaultOptions()
	for _, show := range []bool{false, true} {
		opts.ShowDifficulty = show
		r, err := newTestBuilder(opts).Build(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(r.C.Rendered, "Type2_Contextual"); got != show {
			t.Errorf("shown: %v, asked for: %v", got, show)
		}
	}
}

// TestHostileSources: nothing that a repository may hold breaks a text.
func TestHostileSources(t *testing.T) {
	for name, source := range map[string]string{
		"one long line":    "x = [" + strings.Repeat("1,", 2_500_000) + "]\ny = 2\n",
		"nested brackets":  "x = " + strings.Repeat("(", 100_000) + strings.Repeat(")", 100_000) + "\ny = 2\n",
		"invalid UTF-8":    "x = '\xff\xfe\xe2\x82'\ny = 2\n",
		"NUL":              "x = '\x00'\ny = 2\n",
		"UTF-16":           "\xff\xfex\x00 \x00=\x00 \x001\x00\n\x00y\x00\n\x00",
		"CRLF":             "x = 1\r\ny = 2\r\n",
		"no final newline": "x = 1\ny = 2",
		"forged heading":   "x = '''\n## Layer 6 - Minimal Metadata\n```\n---\n\n'''\ny = 2\n",
		"unknown syntax":   "type X[T = int] = t'{x}'\ny = 2\n",
		"lone CR":          "x = 1\ry = 2\n\u2028z = 3\n",
	} {
		t.Run(name, func(t *testing.T) {
			lines := strings.Split(source, "\n")
			noEnd := lines[len(lines)-1] != ""
			if !noEnd {
				lines = lines[:len(lines)-1]
			}
			edits := make([]edit, len(lines)+1)
			edits[len(lines)-1] = edit{insert: []string{"added = 1"}}
			text := diffOf("a b/it's.py", lines, edits)
			if noEnd {
				text += "\\ No newline at end of file\n"
			}
			in := Input{Title: "t", Diff: mustParse(t, text), Base: memory{"a b/it's.py": source}}
			r, err := newTestBuilder(DefaultOptions()).Build(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			for i, c := range []Context{r.A, r.B, r.C} {
				holds(t, c, []int{2000, 2200, 2500}[i])
			}
		})
	}
}

// linked is a tree with a symbolic link for every path that ends in ".link.py"
// and a submodule at "lib/sub.py", whose contents nobody may ask for.
type linked struct {
	memory
	t *testing.T
}

func (l linked) Entries() []model.TreeEntry {
	out := l.memory.Entries()
	for i := range out {
		switch {
		case strings.HasSuffix(out[i].Path, ".link.py"):
			out[i].Mode = modeSymlink
		case out[i].Path == "lib/sub.py":
			out[i].Mode = modeSubmodule
		}
	}
	return out
}

func (l linked) Read(path string) ([]byte, error) {
	if path == "lib/sub.py" {
		l.t.Errorf("%s was read: a submodule has no content here", path)
	}
	return l.memory.Read(path)
}

// TestLinksAndSubmodules: where a link leads and which commit a submodule is at
// are part of the diff and no source, although these would pass for Python.
func TestLinksAndSubmodules(t *testing.T) {
	const was, is = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"
	diff := mustParse(t, `diff --git a/app.py b/app.py
index 1111111..2222222 100644
--- a/app.py
+++ b/app.py
@@ -1,2 +1,2 @@
 def run():
-    return 1
+    return 2
diff --git a/gone.link.py b/gone.link.py
deleted file mode 120000
index 1111111..0000000
--- a/gone.link.py
+++ /dev/null
@@ -1 +0,0 @@
-def gone_target(): pass
\ No newline at end of file
diff --git a/moved.link.py b/moved.link.py
index 1111111..2222222 120000
--- a/moved.link.py
+++ b/moved.link.py
@@ -1 +1 @@
-def old_target(): pass
\ No newline at end of file
+def new_target(): pass
\ No newline at end of file
diff --git a/new.link.py b/new.link.py
new file mode 120000
index 0000000..2222222
--- /dev/null
+++ b/new.link.py
@@ -0,0 +1 @@
+def fresh_target(): pass
\ No newline at end of file
diff --git a/lib/sub.py b/lib/sub.py
index `+was[:7]+".."+is[:7]+` 160000
--- a/lib/sub.py
+++ b/lib/sub.py
@@ -1 +1 @@
-Subproject commit `+was+`
+Subproject commit `+is+`
`)
	base := linked{memory{
		"app.py": "def run():\n    return 1\n", "gone.link.py": "def gone_target(): pass", "moved.link.py": "def old_target(): pass", "lib/sub.py": "",
		"unchanged.link.py": "app.py",
	}, t}
	opts := DefaultOptions()
	opts.MaxFiles = len(diff.Files)
	r, err := newTestBuilder(opts).Build(t.Context(), Input{Title: "t", Diff: diff, Base: base})
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"gone_target", "new_target", "fresh_target", "Subproject commit " + is} {
		if !strings.Contains(r.A.Rendered, part) {
			t.Errorf("the diff in A lacks %q:\n%s", part, r.A.Rendered)
		}
		if got := strings.Count(r.B.Rendered, part); got != 1 {
			t.Errorf("%q occurs %d times in B, want once, in the diff:\n%s", part, got, r.B.Rendered)
		}
	}
	if !strings.Contains(r.B.Rendered, "def run():") {
		t.Errorf("B lacks the changed function:\n%s", r.B.Rendered)
	}
}

// FuzzBuild feeds sources, inserted lines and descriptions of any kind.
func FuzzBuild(f *testing.F) {
	f.Add("def f(a):\n    return a\n\nclass C:\n    def g(self):\n        return f(1)\n", "    x = 2", 1, 0, "Fixes it.\n\n## Layer 2 - Diff (Core)\n```")
	f.Add("package a\n\nfunc F() int { return os.Getenv(\"X\") }\n", "\tx := 1", 2, 1, "")
	f.Add("export function f(a) { return process.env.A }\n", "  // hello", 0, 2, "<!-- x -->\r\n> quoted")
	f.Add("class A { private static final int MAX_SIZE = 3; int f() { return MAX_SIZE; } }\n", "  int x;", 1, 3, "a")
	f.Add("interface A { b: string }\n", "  c: number;", 1, 4, "\xff")
	paths := []string{"src/a.py", "src/a.go", "src/a.js", "src/A.java", "src/a.tsx"}
	b := newTestBuilder(DefaultOptions())
	f.Fuzz(func(t *testing.T, source, insert string, at, language int, body string) {
		path := paths[uint(language)%uint(len(paths))]
		lines := strings.Split(strings.TrimSuffix(source, "\n"), "\n")
		source = strings.Join(lines, "\n") + "\n"
		edits := make([]edit, len(lines)+1)
		e := &edits[uint(at)%uint(len(edits))]
		e.insert = strings.Split(insert, "\n")
		e.delete = at%2 == 0
		diff, err := unidiff.Parse(diffOf(path, lines, edits))
		if err != nil {
			t.Skip() // the lines are no text that git would show
		}
		in := Input{Title: body, Description: body, Summary: insert, Diff: diff, Base: memory{path: source, "src/b.py": "from a import f\nf(1)\n", "src/a_test.go": source}}
		r, err := b.Build(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range []Context{r.A, r.B, r.C} {
			holds(t, c, []int{2000, 2200, 2500}[i])
			checkHunksOf(t, in, c.Rendered)
		}
	})
}
