package syntax_test

import (
	"testing"

	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/syntax"
)

// TestHandlers: a function that is handed to a call with a string is a definition
// that the string names, whose body may be left out.
func TestHandlers(t *testing.T) {
	for _, c := range []struct{ src, name, stub string }{
		{"defineGetter(req, 'fresh', function () {\n  return check(this);\n});\n", "fresh", "defineGetter(req, 'fresh', function () { /* ... */ });\n"},
		{"router.get('/x', (req, res) => {\n  res.send(1);\n});\n", "/x", "router.get('/x', (req, res) => { /* ... */ });\n"},
		{"Object.defineProperty(o, 'size', {\n  get: function () {\n    return 1;\n  }\n});\n", "size", "Object.defineProperty(o, 'size', {\n  get: function () { /* ... */ }\n});\n"},
		{"call('a', function () {}.name);\n", "", ""},
		{"run(function () {\n  go();\n});\n", "", ""},
	} {
		f := languages.Parse("a.js", []byte(c.src), syntax.DefaultOptions())
		if c.name == "" {
			if len(f.Definitions) > 0 {
				t.Errorf("%q defines %q", c.src, f.Definitions[0].Name)
			}
			continue
		}
		if len(f.Definitions) == 0 || f.Definitions[0].Name != c.name || f.Definitions[0].Kind != syntax.Handler {
			t.Errorf("%q: %+v", c.src, f.Definitions)
			continue
		}
		if got := f.Compose([]byte(c.src), syntax.Pick{Def: 0, Form: syntax.Stub}); got != c.stub || !syntax.Parses(f.Language, got) {
			t.Errorf("%q: stub %q, want %q", c.src, got, c.stub)
		}
	}
}
