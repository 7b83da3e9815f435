package script

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
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
