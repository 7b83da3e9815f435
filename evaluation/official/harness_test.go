package official

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/prforge/prforge/evaluation/internal/python"
)

// What follows loads a dataset as the harness does, so that the comparison with
// its runs begins with its own input.

func (o object) integer(key string) int64 {
	n, _ := python.Int(o[key])
	return n
}

// records reads prs.jsonl: one object a line, or an array of objects, or an
// object whose prs or items is one. Lines that are no object are skipped.
func records(data []byte) []map[string]any {
	var items []any
	if v, ok := python.JSON(string(data)); ok {
		switch v := v.(type) {
		case []any:
			items = v
		case map[string]any:
			for _, key := range []string{"prs", "items"} {
				if items == nil {
					items = object(v).list(key)
				}
			}
			if items == nil {
				items = []any{v}
			}
		}
	} else {
		for line := range bytes.Lines(data) {
			v, _ := python.JSON(string(line))
			items = append(items, v)
		}
	}
	var out []map[string]any
	for _, v := range items {
		if o, ok := v.(map[string]any); ok {
			out = append(out, o)
		}
	}
	return out
}

// taskID is a record's task id: task_id, else the repository's name, two
// underscores and the number.
func taskID(record map[string]any) string {
	o := object(record)
	if id := o.text("task_id"); id != "" {
		return id
	}
	name := o.text("repo")
	return name[strings.LastIndex(name, "/")+1:] + "__" + strconv.FormatInt(number(o), 10)
}

func number(o object) int64 {
	if python.Truthy(o["pr_number"]) {
		return o.integer("pr_number")
	}
	return o.integer("number")
}

// newTask loads one record in one configuration from its annotation and
// context, all three decoded JSON objects.
func newTask(record, annotation, context map[string]any, config string) Task {
	r, a, c := object(record), object(annotation), object(context)
	t := Task{
		ID: taskID(record), PRNumber: number(r), Repo: r.text("repo"), Config: long(config),
		Rendered: c.text("rendered"), TotalTokens: c.integer("total_tokens"), PipelineVersion: c.text("pipeline_version"),
		Difficulty: r.text("difficulty"), PRType: r.text("pr_type"), Language: r.text("language"), Diff: r.text("diff_patch"),
		Humans: groundTruth(a),
	}
	if python.Truthy(c["pr_number"]) {
		t.PRNumber = c.integer("pr_number")
	}
	if repo := c.text("repo"); repo != "" {
		t.Repo = repo
	}
	if name := c.text("config_name"); name != "" {
		t.Config = name
	}
	for _, h := range t.Humans {
		t.HasSeverity = t.HasSeverity || h.Severity != ""
	}
	return t
}

// groundTruth are the comments that substantive_comment_ids names, or the
// initiating ones where it names none, in the order of the file.
func groundTruth(a object) []Human {
	named := map[string]bool{}
	for _, id := range a.list("substantive_comment_ids") {
		named[python.Text(id)] = true
	}
	var out []Human
	for _, v := range a.list("comments") {
		c, ok := v.(map[string]any)
		if !ok {
			continue
		}
		if h := newHuman(c); named[h.ID] || len(named) == 0 && python.Truthy(c["is_initiating_comment"]) {
			out = append(out, h)
		}
	}
	return out
}

// newHuman reads a comment of an annotation.
func newHuman(comment map[string]any) Human {
	c := object(comment)
	h := Human{ID: c.text("comment_id"), Body: c.text("body"), File: c.text("file"), Severity: c.text("severity")}
	if n, ok := python.Int(c["line"]); ok {
		h.Line = &n
	}
	return h
}

// loadDataset loads the tasks of a dataset folder in the given configurations,
// in the order of prs.jsonl and then of the configurations. Tasks that lack a
// context in one of them are left out; a task without annotation is an error,
// and so is a file that is no JSON object.
func loadDataset(dataset fs.FS, configs []string) ([]Task, error) {
	data, err := fs.ReadFile(dataset, "prs.jsonl")
	if err != nil {
		return nil, err
	}
	var tasks []Task
	for _, record := range records(data) {
		loaded, err := loadRecord(dataset, record, configs)
		if err != nil {
			return nil, fmt.Errorf("load %s: %w", taskID(record), err)
		}
		tasks = append(tasks, loaded...)
	}
	return tasks, nil
}

func loadRecord(dataset fs.FS, record map[string]any, configs []string) ([]Task, error) {
	id, pr := taskID(record), strconv.FormatInt(number(record), 10)
	var tasks []Task
	var annotation map[string]any
	for _, config := range configs {
		context, err := firstObject(dataset, contextPaths(config, id, pr))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if annotation == nil {
			annotation, err = firstObject(dataset, []string{"annotations/" + id + "_human.json", "annotations/" + pr + "_human.json"})
			if err != nil {
				return nil, err
			}
		}
		tasks = append(tasks, newTask(record, annotation, context, config))
	}
	return tasks, nil
}

// contextPaths is where the harness looks for a context, in its order.
func contextPaths(config, id, pr string) []string {
	var out []string
	for _, name := range []string{id, pr} {
		short, long := Short(config), long(config)
		for _, p := range []string{short + "/" + name, short + "/" + name + "_" + short, name + "_" + short, name + "_" + long} {
			out = append(out, "contexts/"+p+".json")
		}
	}
	return out
}

// firstObject decodes the first of the files that exists. Paths made from a
// task id that would leave the folder do not exist.
func firstObject(dataset fs.FS, paths []string) (map[string]any, error) {
	for _, p := range paths {
		data, err := fs.ReadFile(dataset, p)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
			continue
		}
		if err != nil {
			return nil, err
		}
		v, _ := python.JSON(string(data))
		o, ok := v.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%s is no JSON object", p)
		}
		return o, nil
	}
	return nil, fmt.Errorf("%s: %w", paths[0], fs.ErrNotExist)
}
