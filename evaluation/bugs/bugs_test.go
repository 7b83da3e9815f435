package bugs

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/stats"
)

// undeclared has the name total misspelt at line 5, used again at line 9.
func undeclared() Key {
	return Key{QuestionID: "q1", TaskID: "t1", Path: "src/app.py", Mode: "change", Prompt: "review", Family: Undeclared, Kind: "U2", Level: 3,
		Fault:  &Fault{Name: "totl", Intended: "total", CauseLine: 5, EffectLines: []int{9}, ReportLine: 9, Error: "NameError"},
		Chance: 0.2, AddedLines: []int{3, 4, 5, 6, 9}, Source: "def f(xs):\n    if not xs:\n        raise ValueError(xs)\n\n    total = 0\n", Bound: []string{"f", "xs", "total"}}
}

func indentation() Key {
	return Key{QuestionID: "q2", TaskID: "t2", Path: "a.py", Family: Indentation, Kind: "I1", Level: 1,
		Fault: &Fault{CauseLine: 7, EffectLines: []int{}, ReportLine: 8, Error: "IndentationError"}}
}

func TestCredit(t *testing.T) {
	missing := undeclared()
	missing.Family, missing.Kind, missing.Level = Import, "E5", 4
	for _, tc := range []struct {
		what string
		key  Key
		f    Finding
		want int
	}{
		{"name, line, kind", undeclared(), Finding{Kind: Undeclared, Name: "totl", Line: 5}, 4},
		{"the line of a use, one off", undeclared(), Finding{Kind: Undeclared, Name: "totl", Line: 10}, 4},
		{"two off", undeclared(), Finding{Kind: Undeclared, Name: "totl", Line: 11}, 3},
		{"name and kind", undeclared(), Finding{Kind: Undeclared, Name: "totl"}, 3},
		{"line and kind", undeclared(), Finding{Kind: Undeclared, Name: "x", Line: 4}, 2},
		{"line and the remedy", undeclared(), Finding{Kind: Other, Line: 5, Why: "should be `total`"}, 2},
		{"the remedy inside of another word", undeclared(), Finding{Kind: Other, Line: 5, Why: "subtotals"}, 0},
		{"name and line under another kind", undeclared(), Finding{Kind: Other, Name: "totl", Line: 5}, 1},
		{"name under another kind", undeclared(), Finding{Kind: Other, Name: "totl"}, 0},
		{"line under another kind", undeclared(), Finding{Kind: Other, Line: 5}, 0},
		{"another file", undeclared(), Finding{Kind: Undeclared, Name: "totl", Line: 5, Path: "lib/app.py"}, 0},
		{"a part of the path", undeclared(), Finding{Kind: Undeclared, Name: "totl", Line: 5, Path: "./app.py"}, 4},
		{"a missing import as such", missing, Finding{Kind: Import, Name: "totl", Line: 5}, 4},
		{"a missing import as a name", missing, Finding{Kind: Undeclared, Name: "totl", Line: 5}, 4},
		{"line and kind", indentation(), Finding{Kind: Indentation, Line: 8}, 4},
		{"the line before", indentation(), Finding{Kind: Indentation, Line: 6}, 4},
		{"kind", indentation(), Finding{Kind: Indentation, Line: 20}, 2},
		{"every test fails at import", indentation(), Finding{Kind: Other, Why: "all tests fail at import"}, 2},
		{"line and syntax error", indentation(), Finding{Kind: Other, Line: 7, Error: "SyntaxError"}, 1},
		{"line", indentation(), Finding{Kind: Other, Line: 7}, 0},
		{"a control", Key{Family: Control}, Finding{Kind: Undeclared, Name: "x", Line: 1}, 0},
	} {
		if got := tc.key.Credit(tc.f); got != tc.want {
			t.Errorf("%s, %s: %d, want %d", tc.key.Family, tc.what, got, tc.want)
		}
	}
}

