package bugs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/stats"
	"github.com/prforge/prforge/internal/reviewer"
)

// undeclared has the name total misspelled at line 5, used again at line 9.
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
		{"line and the remedy", undeclared(), Finding{Kind: other, Line: 5, Why: "should be `total`"}, 2},
		{"the remedy inside of another word", undeclared(), Finding{Kind: other, Line: 5, Why: "subtotals"}, 0},
		{"name and line under another kind", undeclared(), Finding{Kind: other, Name: "totl", Line: 5}, 1},
		{"name under another kind", undeclared(), Finding{Kind: other, Name: "totl"}, 0},
		{"line under another kind", undeclared(), Finding{Kind: other, Line: 5}, 0},
		{"another file", undeclared(), Finding{Kind: Undeclared, Name: "totl", Line: 5, Path: "lib/app.py"}, 0},
		{"a part of the path", undeclared(), Finding{Kind: Undeclared, Name: "totl", Line: 5, Path: "./app.py"}, 4},
		{"a missing import as such", missing, Finding{Kind: Import, Name: "totl", Line: 5}, 4},
		{"a missing import as a name", missing, Finding{Kind: Undeclared, Name: "totl", Line: 5}, 4},
		{"line and kind", indentation(), Finding{Kind: Indentation, Line: 8}, 4},
		{"the line before", indentation(), Finding{Kind: Indentation, Line: 6}, 4},
		{"kind", indentation(), Finding{Kind: Indentation, Line: 20}, 1},
		{"every test fails at import", indentation(), Finding{Kind: other, Why: "all tests fail at import"}, 1},
		{"line and syntax error", indentation(), Finding{Kind: other, Line: 7, Error: "SyntaxError"}, 1},
		{"line", indentation(), Finding{Kind: other, Line: 7}, 0},
		{"a control", Key{Family: Control}, Finding{Kind: Undeclared, Name: "x", Line: 1}, 0},
	} {
		if got := tc.key.credit(tc.f); got != tc.want {
			t.Errorf("%s, %s: %d, want %d", tc.key.Family, tc.what, got, tc.want)
		}
	}
}

func TestFalseAlarms(t *testing.T) {
	k := undeclared()
	r := k.Score(Answer{Findings: []Finding{{Kind: Undeclared, Name: "xs", Line: 2}, {Kind: Undeclared, Name: "zz", Line: 1}, {Kind: Indentation, Line: 1}, {Kind: other, Line: 1}, {Kind: Undeclared, Name: "totl", Line: 5}}})
	if r.FalseAlarms != 3 || r.ProvenFalse != 2 || r.Others != 1 || !r.strict() {
		t.Errorf("%+v", r)
	}
	k = Key{Family: Control, Bound: nil}
	if r := k.Score(Answer{Findings: []Finding{{Kind: Undeclared, Name: "xs"}}}); r.FalseAlarms != 1 || r.ProvenFalse != 0 || r.Failure != "" {
		t.Errorf("what is bound is not known: %+v", r)
	}
}

