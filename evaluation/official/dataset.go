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

// Human is a comment of the ground truth.
type Human struct {
	ID       string
	Body     string
	File     string // "" where there is none
	Line     *int64 // nil where there is none, or none that is a number
	Severity string // "" where there is none
}

// Task is a pull request in one configuration, as the harness loads it.
type Task struct {
	ID              string
	PRNumber        int64
	Repo            string
	Config          string // as the context names it, else the long name
	Rendered        string
	TotalTokens     int64
	PipelineVersion string
	Difficulty      string
	PRType          string
	Language        string
	Diff            string
	Humans          []Human
	HasSeverity     bool // a human comment has a severity
}

// Long gives the long name of a configuration, by which commands and files go:
// A, config_A and config_A_diff_only are all config_A_diff_only. Other names
// stay as they are.
func Long(config string) string {
	switch strings.TrimPrefix(config, "config_") {
	case "A", "A_diff_only":
		return "config_A_diff_only"
	case "B", "B_with_file_content":
		return "config_B_with_file_content"
	case "C", "C_full_context":
		return "config_C_full_context"
	}
	return config
}

// Short gives the short name of a configuration (config_A), by which reports
// and contexts go. Other names stay as they are.
func Short(config string) string {
	for _, short := range []string{"config_A", "config_B", "config_C"} {
		if Long(config) == Long(short) {
			return short
		}
	}
	return config
}

// object is a decoded JSON object.
type object map[string]any

func (o object) text(key string) string {
	if !python.Truthy(o[key]) {
		return ""
	}
	return python.Text(o[key])
}

func (o object) integer(key string) int64 {
	n, _ := python.Int(o[key])
	return n
}

func (o object) list(key string) []any {
	items, _ := o[key].([]any)
	return items
}

// Records reads prs.jsonl: one object a line, or an array of objects, or an
// object whose prs or items is one. Lines that are no object are skipped.
func Records(data []byte) []map[string]any {
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

// TaskID is a record's task id: task_id, else the repository's name, two
// underscores and the number.
func TaskID(record map[string]any) string {
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

// NewTask loads one record in one configuration from its annotation and
// context, all three decoded JSON objects.
func NewTask(record, annotation, context map[string]any, config string) Task {
	r, a, c := object(record), object(annotation), object(context)
	t := Task{
		ID: TaskID(record), PRNumber: number(r), Repo: r.text("repo"), Config: Long(config),
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
		if h := NewHuman(c); named[h.ID] || len(named) == 0 && python.Truthy(c["is_initiating_comment"]) {
			out = append(out, h)
		}
	}
	return out
}

// NewHuman reads a comment of an annotation.
func NewHuman(comment map[string]any) Human {
	c := object(comment)
	h := Human{ID: c.text("comment_id"), Body: c.text("body"), File: c.text("file"), Severity: c.text("severity")}
	if n, ok := python.Int(c["line"]); ok {
		h.Line = &n
	}
	return h
}

// maxFileBytes is the largest annotation, context or prs.jsonl that is read.
const maxFileBytes = 1 << 30

// LoadDataset loads the tasks of a dataset folder in the given configurations,
// in the order of prs.jsonl and then of the configurations. Tasks that lack a
// context in one of them are left out; a task without annotation is an error,
// and so is a file that is no JSON object.
func LoadDataset(dataset fs.FS, configs []string) ([]Task, error) {
	data, err := readFile(dataset, "prs.jsonl")
	if err != nil {
		return nil, err
	}
	var tasks []Task
	for _, record := range Records(data) {
		loaded, err := loadRecord(dataset, record, configs)
		if err != nil {
			return nil, fmt.Errorf("load %s: %w", TaskID(record), err)
		}
		tasks = append(tasks, loaded...)
	}
	return tasks, nil
}

func loadRecord(dataset fs.FS, record map[string]any, configs []string) ([]Task, error) {
	id, pr := TaskID(record), strconv.FormatInt(number(record), 10)
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
		tasks = append(tasks, NewTask(record, annotation, context, config))
	}
	return tasks, nil
}

// contextPaths is where the harness looks for a context, in its order.
func contextPaths(config, id, pr string) []string {
	var out []string
	for _, name := range []string{id, pr} {
		short, long := Short(config), Long(config)
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
		data, err := readFile(dataset, p)
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

func readFile(dataset fs.FS, path string) ([]byte, error) {
	info, err := fs.Stat(dataset, path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxFileBytes {
		return nil, fmt.Errorf("%s is larger than %d bytes", path, maxFileBytes)
	}
	return fs.ReadFile(dataset, path)
}