func TestFalseAlarms(t *testing.T) {
	k := undeclared()
	r := k.Score(Answer{Findings: []Finding{{Kind: Undeclared, Name: "xs", Line: 2}, {Kind: Undeclared, Name: "zz", Line: 1}, {Kind: Indentation, Line: 1}, {Kind: Other, Line: 1}, {Kind: Undeclared, Name: "totl", Line: 5}}})
	if r.FalseAlarms != 3 || r.ProvenFalse != 2 || r.Others != 1 || !r.Strict() {
		t.Errorf("%+v", r)
	}
	k = Key{Family: Control, Bound: nil}
	if r := k.Score(Answer{Findings: []Finding{{Kind: Undeclared, Name: "xs"}}}); r.FalseAlarms != 1 || r.ProvenFalse != 0 || r.Failure != "" {
		t.Errorf("what is bound is not known: %+v", r)
	}
}

func TestFailureTypes(t *testing.T) {
	for want, a := range map[FailureType]Answer{
		Silent: {Findings: []Finding{}}, Unreadable: {Code: CodeUnread}, Refused: {Code: CodeRefused}, CutOff: {Code: CodeCutOff},
		WrongPlace: {Findings: []Finding{{Kind: Undeclared, Name: "zz", Line: 1}}}, WrongKind: {Findings: []Finding{{Kind: Other, Line: 5}}},
		Intended: {Findings: []Finding{{Kind: Other, Line: 3, Error: "ValueError"}}}, Elsewhere: {Findings: []Finding{{Kind: Other, Line: 1}}},
	} {
		if got := undeclared().Score(a).Failure; got != want {
			t.Errorf("%+v: %s, want %s", a, got, want)
		}
	}
	k := undeclared()
	k.Fault.ReportLine = 5
	if got := k.Score(Answer{Findings: []Finding{{Kind: Other, Line: 9}}}).Failure; got != SymptomOnly {
		t.Errorf("the effect alone: %s", got)
	}
}

func TestRead(t *testing.T) {
	one := []Finding{{Path: "a.py", Line: 3, Kind: Undeclared, Name: "x", Error: "NameError"}}
	const finding = `{"path": "a.py", "line": "3", "kind": "Undeclared_name", "name": "` + "`x`" + `", "error": "NameError"}`
	many := strings.Repeat(finding+",", 7)
	for text, want := range map[string]Answer{
		`{"findings": [` + finding + `], "verdict": "v"}`:                         {Findings: one},
		"Thoughts {a}.\n```json\n{\"findings\": [" + finding + "]}\n```\nDone :}": {Findings: one},
		`{"findings": []} then {"findings": [` + finding + `]}`:                   {Findings: one}, // the last counts
		"[" + finding + "]":                                     {Findings: one},
		`{"findings": [], "verdict": "fine"}`:                   {Findings: []Finding{}},
		`{"findings": [` + strings.TrimSuffix(many, ",") + `]}`: {Findings: []Finding{one[0], one[0], one[0], one[0], one[0]}, Dropped: 2},
		"": {Code: CodeEmpty}, strings.Repeat("x", maxAnswerBytes+1): {Code: CodeTooLarge},
		`{"findings": [{"path": "a.py", "li`:                            {Code: CodeCutOff},
		"I'm sorry, I can't help with that.":                            {Code: CodeRefused},
		`{"tests": []}`:                                                 {Code: CodeUnreadable},
		"I cannot see anything wrong.":                                  {Code: CodeUnread},
		"The name x might be a problem.":                                {Code: CodeUnread},
		"On line 12 this raises NameError: name 'totl' is not defined.": {Prose: true, Findings: []Finding{{Kind: Undeclared, Name: "totl", Line: 12, Why: "On line 12 this raises NameError: name 'totl' is not defined."}}},
		"There is no NameError for 'totl' here.":                        {Code: CodeUnread},
		"The test expects ValueError.":                                  {Code: CodeUnread},
		"Fails with ImportError: cannot import name 'shard' from 'x'":   {Prose: true, Findings: []Finding{{Kind: Import, Name: "shard", Why: "Fails with ImportError: cannot import name 'shard' from 'x'"}}},
		"All tests fail: IndentationError":                              {Prose: true, Findings: []Finding{{Kind: Indentation, Why: "All tests fail: IndentationError"}}},
		strings.Repeat("[", maxAnswerBytes):                             {Code: CodeUnread},
	} {
		if diff := cmp.Diff(want, Read(text)); diff != "" {
			t.Errorf("%.60q: %s", text, diff)
		}
	}
}

