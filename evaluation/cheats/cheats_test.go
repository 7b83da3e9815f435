package cheats

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/prforge/prforge/evaluation"
)

// exam is a benchmark whose items are answered right by their id.
type exam struct{ evaluation.Benchmark }

func (exam) Read(_ evaluation.Item, text string) evaluation.Reading {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return evaluation.Reading{Answer: data}
}

func (exam) Score(it evaluation.Item, _ string, r evaluation.Reading, _ *evaluation.Judgement) (evaluation.Score, error) {
	n := 0
	if string(r.Answer) == `"`+it.ID+`"` {
		n = 1
	}
	if it.Groups["difficulty"] == "control" {
		return evaluation.Score{Rates: map[string]evaluation.Rate{"alarmed": {N: 1 - n, Of: 1}}}, nil
	}
	return evaluation.Score{Rates: map[string]evaluation.Rate{"credit": {N: 4 * n, Of: 4}}}, nil
}

func item(id, level string) evaluation.Item {
	return evaluation.Item{ID: id, Groups: map[string]string{"difficulty": level}, Prompts: map[string]string{"config_A": id}}
}

func TestMeasure(t *testing.T) {
	says := func(all ...string) func(context.Context, []evaluation.Item, string) ([]string, error) {
		return func(context.Context, []evaluation.Item, string) ([]string, error) { return all, nil }
	}
	s := Set{Metric: "credit", Alarm: "alarmed", List: []Cheat{
		{Name: "half", Means: "a", Answers: says("1", "x", "3", "4")},
		{Name: "short", Means: "b", Answers: says("1")},
		{Name: "absent", Means: "c", Answers: func(context.Context, []evaluation.Item, string) ([]string, error) {
			return nil, errors.New("no such program")
		}},
	}}
	items := []evaluation.Item{item("1", "level 1"), item("2", "level 1"), item("3", "level 2"), item("4", "control"), {ID: "5"}}
	got, err := s.Measure(t.Context(), exam{}, items, []string{"config_A"})
	if err != nil {
		t.Fatal(err)
	}
	want := []Result{
		{Cheat: "half", Config: "config_A", Level: All, Items: 3, Rate: evaluation.Rate{N: 8, Of: 12}, Alarm: evaluation.Rate{N: 0, Of: 1}},
		{Cheat: "half", Config: "config_A", Level: "level 1", Items: 2, Rate: evaluation.Rate{N: 4, Of: 8}},
		{Cheat: "half", Config: "config_A", Level: "level 2", Items: 1, Rate: evaluation.Rate{N: 4, Of: 4}},
		{Cheat: "short", Config: "config_A", Level: All, Not: "it does not answer every item"},
		{Cheat: "absent", Config: "config_A", Level: All, Not: "no such program"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	table := s.Table(got)
	if len(table.Rows) != 5 || len(table.Rows[0].Figures) != len(table.Columns) || !strings.Contains(table.Means, "absent: c (it could not run: no such program).") {
		t.Errorf("table %+v", table)
	}
}

func TestCeilings(t *testing.T) {
	of := func(cheat, level string, items, n, of int) Result {
		return Result{Cheat: cheat, Config: "config_A", Level: level, Items: items, Rate: evaluation.Rate{N: n, Of: of}}
	}
	c := Ceilings{Level: .25, Own: map[string]float64{"pyflakes": .5}, MinItems: 4}
	for name, tc := range map[string]struct {
		result Result
		want   string
	}{
		"at the ceiling":          {of("regex", "level 1", 4, 4, 16), ""},
		"over it":                 {of("regex", "level 1", 4, 5, 16), "the reviewer regex, which reads no meaning, gets 0.31 of credit at level 1 (4 questions, config_A), over its ceiling of 0.25"},
		"over it, of few":         {of("regex", "level 1", 3, 12, 12), ""},
		"no ceiling over all":     {of("regex", All, 4, 16, 16), ""},
		"its own, at a level":     {of("pyflakes", "level 1", 4, 16, 16), ""},
		"its own, over all":       {of("pyflakes", All, 4, 9, 16), "gets 0.56 of credit over all"},
		"its own, at the ceiling": {of("pyflakes", All, 4, 8, 16), ""},
		"it could not run":        {Result{Cheat: "regex", Level: All, Not: "x"}, ""},
	} {
		err := c.Check("credit", []Result{tc.result})
		if got := ""; err != nil {
			if got = err.Error(); tc.want == "" || !strings.Contains(got, tc.want) {
				t.Errorf("%s: %s", name, got)
			}
		} else if tc.want != "" {
			t.Errorf("%s: no error", name)
		}
	}
	if err := (Ceilings{All: .35}).Check("causes", []Result{of("siblings", All, 1, 2, 4)}); !errors.As(err, new(*TooEasyError)) {
		t.Errorf("over all: %v", err)
	}
}