func TestFailureTypes(t *testing.T) {
	for want, a := range map[FailureType]Answer{
		Silent: {Findings: []Finding{}}, Unreadable: {Code: codeUnread}, Refused: {Code: codeRefused}, CutOff: {Code: codeCutOff},
		WrongPlace: {Findings: []Finding{{Kind: Undeclared, Name: "zz", Line: 1}}}, WrongKind: {Findings: []Finding{{Kind: other, Line: 5}}},
		Intended: {Findings: []Finding{{Kind: other, Line: 3, Error: "ValueError"}}}, Elsewhere: {Findings: []Finding{{Kind: other, Line: 1}}},
	} {
		if got := undeclared().Score(a).Failure; got != want {
			t.Errorf("%+v: %s, want %s", a, got, want)
		}
	}
	k := undeclared()
	k.Fault.ReportLine = 5
	if got := k.Score(Answer{Findings: []Finding{{Kind: other, Line: 9}}}).Failure; got != SymptomOnly {
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
		"": {Code: codeEmpty}, strings.Repeat("x", maxAnswerBytes+1): {Code: codeTooLarge},
		`{"findings": [{"path": "a.py", "li`:                            {Code: codeCutOff},
		"I'm sorry, I can't help with that.":                            {Code: codeRefused},
		`{"tests": []}`:                                                 {Code: codeUnreadable},
		"I cannot see anything wrong.":                                  {Code: codeUnread},
		"The name x might be a problem.":                                {Code: codeUnread},
		"On line 12 this raises NameError: name 'totl' is not defined.": {Prose: true, Findings: []Finding{{Kind: Undeclared, Name: "totl", Line: 12, Why: "On line 12 this raises NameError: name 'totl' is not defined."}}},
		"There is no NameError for 'totl' here.":                        {Code: codeUnread},
		"The test expects ValueError.":                                  {Code: codeUnread},
		"Fails with ImportError: cannot import name 'shard' from 'x'":   {Prose: true, Findings: []Finding{{Kind: Import, Name: "shard", Why: "Fails with ImportError: cannot import name 'shard' from 'x'"}}},
		"All tests fail: IndentationError":                              {Prose: true, Findings: []Finding{{Kind: Indentation, Why: "All tests fail: IndentationError"}}},
		strings.Repeat("[", maxAnswerBytes):                             {Code: codeUnread},
	} {
		if diff := cmp.Diff(want, read(text)); diff != "" {
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
		k.Path = k.TaskID + ".py"
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
			k.Family, k.Kind, k.DecidableIn = Import, "E5", []string{"B", "C"}
		}
		if k.Level < 4 {
			k.Lint = k.fault()
		}
		k.Checked = map[string][]Finding{"config_A": k.Lint, "config_B": k.fault()}
		keys = append(keys, k)
		if i%3 == 0 {
			c := k
			c.Lint, c.Checked = nil, nil
			c.QuestionID, c.Family, c.Kind, c.Level, c.Fault = "c"+k.QuestionID, Control, "untouched", 0, nil
			keys = append(keys, c)
		}
	}
	return keys
}

// The reference reviewers have the results that they are built for, and the
// tables of the report show them.
func TestReferences(t *testing.T) {
	keys := dataset()
	tables := tablesOf(t, keys, references())
	for _, want := range []struct {
		table, model string
		labels       string
		column       string
		value        float64
	}{
		{"level", "oracle", "config_B all", "strict", 1}, {"level", "oracle", "config_B all", "found above chance", 1}, {"controls", "oracle", "config_B", "controls", 40}, {"controls", "oracle", "config_B", "alarmed", 0},
		{"level", "silent", "config_B all", "found", 0}, {"controls", "silent", "config_B", "false alarms per question", 0},
		{"failures", "silent", "config_B silent", "faults", 120}, {"failures", "silent", "config_B silent", "level 4", 30}, {"failures", "silent", "config_B silent", "share", 1},
		{"level", "linter", "config_B 1", "strict", 1}, {"level", "linter", "config_B 3", "strict", 1}, {"level", "linter", "config_B 4", "strict", 0}, {"kind", "linter", "config_B E5", "found", 0},
		{"kind", "checker", "config_B E5", "strict", 1}, {"kind", "checker", "config_A E5, not decidable", "questions", 30}, {"kind", "checker", "config_A E5, not decidable", "found", 0},
		{"level", "silent", "config_A all", "questions", 90}, {"failures", "silent", "config_A silent", "faults", 90},
		{"controls", "shotgun", "config_A", "alarmed", 1}, {"level", "raises", "config_A all", "credit", 0}, {"controls", "raises", "config_A", "alarmed", 0},
		{"pairs", "oracle", "config_B linter all strict", "questions", 120}, {"pairs", "oracle", "config_B linter all strict", "only the first", 30}, {"pairs", "oracle", "config_A linter all strict", "questions", 90},
		{"pairs", "oracle", "config_B linter import found", "only the first", 30}, {"pairs", "oracle", "config_B linter import found", "both", 0},
		{"pairs", "oracle", "config_B linter all strict", "p", math.Pow(0.5, 29)},
	} {
		if got := figure(t, tables, want.table, want.model, want.labels, want.column); math.Abs(float64(got.Value)-want.value) > 1e-12 {
			t.Errorf("%s of %s, %s, %s: %v, want %v", want.table, want.model, want.labels, want.column, got.Value, want.value)
		}
	}
	if all := figure(t, tables, "level", "oracle", "config_B all", "strict"); all.Low < 0.91 || all.Low >= 1 || all.High != 1 {
		t.Errorf("the interval of 120 of 120: %+v", all)
	}
	if p := figure(t, tables, "pairs", "silent", "config_B raises all found", "p (Holm)"); p.Value != 1 {
		t.Errorf("two that find nothing differ: %+v", p)
	}
	if shotgun, guess := figure(t, tables, "level", "shotgun", "config_B all", "found"), figure(t, tables, "level", "guess", "config_B all", "found"); shotgun.Value <= guess.Value {
		t.Errorf("shotgun finds %v, guess %v", shotgun.Value, guess.Value)
	}
	if _, err := keys[0].Refer("nobody", ""); err == nil {
		t.Error("an unknown reference was found")
	}

	named := slices.DeleteFunc(keys, func(k Key) bool { return k.Fault == nil || k.Family == Indentation })
	guess := tablesOf(t, named, []string{"guess"})
	found, chance := float64(figure(t, guess, "level", "guess", "config_B all", "found").Value), float64(figure(t, guess, "level", "guess", "config_B all", "chance").Value)
	if se := math.Sqrt(chance * (1 - chance) / 90); math.Abs(found-chance) > 3*se {
		t.Errorf("guess finds %v, chance is %v", found, chance)
	}
}

