package report

import (
	_ "embed"
	"fmt"
	"io"
	"strconv"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/internal/page"
)

// pageJS is the page's own script.
//
//go:embed eval.js
var pageJS string

// index is what the page has from the start.
type index struct {
	Report evaluation.Report `json:"report"`
	Tasks  []*task           `json:"tasks"` // in the order of the plan
}

// task is one task in a list; what there is to see of the Nth is in block task-N,
// read when it is looked at.
type task struct {
	ID      string            `json:"task_id"`
	Repo    string            `json:"repo"`
	Number  int               `json:"number"`
	Title   string            `json:"title"`
	URL     string            `json:"url"`
	Groups  map[string]string `json:"groups"`
	Records []record          `json:"records"`
}

// record is one record in a list.
type record struct {
	evaluation.RecordKey
	Outcome string `json:"outcome"`
	Truth   int    `json:"truth"`
	Matched int    `json:"matched"`
}

// detail is everything about one task.
type detail struct {
	Diff    string             `json:"diff"`
	Truth   []evaluation.Truth `json:"truth"`
	Records []review           `json:"records"`
}

// review is a record with its comments.
type review struct {
	evaluation.RecordKey
	Outcome  string    `json:"outcome"`
	Code     string    `json:"code"`
	Review   string    `json:"review"` // review, nothing, unusable
	Comments []comment `json:"comments"`
	Answer   string    `json:"answer"` // of a benchmark without comments, as read
	LeftOut  []string  `json:"left_out"`
}

// comment is a reviewer's comment with what the judge said of it.
type comment struct {
	evaluation.Comment
	Label     string `json:"label"`
	Match     string `json:"match"`
	Duplicate bool   `json:"duplicate"`
	Unanimous bool   `json:"unanimous"`
	Claim     string `json:"claim"`
	Reason    string `json:"reason"`
}

// HTML writes a run as one page that opens from disk and asks nothing of
// anyone. What comes from strangers and from models is in data blocks, which the
// script shows as text and nothing else. The same run gives the same bytes.
func HTML(w io.Writer, r evaluation.Report, results []evaluation.Result, items map[string]evaluation.Item) error {
	byTask := map[string][]evaluation.Result{}
	for _, x := range results {
		byTask[x.Task] = append(byTask[x.Task], x)
	}
	in := index{Report: r, Tasks: []*task{}}
	for _, id := range r.Plan.Tasks {
		t, _ := taskOf(items[id], byTask[id])
		in.Tasks = append(in.Tasks, t)
	}
	out, err := evalPage(r.Plan.Dataset.Name).Begin(w, in)
	if err != nil {
		return err
	}
	for n, id := range r.Plan.Tasks {
		_, d := taskOf(items[id], byTask[id])
		if err := out.Block("task-"+strconv.Itoa(n), d); err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
	}
	return out.Close()
}

func evalPage(title string) page.Page {
	return page.Page{
		Name: "prforge eval", Title: title, Script: pageJS,
		Views: []page.View{{Name: "", Label: "Leaderboard"}, {Name: "cells", Label: "Breakdown"}, {Name: "tables", Label: "Tables"}, {Name: "compare", Label: "Compare"}, {Name: "tasks", Label: "Pull requests"}},
		Keys: []page.Key{
			{Keys: "j k ↓ ↑", Does: "next and previous row or comment"}, {Keys: "Enter", Does: "open"}, {Keys: "n p", Does: "next and previous pull request"},
			{Keys: "Esc", Does: "back"}, {Keys: "?", Does: "this help"},
		},
	}
}

func taskOf(it evaluation.Item, results []evaluation.Result) (*task, detail) {
	key, err := it.Review()
	if err != nil {
		key = evaluation.Key{} // of a benchmark without comments
	}
	t := &task{ID: it.ID, Repo: key.Repo, Number: key.Number, Title: key.Title, URL: key.URL, Groups: it.Groups, Records: []record{}}
	d := detail{Diff: key.Diff, Truth: append([]evaluation.Truth{}, key.Truth...), Records: []review{}}
	for _, x := range results {
		line := record{RecordKey: x.RecordKey, Outcome: x.Outcome}
		if x.Score != nil {
			line.Truth, line.Matched = x.Score.Counts["truth"], x.Score.Counts["matched"]
		}
		t.Records = append(t.Records, line)
		d.Records = append(d.Records, reviewOf(x))
	}
	return t, d
}

func reviewOf(x evaluation.Result) review {
	out := review{RecordKey: x.RecordKey, Outcome: x.Outcome, Code: x.Code, Comments: []comment{}}
	if x.Reading == nil {
		return out
	}
	out.Review, out.Answer = x.Reading.Outcome, string(x.Reading.Answer)
	for i, c := range x.Reading.Comments {
		line := comment{Comment: c}
		if x.Judgement != nil {
			j := x.Judgement.Comments[i]
			line.Label, line.Match, line.Duplicate, line.Unanimous, line.Claim, line.Reason = j.Label, j.Match, j.Duplicate, j.Unanimous, j.Claim, j.Reason
		}
		out.Comments = append(out.Comments, line)
	}
	if x.Judgement != nil {
		out.LeftOut = x.Judgement.LeftOut
	}
	return out
}
