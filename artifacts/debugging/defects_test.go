package debugging

import (
	"strings"
	"testing"
)

// published is a file with each defect once, written for this test; the numbers
// are those of docs/debugging.md.
const published = `{"id": 1, "question": "q", "error_versions": [
 {"modified_code": "a = 1\nb = a + 'x'  # injected here\n", "execution_output": "Traceback (most recent call last):\n  File \"s.py\", line 2, in <module>\n    b = a + 'x'  # injected here\nTypeError: no\n", "effect_error_line": "b = a + 'x'  # injected here", "cause_error_line": "b = a + 'x'  # injected here"},
 {"modified_code": "def f(x):\n    return x['k']\nf({})\n", "execution_output": "Traceback (most recent call last):\n  File \"s.py\", line 3, in <module>\n    f({})\n  File \"s.py\", line 2, in f\n    return x['k']\nKeyError: 'k'\n", "effect_error_line": "f({})", "cause_error_line": "return x['k']"},
 {"modified_code": "a = 1\na = 1\nb = a['k']\n", "execution_output": "Traceback (most recent call last):\n  File \"s.py\", line 3, in <module>\n    b = a['k']\nTypeError: no\n", "effect_error_line": "b = a['k']", "cause_error_line": "a = 1"},
 {"modified_code": "a = f(1)\nb = 2\n", "execution_output": "Traceback (most recent call last):\n  File \"s.py\", line 1, in <module>\n    a = f(1)\nNameError: no\n", "effect_error_line": "a = f(1)", "cause_error_line": "b = 2"},
 {"modified_code": "a = 1\n", "execution_output": "Killed\n", "effect_error_line": "a = 1", "cause_error_line": "a = 1"},
 {"modified_code": "a = f(1)\n", "execution_output": "Traceback (most recent call last):\n  File \"s.py\", line 1, in <module>\n    a = f(1)\nValueError: first\nsecond line of it\n", "effect_error_line": "a = f(1)", "cause_error_line": "a = f(1)"},
 {"modified_code": "a = f(1)\nb = g(a)\n", "execution_output": "Traceback (most recent call last):\n  File \"s.py\", line 2, in <module>\n    b = g(a)\nValueError: sound\n", "effect_error_line": "b = g(a)", "cause_error_line": "a = f(1)"},
 {"modified_code": "a = f(1)\nb = g(a)\n# the bug\n", "execution_output": "Traceback (most recent call last):\n  File \"s.py\", line 2, in <module>\n    b = g(a)\n  File \"lib.py\", line 9, in g\n    raise E(a)\nValueError: sound\n", "effect_error_line": "b = g(a)", "cause_error_line": "a = f(1)"}]}
{"id": 0, "question": "q", "modified_code": "a = f(1)\nb = g(a)\n", "error_count": 2, "effect_error_lines": ["b = g(a)", "b = g(a)"], "cause_error_lines": ["a = f(1)", "a = f(1)"]}
{"id": 1, "question": "q", "modified_code": "a = f(1)\nb = g(a)\n", "error_count": 2, "effect_error_lines": ["b = g(a)", "c = h(b)"], "cause_error_lines": ["a = f(1)", "a = f(1)"]}
{"id": 2, "question": "q", "modified_code": "a = f(1\nb = g(a)\n", "error_count": 2, "effect_error_lines": ["b = g(a)", "a = f(1"], "cause_error_lines": ["a = f(1", "a = f(1"]}
{"id": 3, "question": "q", "modified_code": "a = f(1)\nb = g(a)\n", "error_count": 2, "effect_error_lines": ["b = g(a)", "a = f(1)"], "cause_error_lines": ["a = f(1)", "a = f(1)"]}
`

func TestDefectsOfAPublishedFile(t *testing.T) {
	lines := strings.ReplaceAll(strings.ReplaceAll(published, "[\n", "["), ",\n ", ",")
	parses := func(code string) bool { return strings.Count(code, "(") == strings.Count(code, ")") }
	r, err := VerifyPublished("published.jsonl", strings.NewReader(lines), parses)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, f := range r.Faults {
		got[string(f.Kind)] = f.Count
	}
	for kind, want := range map[string]int{
		"1-comment-tells": 2, "2-effect-outermost": 1, "6-line-absent-or-twice": 1, "7-cause-after-effect": 1,
		"8-no-traceback": 1, "9-message-of-several-lines": 1, "10-truth-not-in-code": 3,
	} {
		if got[kind] != want {
			t.Errorf("%s: %d, want %d", kind, got[kind], want)
		}
	}
	if r.Records != 5 || r.OK() {
		t.Errorf("%d records", r.Records)
	}
	if _, err := VerifyPublished("x", strings.NewReader("{"), parses); err == nil {
		t.Error("half a record was read")
	}
}

// What the published scorer takes for the message of an exported sample is the
// sample's.
func TestExportHasWhatThePublishedScorerReads(t *testing.T) {
	e := Error{ErrorType: "DTypeError", ErrorModule: "numpy.core", ErrorMessage: "two\n lines", EffectText: "f(1)"}
	lines := strings.Split(output(e), "\n")
	if got := lines[len(lines)-2]; got != "numpy.core.DTypeError: two lines" {
		t.Errorf("%q", got)
	}
	e.ErrorModule, e.ErrorMessage = "builtins", ""
	if !strings.HasSuffix(output(e), "\nDTypeError\n") {
		t.Errorf("%q", output(e))
	}
}
