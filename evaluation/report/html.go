package report

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/internal/markdown"
	"github.com/prforge/prforge/internal/page"
	"github.com/prforge/prforge/internal/text"
)

// pageJS is the page's own script.
//
//go:embed eval.js
var pageJS string

// index is the page's initial data.
type index struct {
	Report evaluation.Report `json:"report"`
	Tasks  []*task           `json:"tasks"` // in the order of the plan
	// Task is the common word for one task: pull request, sample, question.
	Task string `json:"task"`
}

// task is one task in a list. Block task-N has the details of the Nth, block asked-N its questions and answers; both
// are read on demand.
type task struct {
	ID      string            `json:"task_id"`
	Repo    string            `json:"repo"`
	Number  int               `json:"number"`
	Title   string            `json:"title"`
	URL     string            `json:"url"`
	Groups  map[string]string `json:"groups"`
	Records []record          `json:"records"`
}

// record is one record in a list. For a review, Matched of Truth comments of people are caught; for another benchmark
// they are the rate that ranks.
type record struct {
	evaluation.RecordKey
	Outcome string `json:"outcome"`
	Truth   int    `json:"truth"`
	Matched int    `json:"matched"`
}

// detail is everything about one task.
type detail struct {
	Diff    string   `json:"diff"`
	Truth   []truth  `json:"truth"`
	Records []review `json:"records"`
}

// truth is a comment of people, its body formatted.
type truth struct {
	evaluation.Truth
	Text []markdown.Node `json:"text"`
}

// asked is what reviewers saw of a task, by configuration, and their answers, in the order of the task's records.
type asked struct {
	Prompts map[string]string `json:"prompts"`
	Answers [][]string        `json:"answers"`
}

// maxAnswer is how many bytes of an answer the page shows.
const maxAnswer = 64 << 10

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

// comment is a reviewer's comment, its body formatted, with the judge's verdict.
type comment struct {
	evaluation.Comment
	Text      []markdown.Node `json:"text"`
	Label     string          `json:"label"`
	Match     string          `json:"match"`
	Duplicate bool            `json:"duplicate"`
	Unanimous bool            `json:"unanimous"`
	Claim     string          `json:"claim"`
	Reason    string          `json:"reason"`
}

