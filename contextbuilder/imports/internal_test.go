package imports

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/syntax"
)

func TestPlainJSON(t *testing.T) {
	for src, want := range map[string]string{ // "" for what stays broken
		`{"a": 1}`:                         `{"a":1}`,
		"\xEF\xBB\xBF{}":                   `{}`,
		"{\"a\": 1, // x\n}":               `{"a":1}`,
		`{"a": [1, 2,], /* , */ }`:         `{"a":[1,2]}`,
		`{"a": "// no \" /* comment",}`:    `{"a":"// no \" /* comment"}`,
		"{\"http://x\": \"@core/*\"} // e": `{"http://x":"@core/*"}`,
		"{\"a\": 1 /* never closed":        "",
		"{\"a\": \"never closed":           "",
	} {
		var got any
		err := json.Unmarshal(plainJSON([]byte(src)), &got)
		again, _ := json.Marshal(got)
		if (err != nil) != (want == "") || want != "" && string(again) != want {
			t.Errorf("plainJSON(%q) means %s, %v; want %q", src, again, err, want)
		}
	}
}

// FuzzPlainJSON: what is JSON already keeps its meaning.
func FuzzPlainJSON(f *testing.F) {
	f.Add([]byte(`{"a": [1, "//", "/*", {"b": null}], "c": "\\\""}`))
	f.Add([]byte("{\"a\": 1, // x\n}"))
	f.Fuzz(func(t *testing.T, src []byte) {
		var want, got any
		if json.Unmarshal(src, &want) != nil {
			plainJSON(src)
			return
		}
		if err := json.Unmarshal(plainJSON(src), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q became %q: %v", src, plainJSON(src), err)
		}
	})
}

func TestWords(t *testing.T) {
	const script = "class Foo { foo_bar($x).baz } import é from './'; interface\nBar\nimport './dir/stem.js'"
	const python = "import a.b as c, d; e\nf\nfrom .g import (h, # (i\n j as k)\nl. m(n)\nfrom o import *\nfrom p \\\n import q # as\nr as s"
	for _, tt := range []struct {
		family syntax.Family
		src    string
		as     occurrence
		has    string
		lacks  string
	}{
		{syntax.FamilyScript, script, 0, "class Foo foo_bar $x é Bar baz stem", "foo bar"},
		{syntax.FamilyScript, script, bare, "class Foo $x dir stem baz", "foo"},
		{syntax.FamilyScript, script, declared, "Foo Bar", "foo_bar interface"},
		{syntax.FamilyScript, script, imported, ". stem js", "Foo baz dir"},
		{syntax.FamilyScript, "a './b' \"..x\"", imported, "b x", ". a"},
		{syntax.FamilyScript, "a './b.test.ts' `./c/` \"d/e-f\" './' '..", imported, ". b test ts c f", "a d e"},
		{syntax.FamilyJava, "int a = b.c(d)", bare, "int a b d", "c"},
		{syntax.FamilyJava, "new A<B>(c.d\n(e), F.g, h /* */ (), i; j", called, "A d h", "new B c e F g i j"},
		{syntax.FamilyGo, "import a \"b/c\"\nd", imported, "c", "a b d"},
		{syntax.FamilyPython, python, imported, "a b c d g h i j k m o * p q", "f l n r s"},
		{syntax.FamilyGo, "import _ \"a/b\"\n_ = c", imported, "_ b", "a c"},
		{syntax.FamilyGo, "_ = c", imported, "", "_ c"},
		{syntax.FamilyPython, python, bound, "a b c d g h i j k o * p q", "f l m n r s"},
		{syntax.FamilyPython, python, renamed, "b j", "a c d h i q r"},
		{syntax.FamilyPython, "f(x from y)); from z import (a,\nb)\nc", imported, "a b", "c f x"},
		{syntax.FamilyPython, "", 0, "", "a"},
	} {
		w := wordsOf([]byte(tt.src), tt.family)
		for _, word := range strings.Fields(tt.has) {
			if !w.has(mentionOf(word, tt.as)) {
				t.Errorf("%q has no %q as %b", tt.src, word, tt.as)
			}
		}
		for _, word := range strings.Fields(tt.lacks) {
			if w.has(mentionOf(word, tt.as)) {
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
		var handles []handle
		for range random.IntN(12) {
			h := newHandle(occurrence(random.IntN(2))*bare, pick(random.IntN(4))...)
			h.dir, h.under = []string{"", "dir", "other"}[random.IntN(3)], []string{"", "", "other"}[random.IntN(3)]
			handles = append(handles, h)
		}
		f := &sourceFile{path: "dir/f.go", dir: "dir"}
		f.words = wordsOf([]byte(strings.Join(pick(random.IntN(200)), []string{" ", "."}[random.IntN(2)])), syntax.FamilyGo)
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

func TestPackageClause(t *testing.T) {
	for src, want := range map[string]string{
		"/* x */\npackage a.b.c;\nclass A {}": "a.b.c",
		"package  a ; // x":                   "a",
		" */package a.b; // */":               "",
		" */ package a.b;":                    "a.b",
		"class A {}":                          "",
		"":                                    "",
	} {
		if got := packageClause([]byte(src)); got != want {
			t.Errorf("packageClause(%q) = %q, want %q", src, got, want)
		}
	}
}

func TestTargets(t *testing.T) {
	const table = `{"types": "./t.d.ts", "require": {"node": "./n.cjs", "default": "./r.cjs"}, "import": ["./a.mjs", {"default": "./b.mjs"}], "@acme/source": "./s.ts"}`
	want := []string{"./s.ts", "./a.mjs", "./b.mjs", "./n.cjs", "./r.cjs", "./t.d.ts"}
	if got := targetsOf(json.RawMessage(table), 0); !slices.Equal(got, want) {
		t.Errorf("targets = %q, want %q", got, want)
	}
}

// TestPlainJSONIsNotTooDeep reads a repository's file that would end the program
// with its stack.
func TestPlainJSONIsNotTooDeep(t *testing.T) {
	src := []byte(strings.Repeat("[", 4<<20))
	if got := plainJSON(src); len(got) != len(src) {
		t.Errorf("%d bytes of %d", len(got), len(src))
	}
	deep := strings.Repeat("[", maxNesting) + strings.Repeat("]", maxNesting)
	if got := string(plainJSON([]byte(deep + " // as deep as may be"))); !strings.HasPrefix(got, deep) || strings.Contains(got, "may") {
		t.Errorf("%.20q", got)
	}
}
