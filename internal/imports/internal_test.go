package imports

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/syntax"
)

var (
	scripts    = &syntax.Family{DotDefines: true, TypeWords: []string{"class", "interface"}}
	statements = &syntax.Family{ImportStatements: true}
	plain      = &syntax.Family{}
	bare       = &syntax.Family{BareCalls: true}
)

func TestWords(t *testing.T) {
	const script = "class Foo { foo_bar($x).baz } import é from './'; interface\nBar\nimport './dir/stem.js'"
	const python = "import a.b as c, d; e\nf\nfrom .g import (h, # (i\n j as k)\nl. m(n)\nfrom o import *\nfrom p \\\n import q # as\nr as s"
	for _, tt := range []struct {
		family *syntax.Family
		src    string
		as     Occurrence
		has    string
		lacks  string
	}{
		{scripts, script, 0, "class Foo foo_bar $x é Bar baz stem", "foo bar"},
		{scripts, script, Bare, "class Foo $x dir stem baz", "foo"},
		{scripts, script, Declared, "Foo Bar", "foo_bar interface"},
		{scripts, script, Imported, ". stem js", "Foo baz dir"},
		{scripts, "a './b' \"..x\"", Imported, "b x", ". a"},
		{scripts, "a './b.test.ts' `./c/` \"d/e-f\" './' '..", Imported, ". b test ts c f", "a d e"},
		{plain, "int a = b.c(d)", Bare, "int a b d", "c"},
		{plain, "new A<B>(c.d\n(e), F.g, h /* */ (), i; j", Called, "A d h", "new B c e F g i j"},
		{plain, "import a \"b/c\"\nd", Imported, "c", "a b d"},
		{statements, python, Imported, "a b c d g h i j k m o * p q", "f l n r s"},
		{plain, "import _ \"a/b\"\n_ = c", Imported, "_ b", "a c"},
		{plain, "_ = c", Imported, "", "_ c"},
		{statements, python, Bound, "a b c d g h i j k o * p q", "f l m n r s"},
		{statements, python, Renamed, "b j", "a c d h i q r"},
		{statements, "f(x from y)); from z import (a,\nb)\nc", Imported, "a b", "c f x"},
		{statements, "", 0, "", "a"},
		{bare, "a.b 1\nc", Called, "a b c", ""},
	} {
		w := wordsOf([]byte(tt.src), tt.family)
		for _, word := range strings.Fields(tt.has) {
			if !w.Has(MentionOf(word, tt.as)) {
				t.Errorf("%q has no %q as %b", tt.src, word, tt.as)
			}
		}
		for _, word := range strings.Fields(tt.lacks) {
			if w.Has(MentionOf(word, tt.as)) {
				t.Errorf("%q has %q as %b", tt.src, word, tt.as)
			}
		}
		if !slices.IsSorted(w) {
			t.Error("words are not sorted")
		}
	}
	if got := splitWords("@scope/my-pkg.js"); !slices.Equal(got, []string{"scope", "my", "pkg", "js"}) {
		t.Errorf("splitWords = %q", got)
	}
}

// TestQuestions: all handles at once are answered as each by itself.
func TestQuestions(t *testing.T) {
	names := strings.Fields("a b c d e f g h i j k l m n o p q r s t u v w x y z aa bb cc dd")
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(n int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = names[random.IntN(len(names))]
		}
		return out
	}
	for range 2000 {
		var handles []Handle
		for range random.IntN(12) {
			h := NewHandle(Occurrence(random.IntN(2))*Bare, pick(random.IntN(4))...)
			h.Dir, h.Under = []string{"", "dir", "other"}[random.IntN(3)], []string{"", "", "other"}[random.IntN(3)]
			handles = append(handles, h)
		}
		f := &Source{Path: "dir/f.go", Dir: "dir"}
		f.words = wordsOf([]byte(strings.Join(pick(random.IntN(200)), []string{" ", "."}[random.IntN(2)])), plain)
		q := newQuestion(handles)
		held := map[int]bool{}
		for i := range q.heldBy(f, f.words) {
			if held[i] {
				t.Fatal("a handle is found twice")
			}
			held[i] = true
		}
		for _, h := range handles {
			if want := h.heldBy(f, f.words); held[q.find(h)] != want {
				t.Fatalf("%v among %v: %v, want %v", h, handles, !want, want)
			}
		}
	}
}

func TestSeveralWords(t *testing.T) {
	for name, want := range map[string]bool{"apply_async": true, "toJSON": true, "close": false, "_close": false, "__init__": false, "CLOSE": false, "Close": false, "$x": false} {
		if got := severalWords(name); got != want {
			t.Errorf("severalWords(%q) = %v", name, got)
		}
	}
}

// Whatever a file holds more costs more.
func TestFileCost(t *testing.T) {
	empty := fileCost(&syntax.File{})
	for name, f := range map[string]*syntax.File{
		"definitions": {Definitions: make([]syntax.Definition, 1)}, "calls": {Calls: make([]syntax.Call, 1)},
		"uses": {Uses: make([]syntax.Use, 1)}, "imports": {Imports: make([]syntax.Import, 1)},
	} {
		if got := fileCost(f); got <= empty {
			t.Errorf("%s cost %d", name, got-empty)
		}
	}
}