// HTML writes a run as one page that opens from disk and makes no requests. Texts of strangers and of models are in
// data blocks, which the script only shows as text. The same run gives the same bytes.
func HTML(w io.Writer, r evaluation.Report, results []evaluation.Result, items map[string]evaluation.Item) error {
	byTask := map[string][]evaluation.Result{}
	for _, x := range results {
		byTask[x.Task] = append(byTask[x.Task], x)
	}
	in := index{Report: r, Tasks: []*task{}, Task: cmp.Or(tasksAre[r.Plan.Benchmark], "pull request")}
	for _, id := range r.Plan.Tasks {
		in.Tasks = append(in.Tasks, taskOf(items[id], byTask[id], ranking(r)))
	}
	p := evalPage(r.Plan.Dataset.Name, in.Task)
	if r.Plan.Dataset.NotForPublication {
		p.Note = evaluation.NotForPublication
	}
	out, err := p.Begin(w, in)
	if err != nil {
		return err
	}
	for n, id := range r.Plan.Tasks {
		err := out.Block("task-"+strconv.Itoa(n), detailOf(items[id], byTask[id]))
		if err == nil {
			err = out.Block("asked-"+strconv.Itoa(n), askedOf(items[id], byTask[id]))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
	}
	return out.Close()
}

// tasksAre is the word for a task of benchmarks that are not about pull requests.
var tasksAre = map[string]string{"debugging": "sample", "bugs": "question"}

// ranking is the name of the metric that ranks.
func ranking(r evaluation.Report) string {
	for _, m := range r.Metrics {
		if m.Ranks {
			return m.Name
		}
	}
	return ""
}

func evalPage(title, task string) page.Page {
	return page.Page{
		Name: "prforge eval", Title: title, Script: pageJS,
		Views: []page.View{{Name: "", Label: "Leaderboard"}, {Name: "cells", Label: "Breakdown"},
			{Name: "tables", Label: "Tables"}, {Name: "compare", Label: "Compare"},
			{Name: "tasks", Label: strings.ToUpper(task[:1]) + task[1:] + "s"}},
		Keys: []page.Key{
			{Keys: "/", Does: "search"}, {Keys: "j k ↓ ↑", Does: "next and previous row or comment"},
			{Keys: "Enter", Does: "open; in the search the first hit"}, {Keys: "n p", Does: "next and previous " + task},
			{Keys: "Esc", Does: "back"}, {Keys: "?", Does: "this help"},
		},
	}
}

// keyOf is the key of a review; empty for a benchmark without comments.
func keyOf(it evaluation.Item) evaluation.Key {
	key, err := it.Review()
	if err != nil {
		return evaluation.Key{}
	}
	return key
}

func taskOf(it evaluation.Item, results []evaluation.Result, ranks string) *task {
	key := keyOf(it)
	t := &task{ID: it.ID, Repo: key.Repo, Number: key.Number, Title: key.Title, URL: key.URL, Groups: it.Groups,
		Records: []record{}}
	for _, x := range results {
		line := record{RecordKey: x.RecordKey, Outcome: x.Outcome}
		if x.Score != nil {
			line.Truth, line.Matched = x.Score.Rates[ranks].Of, x.Score.Rates[ranks].N
			if _, review := x.Score.Counts["truth"]; review {
				line.Truth, line.Matched = x.Score.Counts["truth"], x.Score.Counts["matched"]
			}
		}
		t.Records = append(t.Records, line)
	}
	return t
}

func detailOf(it evaluation.Item, results []evaluation.Result) detail {
	key := keyOf(it)
	d := detail{Diff: key.Diff, Truth: []truth{}, Records: []review{}}
	for _, t := range key.Truth {
		text := markdown.Tree(t.Body)
		t.Body = ""
		d.Truth = append(d.Truth, truth{t, text})
	}
	for _, x := range results {
		d.Records = append(d.Records, reviewOf(x))
	}
	return d
}

func askedOf(it evaluation.Item, results []evaluation.Result) asked {
	out := asked{Prompts: it.Prompts}
	for _, x := range results {
		answers := []string{}
		for _, r := range x.Replies {
			answers = append(answers, text.Clip(text.Valid(r.Text), maxAnswer))
			if r.Run != nil {
				answers = append(answers, ran(r.Run))
			}
		}
		out.Answers = append(out.Answers, answers)
	}
	return out
}

// ran describes a program's run behind an answer.
func ran(r *evaluation.Run) string {
	out := fmt.Sprintf("Attempts: %d", r.Attempts)
	if len(r.Refused) > 0 {
		out += "\nHosts that it was refused: " + strings.Join(r.Refused, ", ")
	}
	if r.Log != "" {
		out += "\nWhat it wrote or looked at:\n" + r.Log
	}
	return text.Clip(text.Valid(out), maxAnswer)
}

func reviewOf(x evaluation.Result) review {
	out := review{RecordKey: x.RecordKey, Outcome: x.Outcome, Code: x.Code, Comments: []comment{}}
	if x.Reading == nil {
		return out
	}
	out.Review, out.Answer = x.Reading.Outcome, string(x.Reading.Answer)
	for i, c := range x.Reading.Comments {
		line := comment{Comment: c, Text: markdown.Tree(c.Body)}
		line.Body = ""
		if x.Judgement != nil {
			j := x.Judgement.Comments[i]
			line.Label, line.Match, line.Duplicate, line.Unanimous, line.Claim, line.Reason = j.Label, j.Match, j.Duplicate,
				j.Unanimous, j.Claim, j.Reason
		}
		out.Comments = append(out.Comments, line)
	}
	if x.Judgement != nil {
		out.LeftOut = x.Judgement.LeftOut
	}
	return out
}
