package escaped

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/cheats"
	"github.com/prforge/prforge/internal/unidiff"
)

// Cheats are the reviewers that read no meaning: each points to one line that a change
// adds. They cannot name a fault, so that what they get is its place.
func Cheats() cheats.Set {
	return cheats.Set{Metric: "at_place", Alarm: evaluation.AlarmMetric().Name, List: []cheats.Cheat{
		{Name: "constant", Means: "the first added line", Answers: pointing(func(string, int) int { return 1 })},
		{Name: "longest", Means: "the longest added line",
			Answers: pointing(func(text string, _ int) int { return len(text) })},
		{Name: "regex", Means: "the added line with the most marks of slips: comparisons, negations, indexes, numbers",
			Answers: pointing(func(text string, _ int) int { return len(slips.FindAllString(text, -1)) })},
		{Name: "crowd", Means: "the end of the longest run of added lines",
			Answers: pointing(func(_ string, run int) int { return run })},
	}}
}

var slips = regexp.MustCompile(`[<>!=]=?|\bnot\b|\[[^\]]*\]|\b\d+\b|\b(?:null|nil|None|len|length|size)\b`)

// pointing is a cheat that points to the first added line of the highest worth, of its
// text and of how many lines before it are added without a break.
func pointing(worth func(text string, run int) int) func(context.Context, []evaluation.Item, string) ([]string, error) {
	return func(_ context.Context, items []evaluation.Item, _ string) ([]string, error) {
		out := make([]string, len(items))
		for i, it := range items {
			k, err := KeyOf(it)
			if err != nil {
				return nil, err
			}
			diff, err := unidiff.Parse(k.Diff)
			if err != nil {
				return nil, fmt.Errorf("point into %s: %w", it.ID, err)
			}
			text, err := json.Marshal([]evaluation.Comment{pointAt(diff, worth)})
			if err != nil {
				return nil, fmt.Errorf("point into %s: %w", it.ID, err)
			}
			out[i] = string(text)
		}
		return out, nil
	}
}

// pointAt is a comment on the added line of the highest worth; on none where no line has any.
func pointAt(diff *unidiff.Diff, worth func(text string, run int) int) evaluation.Comment {
	c, best := evaluation.Comment{Body: "Please check this line."}, 0
	for _, f := range diff.Files {
		for _, h := range f.Hunks {
			run := 0
			for _, l := range h.Lines {
				if l.Kind != unidiff.Added {
					run = 0
					continue
				}
				run++
				if w := worth(l.Text, run); w > best {
					best, c.File, c.Line = w, f.Path(), &l.New
				}
			}
		}
	}
	return c
}