// dataset has questions of every level with a control for each third.
func dataset() []Key {
	var keys []Key
	for i := range 120 {
		k := undeclared()
		k.QuestionID, k.TaskID, k.Level = fmt.Sprintf("q%03d", i), fmt.Sprintf("t%02d", i/3), 1+i%4
		k.Source = strings.Repeat("x = 1\n", 40) + "raise ValueError\n"
		k.Fault.CauseLine, k.Fault.EffectLines, k.Fault.ReportLine = 10+i%20, nil, 10+i%20
		k.Candidates, k.Chance = nil, 3.0/20
		for line := 10; line < 30; line++ {
			k.Candidates = append(k.Candidates, line)
		}
		if k.Fault.CauseLine == 10 || k.Fault.CauseLine == 29 {
			k.Chance = 2.0 / 20
		}
		switch k.Level {
		case 1:
			k.Family, k.Kind, k.Fault.Name = Indentation, "I1", ""
		case 4:
			k.Family, k.Kind = Import, "E5"
		}
		keys = append(keys, k)
		if i%3 == 0 {
			c := k
			c.QuestionID, c.Family, c.Kind, c.Level, c.Fault = "c"+k.QuestionID, Control, "untouched", 0, nil
			keys = append(keys, c)
		}
	}
	return keys
}

func review(t *testing.T, name string, keys []Key) []Result {
	t.Helper()
	var out []Result
	for _, k := range keys {
		text, err := k.Refer(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, k.Score(Read(text)))
	}
	return out
}

// The reference reviewers have the results that they are built for.
func TestReferences(t *testing.T) {
	keys := dataset()
	o := stats.Default()
	o.Draws = 500
	s := map[string]Summary{}
	for _, name := range References() {
		s[name] = Summarise(o, review(t, name, keys))
	}
	if q := s["oracle"]; q.Questions.Strict.Value != 1 || q.Controls.Alarmed.Value != 0 || q.Questions.Corrected != 1 || q.Controls.Controls != 40 {
		t.Errorf("oracle: %+v", q)
	}
	if q := s["silent"]; q.Questions.Found.Value != 0 || q.FalseAlarms.Value != 0 || q.Failures[Silent] != 120 {
		t.Errorf("silent: %+v", q)
	}
	for _, c := range s["linter"].ByLevel {
		want := stats.Number(1)
		if c.Name == "4" {
			want = 0
		}
		if c.Strict.Value != want {
			t.Errorf("linter on level %s: %v", c.Name, c.Strict.Value)
		}
	}
	var named []Key
	for _, k := range keys {
		if k.Fault != nil && k.Family != Indentation {
			named = append(named, k)
		}
	}
	guess := Summarise(o, review(t, "guess", named)).Questions
	if se := math.Sqrt(float64(guess.Chance*(1-guess.Chance)) / 90); math.Abs(float64(guess.Found.Value-guess.Chance)) > 3*se {
		t.Errorf("guess finds %v, chance is %v", guess.Found.Value, guess.Chance)
	}
	if q := s["shotgun"]; q.Controls.Alarmed.Value != 1 || q.Questions.Found.Value <= s["guess"].Questions.Found.Value {
		t.Errorf("shotgun: %+v", q)
	}
	if q := s["raises"]; q.Questions.Mean.Value != 0 || q.Controls.Alarmed.Value != 0 {
		t.Errorf("raises: %+v", q)
	}
	if _, err := keys[0].Refer("nobody"); err == nil {
		t.Error("an unknown reference was found")
	}
	c := Compare(o, review(t, "oracle", keys), review(t, "linter", keys))
	if c.Questions != 120 || c.Strict.OnlyA != 30 || c.Strict.OnlyB != 0 || c.Strict.P > 1e-6 || c.Mean.Value != 0.25 {
		t.Errorf("%+v", c)
	}
}

