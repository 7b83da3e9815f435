package debugging

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/evaluation/stats"
)

// lines reads a JSONL file of the fixtures: derived from the rules by brute
// force, not by this package.
func lines[T any](t *testing.T, name string) []T {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out []T
	for d := json.NewDecoder(bytes.NewReader(data)); d.More(); {
		var v T
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, v)
	}
	return out
}

func TestLineEqual(t *testing.T) {
	pairs := lines[struct {
		A, B, Why string
		Equal     bool
	}](t, "line_equal.jsonl")
	if len(pairs) != 18 {
		t.Fatalf("%d pairs", len(pairs))
	}
	for _, p := range pairs {
		if lineEqual(p.A, p.B) != p.Equal || lineEqual(p.B, p.A) != p.Equal {
			t.Errorf("%q and %q (%s): want %v", p.A, p.B, p.Why, p.Equal)
		}
	}
	for _, p := range []struct {
		a, b  string
		equal bool
	}{
		{"return x", "returnx", false}, {"x = '''a'''", `x = "a"`, true}, {`x = 'it\'s'`, `x = "it's"`, true},
		{"x = 'a # b'", "x = 'a # b' # c", true}, {"x =\u00a0é", "x=é", true}, {"'\\", "'\\", true}, {"  12  x = 1", "x = 1", true}, {"1 + x", "x", false},
		{`x = "a\"b"`, `x = 'a"b'`, true}, {`x = "\n"`, `x = "n"`, false},
	} {
		if lineEqual(p.a, p.b) != p.equal {
			t.Errorf("%q and %q: want %v", p.a, p.b, p.equal)
		}
	}
}

// pair is [truth, named, [cause, effect, type, message]].
type pair [3]json.RawMessage

func (p pair) pair(t *testing.T) Pair {
	t.Helper()
	var out Pair
	var right ones
	for i, to := range []any{&out.Truth, &out.Named, &right} {
		if err := json.Unmarshal(p[i], to); err != nil {
			t.Fatal(err)
		}
	}
	out.Right = right.right()
	return out
}

type ones [dimensions]int

func (o ones) right() (r Right) {
	for i, x := range o {
		r[i] = x == 1
	}
	return r
}

func pairs(t *testing.T, list []pair) []Pair {
	var out []Pair
	for _, p := range list {
		out = append(out, p.pair(t))
	}
	return out
}

var near = cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-9 })