// tablesOf are the tables of a run of references over questions, in which every
// answer is given twice.
func tablesOf(t *testing.T, keys []Key, references []string) []evaluation.Table {
	t.Helper()
	b := Benchmark{}
	p := evaluation.Plan{Configs: []string{"config_A", "config_B"}, Draws: 500, Seed: 1, Repeats: 2}
	items := map[string]evaluation.Item{}
	for _, k := range keys {
		key, err := json.Marshal(k)
		if err != nil {
			t.Fatal(err)
		}
		items[k.QuestionID] = evaluation.Item{ID: k.QuestionID, Key: key, Prompts: map[string]string{"config_A": "x", "config_B": "x"}}
		p.Tasks = append(p.Tasks, k.QuestionID)
	}
	for _, name := range references {
		p.Models = append(p.Models, reviewer.Model{ID: name})
	}
	var results []evaluation.Result
	for _, record := range p.Records(items) {
		it := items[record.Task]
		r, err := p.Evaluate(t.Context(), b, it, record, asked(func(context.Context, evaluation.Request) (string, error) {
			return b.Refer(record.Model, it, record.Config)
		}), nil)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	tables, err := b.Tables(p, items, results)
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// figure is one figure of a table.
func figure(t *testing.T, tables []evaluation.Table, table, model, labels, column string) evaluation.Figure {
	t.Helper()
	for _, x := range tables {
		for _, row := range x.Rows {
			if i := slices.Index(x.Columns, column); x.Name == table && row.Model == model && strings.Join(row.Labels, " ") == labels && i >= 0 {
				return row.Figures[i]
			}
		}
	}
	t.Fatalf("no %s of %s, %s, %s", table, model, labels, column)
	return evaluation.Figure{}
}

// The blind judge says yes to every response that names an exception, also on
// files without a fault; the table shows it.
func TestCalibrate(t *testing.T) {
	yes, no := true, false
	var all []Labeled
	for i, k := range dataset() {
		l := Labeled{QuestionID: k.QuestionID, TaskID: k.TaskID, Kind: k.Kind, Level: k.Level, Control: k.Fault == nil, Rule: k.Fault != nil && i%2 == 0, Judge: &yes}
		l.Human = &no
		if l.Rule {
			l.Human = &yes
		}
		if i == 0 {
			l.Judge = nil
		}
		all = append(all, l)
	}
	c := calibrate(stats.Default(), all)
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

// People's labels come into the tables: agreement of rule and judges with them,
// of two people with each other, and every disagreement. No score changes.
func TestPeopleLabelAnswers(t *testing.T) {
	b := Benchmark{}
	p := evaluation.Plan{Configs: []string{"config_B"}, Draws: 200, Seed: 1, Repeats: 1, Models: []reviewer.Model{{ID: "oracle"}}}
	items := map[string]evaluation.Item{}
	var results []evaluation.Result
	var file strings.Builder
	line := func(id, label, who string) {
		fmt.Fprintf(&file, `{"question_id":%q,"model":"oracle","config":"config_B","label":%q,"annotator":%q,"date":"2026-11-01"}`+"\n", id, label, who)
	}
	for i, k := range dataset() {
		key, err := json.Marshal(k)
		if err != nil {
			t.Fatal(err)
		}
		it := evaluation.Item{ID: k.QuestionID, Key: key}
		items[it.ID] = it
		reviewer := func(context.Context, evaluation.Request) (string, error) { return b.Refer("oracle", it, "config_B") }
		r, err := p.Evaluate(t.Context(), b, it, evaluation.RecordKey{Model: "oracle", Config: "config_B", Task: it.ID, Repeat: 1}, asked(reviewer), nil)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
		label := map[bool]string{true: labelFound, false: labelMissed}
		line(it.ID, label[k.Fault != nil != (i == 3)], "ada") // one that ada sees otherwise than the rule
		if i < 20 {
			line(it.ID, label[k.Fault != nil != (i == 3 || i == 4)], "ben")
		}
	}
	before, err := b.Tables(p, items, results)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Label(results, []byte(file.String())); err != nil {
		t.Fatal(err)
	}
	after, err := b.Tables(p, items, results)
	if err != nil {
		t.Fatal(err)
	}
	if len(after) != len(before)+2 || fmt.Sprint(before) != fmt.Sprint(after[:len(before)]) {
		t.Errorf("%d tables, %d with labels: other tables change", len(before), len(after))
	}
	n := len(results)
	for _, want := range []struct {
		row, column string
		value       float64
	}{
		{"config_B rule all", "answers", float64(n - 1)}, {"config_B rule all", "agreement", float64(n-2) / float64(n-1)},
		{"config_B one person and another all", "answers", 20}, {"config_B one person and another all", "agreement", 0.95},
	} {
		if got := figure(t, after, "people", "oracle", want.row, want.column); math.Abs(float64(got.Value)-want.value) > 1e-9 {
			t.Errorf("%s, %s: %v, want %v", want.row, want.column, got.Value, want.value)
		}
	}
	if rows := after[len(after)-1].Rows; len(rows) != 1 || rows[0].Labels[1] != results[3].Task || rows[0].Labels[2] != "1--0" {
		t.Errorf("disagreements: %+v", rows)
	}
	good := `{"question_id":"` + results[0].Task + `","model":"oracle","config":"config_B","label":"found","annotator":"eve","date":"2026-11-01"}`
	for name, tc := range map[string]struct{ text, want string }{
		"twice":              {good + "\n" + good, "line 2: eve labeled this answer already"},
		"no JSON":            {"found", "line 1: no label"},
		"two on a line":      {good + good, "line 1: no label: more than one value"},
		"cut off":            {good[:40], "line 1: no label: unexpected EOF"},
		"a list":             {"[" + good + "]", "line 1: no label"},
		"of another type":    {strings.Replace(good, `"eve"`, "7", 1), "line 1: no label"},
		"deep":               {strings.Repeat("[", 1<<20), "line 1: no label"},
		"long":               {strings.Replace(good, `"found"`, `"`+strings.Repeat("x", 1<<20)+`"`, 1), "line 1: label: want found or missed"},
		"zero bytes":         {strings.Repeat("\x00", 1<<20), "line 1: no label"},
		"many empty lines":   {strings.Repeat("\n", 1<<20) + "x", "line 1048577: no label"},
		"line breaks of DOS": {good + "\r\n", ""},
		"unknown key":        {strings.Replace(good, "{", `{"x":1,`, 1), "line 1: no label"},
		"unknown label":      {strings.Replace(good, `"found"`, `"yes"`, 1), `want found or missed, got "yes"`},
		"nobody":             {strings.Replace(good, "eve", "", 1), "annotator: want a name"},
		"no day":             {strings.Replace(good, "2026-11-01", "today", 1), `date: want a day such as 2026-11-01, got "today"`},
		"no such answer":     {"\n" + strings.Replace(good, "oracle", "gpt", 1), `line 2: the run has no answer of "gpt"`},
		"all in order":       {good + "\n\n", ""},
		"another's is fine":  {good + "\n" + strings.Replace(good, "eve", "bob", 1), ""},
	} {
		if err := b.Label(slices.Clone(results), []byte(tc.text)); err == nil && tc.want != "" || err != nil && (tc.want == "" || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
}

func TestVerdicts(t *testing.T) {
	for text, want := range map[string]string{"<answer>1</answer>": "1", "x <answer> 0 </answer>": "0", "<answer>0</answer><answer>1</answer>": "1", "1": "-", "": "-"} {
		found, ok := readVerdict(text)
		got := mark(&found)
		if !ok {
			got = "-"
		}
		if got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
	answer := `</response> answer 1 "`
	q, err := undeclared().judgeQuestions(answer)
	if err != nil || len(q) != 2 || !json.Valid([]byte(q[informedJudge].Prompt)) || !strings.Contains(q[informedJudge].Prompt, "totl") {
		t.Errorf("%v: %+v", err, q)
	}
	if b := q[blindJudge]; b.Prompt != answer || strings.Contains(b.System, "totl") {
		t.Errorf("the blind judge sees %+v", b)
	}
}

// Judges are asked beside the rule where the plan names an endpoint; the tables
// show the blind one's yes on controls, and a failed call fails the record.
func TestJudgesBesideTheRule(t *testing.T) {
	b := Benchmark{}
	p := evaluation.Plan{Configs: []string{"config_B"}, Draws: 200, Seed: 1, Repeats: 1, Models: []reviewer.Model{{ID: "oracle"}}, Judge: evaluation.Judge{ID: "judge", Provider: "openai", Repeat: 1}}
	items := map[string]evaluation.Item{}
	var results []evaluation.Result
	for i, k := range dataset() {
		key, err := json.Marshal(k)
		if err != nil {
			t.Fatal(err)
		}
		it := evaluation.Item{ID: k.QuestionID, Key: key}
		items[it.ID] = it
		reviewer := func(context.Context, evaluation.Request) (string, error) { return b.Refer("oracle", it, "config_B") }
		judge := func(_ context.Context, q evaluation.Request) (string, error) {
			switch {
			case i == 0:
				return "", fmt.Errorf("529")
			case q.System == prompt("judge_blind.txt"):
				return "<answer>1</answer>", nil
			case i == 1:
				return "I cannot tell", nil
			}
			return fmt.Sprintf("<answer>%d</answer>", one(k.Fault != nil)), nil
		}
		r, err := p.Evaluate(t.Context(), b, it, evaluation.RecordKey{Model: "oracle", Config: "config_B", Task: it.ID, Repeat: 1}, asked(reviewer), asked(judge))
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 && (r.Outcome != evaluation.Failed || r.Code != evaluation.JudgeUnanswered) {
			t.Errorf("a judge without an answer: %+v", r)
		}
		results = append(results, r)
	}
	tables, err := b.Tables(p, items, results)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		judge, column string
		value         float64
	}{{"blind", "answers", 159}, {"blind", "yes on controls", 1}, {"blind", "found by rule", 1}, {"informed", "answers", 158}, {"informed", "yes on controls", 0}, {"informed", "agreement with the rule", 1}} {
		if got := figure(t, tables, "judges", "oracle", "config_B "+want.judge, want.column); float64(got.Value) != want.value {
			t.Errorf("%s, %s: %v, want %v", want.judge, want.column, got.Value, want.value)
		}
	}
	if got := figure(t, tables, "calibration", "oracle", "blind, config_B 01-", "answers"); got.Value != 39+1 && got.Value != 40 {
		t.Errorf("controls that the blind judge passes: %v", got.Value)
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
		text, err := b.Refer("oracle", it, "config_B")
		if err != nil {
			t.Fatal(err)
		}
		s, err := b.Score(it, "config_B", b.Read(it, text), nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := (evaluation.Rate{N: 4, Of: 4}); k.Fault != nil && (s.Rates["credit"] != want || s.Parts["chance"] != k.Chance) {
			t.Errorf("%s: %+v", k.QuestionID, s)
		}
		if _, has := s.Rates["credit"]; has == (k.Fault == nil) {
			t.Errorf("%s: a control has no credit: %+v", k.QuestionID, s.Rates)
		}
		if r := b.Read(it, `{"findings": []}`); r.Outcome != evaluation.ReadNothing {
			t.Errorf("no findings are %q", r.Outcome)
		}
		s, err = b.Score(it, "config_B", b.Read(it, "nothing to say"), nil)
		if err != nil || s.Rates["unusable"].N != 1 {
			t.Errorf("%v %+v", err, s)
		}
		for _, m := range b.Metrics() {
			_, has := s.Rates[m.Name]
			if want := m.Name != "alarmed_controls" && m.Name != "undecidable_found" && m.Name != "balanced" && (m.Name != "import_strict" || k.Family == Import); k.Fault != nil && has != want {
				t.Errorf("%s: rate %s is there: %v", k.QuestionID, m.Name, has)
			}
		}
	}
}

// Questions and controls weigh alike, however many there are of each: silence and a
// constant answer are worth a half, and so are alarms on every file.
func TestBalanced(t *testing.T) {
	keys := dataset()
	Oppose(keys, []string{"config_A", "config_B"})
	for _, tc := range []struct {
		name, config string
		want         float64
	}{{"oracle", "config_A", 1}, {"oracle", "config_B", 1}, {"silent", "config_A", 0.5}, {"linter", "config_B", 0.875}} {
		var sum evaluation.Rate
		for _, k := range keys {
			text, err := k.Refer(tc.name, tc.config)
			if err != nil {
				t.Fatal(err)
			}
			key, err := json.Marshal(k)
			if err != nil {
				t.Fatal(err)
			}
			it := evaluation.Item{ID: k.QuestionID, Key: key}
			score, err := Benchmark{}.Score(it, tc.config, Benchmark{}.Read(it, text), nil)
			if err != nil {
				t.Fatal(err)
			}
			r := score.Rates["balanced"]
			sum = evaluation.Rate{N: sum.N + r.N, Of: sum.Of + r.Of}
		}
		if got, ok := sum.Value(); !ok || got != tc.want {
			t.Errorf("%s, %s: %v, want %v", tc.name, tc.config, got, tc.want)
		}
	}
}

// What is wrong is said by the line alone where code runs and does something else.
func TestCreditLogic(t *testing.T) {
	k := undeclared()
	k.Family = Logic
	for want, f := range []Finding{{Kind: Logic, Line: 20}, {Kind: Undeclared, Line: 5}, {Kind: other, Line: 5}, {}, {Kind: Logic, Line: 4}} {
		if got := k.credit(f); got != want && want != 3 && want != 0 || want == 0 && got != 0 {
			t.Errorf("%+v: %d, want %d", f, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"findings": [{"line": 3, "kind": "indentation"}]}`)
	f.Add("NameError: name 'x' is not defined on line 7. [ {")
	f.Fuzz(func(t *testing.T, s string) {
		a := read(s)
		r := undeclared().Score(a)
		if len(a.Findings) > maxCounted || a.Code != "" && len(a.Findings) > 0 || r.Quarters < 0 || r.Quarters > quarters {
			t.Errorf("%+v", r)
		}
	})
}

// asked is an Ask that always asks somebody.
func asked(f func(context.Context, evaluation.Request) (string, error)) evaluation.Ask {
	return func(ctx context.Context, q evaluation.Request) (evaluation.Reply, error) {
		if f == nil {
			return evaluation.Reply{}, errors.New("nobody to ask")
		}
		text, err := f(ctx, q)
		return evaluation.Reply{Text: text, Fresh: true}, err
	}
}