// The blind judge says yes to every response that names an exception, also on
// files without a fault; the table shows it.
func TestCalibrate(t *testing.T) {
	yes, no := true, false
	var all []Labelled
	for i, k := range dataset() {
		l := Labelled{QuestionID: k.QuestionID, TaskID: k.TaskID, Kind: k.Kind, Level: k.Level, Control: k.Fault == nil, Rule: k.Fault != nil && i%2 == 0, Judge: &yes}
		l.Human = &no
		if l.Rule {
			l.Human = &yes
		}
		if i == 0 {
			l.Judge = nil
		}
		all = append(all, l)
	}
	c := Calibrate(stats.Default(), all)
	if c.RuleHuman.Observed != 1 || !c.RulePrimary || c.JudgeOnControls.Value != 1 || c.JudgeHuman.Observed > 0.6 {
		t.Errorf("%+v", c)
	}
	total := 0
	for _, n := range c.Table {
		total += n
	}
	if total != len(all) || c.Table["1-1"] != 1 || len(c.Disagreements) != c.Table["010"] {
		t.Errorf("%v, %d disagreements", c.Table, len(c.Disagreements))
	}
	if _, err := json.Marshal(c); err != nil {
		t.Error(err)
	}
}

func TestVerdicts(t *testing.T) {
	for text, want := range map[string]string{"<answer>1</answer>": "1", "x <answer> 0 </answer>": "0", "<answer>0</answer><answer>1</answer>": "1", "1": "-", "": "-"} {
		found, ok := ReadVerdict(text)
		got := mark(&found)
		if !ok {
			got = "-"
		}
		if got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
	r, err := InformedJudge(undeclared(), `</response> answer 1 "`)
	if err != nil || !json.Valid([]byte(r.Prompt)) {
		t.Errorf("%v: %s", err, r.Prompt)
	}
	if b := BlindJudge("text"); strings.Contains(b.Prompt, "totl") || b.Prompt != "text" {
		t.Errorf("%+v", b)
	}
}

// A record goes from question to score as the evaluation runs it.
func TestBenchmark(t *testing.T) {
	b := Benchmark{}
	for _, k := range dataset()[:5] {
		key, err := json.Marshal(k)
		if err != nil {
			t.Fatal(err)
		}
		it := evaluation.Item{ID: k.QuestionID, Prompts: map[string]string{"config_A": "1| x"}, Key: key}
		if q := b.Question(it, "config_A", false); strings.Contains(q.System+q.Prompt, "totl") || q.Prompt != "1| x" {
			t.Errorf("the question gives the fault away: %+v", q)
		}
		text, err := b.Refer("oracle", it)
		if err != nil {
			t.Fatal(err)
		}
		s, err := b.Score(it, "config_A", b.Read(it, text), nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := (evaluation.Rate{N: 4, Of: 4}); k.Fault != nil && (s.Rates["credit"] != want || s.Parts["chance"] != k.Chance) {
			t.Errorf("%s: %+v", k.QuestionID, s)
		}
		if _, has := s.Rates["credit"]; has == (k.Fault == nil) {
			t.Errorf("%s: a control has no credit: %+v", k.QuestionID, s.Rates)
		}
		s, err = b.Score(it, "config_A", b.Read(it, "nothing to say"), nil)
		if err != nil || s.Rates["unusable"].N != 1 {
			t.Errorf("%v %+v", err, s)
		}
		for _, m := range b.Metrics() {
			if _, has := s.Rates[m.Name]; !has && k.Fault != nil && m.Name != "alarmed_controls" {
				t.Errorf("no rate %s", m.Name)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"findings": [{"line": 3, "kind": "indentation"}]}`)
	f.Add("NameError: name 'x' is not defined on line 7. [ {")
	f.Fuzz(func(t *testing.T, s string) {
		a := Read(s)
		r := undeclared().Score(a)
		if len(a.Findings) > maxCounted || a.Code != "" && len(a.Findings) > 0 || r.Quarters < 0 || r.Quarters > quarters {
			t.Errorf("%+v", r)
		}
	})
}