// metric is one dimension over samples as the fixtures have it. Rates with
// nothing below the line are 0.
type metric struct {
	TP        int     `json:"tp"`
	FP        int     `json:"fp"`
	FN        int     `json:"fn"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
	ExactSet  float64 `json:"exact_set"` // share of samples
}

// pool sums one dimension over samples.
func pool(samples []scored, dimension int) metric {
	var m metric
	exact := 0
	for _, s := range samples {
		tp := s.tp(dimension)
		m.TP += tp
		m.FP += s.Named - tp
		m.FN += s.Truths - tp
		if s.exactSet(dimension) {
			exact++
		}
	}
	m.Precision, m.Recall = ratio(m.TP, m.TP+m.FP), ratio(m.TP, m.TP+m.FN)
	if m.TP > 0 {
		m.F1 = 2 * m.Precision * m.Recall / (m.Precision + m.Recall)
	}
	m.ExactSet = ratio(exact, len(samples))
	return m
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

func pooled(t *testing.T, samples []scored) map[string]metric {
	out := map[string]metric{}
	for d, name := range Dimensions() {
		out[name] = pool(samples, d)
	}
	return out
}

func TestGoldenCases(t *testing.T) {
	var all []scored
	for _, c := range lines[struct {
		Case   string
		Truths []struct {
			ID      string
			Cause   string `json:"cause_line"`
			Effect  string `json:"effect_line"`
			Type    string `json:"error_type"`
			Message string `json:"error_message"`
		}
		Answers []Named
		Pairs   []pair
		Metrics map[string]metric
	}](t, "cases.jsonl") {
		s := Sample{ID: c.Case}
		for _, truth := range c.Truths {
			s.Truths = append(s.Truths, Truth{ID: truth.ID, Cause: Line{Text: truth.Cause}, Effect: Line{Text: truth.Effect}, Type: truth.Type, Message: truth.Message})
		}
		got := score(s, c.Answers)
		if diff := cmp.Diff(pairs(t, c.Pairs), got.Pairs); diff != "" {
			t.Errorf("%s: %s", c.Case, diff)
		}
		if diff := cmp.Diff(c.Metrics, pooled(t, []scored{got}), near); diff != "" {
			t.Errorf("%s: %s", c.Case, diff)
		}
		all = append(all, got)
	}
	want := lines[struct{ Cases map[string]metric }](t, "metrics.json")[0].Cases
	if diff := cmp.Diff(want, pooled(t, all), near); diff != "" || len(all) != 13 {
		t.Errorf("%d cases, pooled: %s", len(all), diff)
	}
}

func TestGoldenAssignments(t *testing.T) {
	var all []scored
	for i, c := range lines[struct {
		Scores [][]ones
		N, M   int
		Pairs  []pair
	}](t, "assignments.jsonl") {
		right := make([][]Right, len(c.Scores))
		for i, row := range c.Scores {
			for _, o := range row {
				right[i] = append(right[i], o.right())
			}
		}
		got := assign(right)
		if diff := cmp.Diff(pairs(t, c.Pairs), got); diff != "" {
			t.Errorf("%d: %s", i, diff)
		}
		all = append(all, scored{Truths: c.N, Named: c.M, Pairs: got})
	}
	want := lines[struct{ Assignments map[string]metric }](t, "metrics.json")[0].Assignments
	if diff := cmp.Diff(want, pooled(t, all), near); diff != "" || len(all) != 60 {
		t.Errorf("%d assignments, pooled: %s", len(all), diff)
	}
}

var twice = Sample{ID: "s", Script: "a.py", Code: "x = 1\nf(x)\nx = 1\ng(\n  x,\n  y)\n", Truths: []Truth{{
	ID: "e1", Cause: Line{"x = 1", 3, 3}, Effect: Line{"g(\n  x,\n  y)", 4, 6}, Type: "numpy.AxisError", Message: "axis 2 of /tmp/a/b.csv at 0x7f00"}}}

// A number suffices, a text only where it is the line of one place.
func TestLinesByNumberAndText(t *testing.T) {
	for name, tc := range map[string]struct {
		named         Named
		cause, effect bool
	}{
		"numbers":               {Named{CauseNumber: 3, EffectNumber: 6}, true, true},
		"wrong numbers":         {Named{CauseNumber: 1, EffectNumber: 7}, false, false},
		"text that comes twice": {Named{Cause: "x = 1", Effect: "g("}, false, true},
		"with its number":       {Named{Cause: "x = 1", CauseNumber: 3, Effect: "y)"}, true, true},
		"with the other's":      {Named{Cause: "x = 1", CauseNumber: 1, Effect: "g(x, y)"}, false, true},
		"nothing":               {Named{}, false, false},
	} {
		got := twice.Compare(twice.Truths[0], tc.named)
		if got[Cause] != tc.cause || got[Effect] != tc.effect {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestTypeAndMessage(t *testing.T) {
	for _, tc := range []struct {
		named         Named
		typ, messages bool
	}{
		{Named{Message: "AxisError: axis 2 of C:\\x\\b.csv at 0xabc"}, true, true},
		{Named{Type: "AxisError", Message: "axis  2 of b.csv at 0x1"}, true, true},
		{Named{Type: "AxisError", Message: "axis 3 of b.csv at 0x1"}, true, false},
		{Named{Type: "axiserror"}, false, false},
		{Named{Message: "whatever", Judged: map[string]float64{"e1": 0.75}}, false, true},
		{Named{Message: "AxisError: axis 2 of b.csv at 0x1", Judged: map[string]float64{"e1": 0.7}}, true, false},
	} {
		got := twice.Compare(twice.Truths[0], tc.named)
		if got[Type] != tc.typ || got[Message] != tc.messages {
			t.Errorf("%+v: %v", tc.named, got)
		}
	}
}

// An AssertionError without a text has no message to name.
func TestEmptyMessage(t *testing.T) {
	truth := Truth{ID: "e1", Type: "AssertionError"}
	for _, tc := range []struct {
		named Named
		want  bool
	}{{Named{Type: "AssertionError"}, true}, {Named{Message: "AssertionError"}, true}, {Named{Message: "AssertionError: "}, true}, {Named{Message: "AssertionError: x"}, false}, {Named{}, false}, {Named{Type: "ValueError"}, false}} {
		if got := (Sample{}).Compare(truth, tc.named)[Message]; got != tc.want {
			t.Errorf("%+v: %v", tc.named, got)
		}
	}
}

func TestReadAnswer(t *testing.T) {
	one := []Named{{Cause: "x", CauseNumber: 3}}
	for text, want := range map[string][]Named{
		`{"errors": [{"cause_line": "x", "cause_line_number": 3}]}`:                             one,
		"Thoughts {first}.\n```json\n[{\"cause_line\":\"x\",\"cause_line_number\":\"3\"}]\n```": one,
		`{"cause_line": "x", "cause_line_number": 3} hope it helps :}`:                          one,
		`{"note": 1} {"cause_line": "x", "cause_line_number": 3}`:                               one,
		`{"errors": []}`: {}, `[]`: {},
	} {
		got, fault := readAnswer(text)
		if diff := cmp.Diff(want, got); diff != "" || fault != nil {
			t.Errorf("%s: %v %s", text, fault, diff)
		}
	}
	for text, code := range map[string]string{"": codeMissing, " \n": codeMissing, "not json": codeUnparsed, `{"note": 1}`: codeOffSchema, "[1]": codeOffSchema,
		`{"errors": [{"x": 1}]}`: codeOffSchema, strings.Repeat("[", 1<<20): codeUnparsed, strings.Repeat("x", 1<<20+1): codeTooLong} {
		if got, fault := readAnswer(text); fault == nil || fault.Code != code {
			t.Errorf("%.20q: %v, %+v, want %s", text, got, fault, code)
		}
	}
}

// An answer that names everything many times is no better for it.
func TestShotgun(t *testing.T) {
	var many []Named
	for range 10_000 {
		many = append(many, Named{CauseNumber: 3})
	}
	s := score(twice, many)
	if m := pool([]scored{s}, Cause); m.TP != 1 || m.FP != 9_999 || m.ExactSet != 0 {
		t.Errorf("%+v", m)
	}
}

func TestBreakdown(t *testing.T) {
	var samples []scored
	for i, hop := range []string{"single", "multi", "multi"} {
		s := twice
		s.ID, s.Script = string('a'+rune(i)), "script"+string('a'+rune(i))
		s.Truths = []Truth{twice.Truths[0]}
		s.Truths[0].Groups = map[string]string{"hop": hop}
		samples = append(samples, score(s, []Named{{CauseNumber: 3 + i%2}}))
	}
	g := breakdown(stats.Default(), samples, "hop")
	if len(g) != 2 || g[0].Name != "multi" || g[0].Errors != 2 || g[0].Recall[Cause].Value != 0.5 || g[1].Recall[Cause].Value != 1 {
		t.Errorf("%+v", g)
	}
	if e := estimate(stats.Default(), samples, Cause); math.Abs(float64(e.Recall.Value)-2.0/3) > 1e-12 || e.Recall.Clusters != 3 {
		t.Errorf("%+v", e)
	}
	if k := byErrorCount(samples); len(k) != 1 || len(k[0]) != 3 {
		t.Errorf("%v", k)
	}
}

func FuzzLineEqual(f *testing.F) {
	f.Add("x = 'a' # b", "12: `x = \"a\"`")
	f.Fuzz(func(t *testing.T, a, b string) {
		if !lineEqual(a, a) || lineEqual(a, b) != lineEqual(b, a) {
			t.Errorf("%q and %q", a, b)
		}
	})
}
