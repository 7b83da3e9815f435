package review

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/evaluation"
)

// reviewItems reads the tasks of a dataset of reviewed pull requests.
func readItems(dir string) ([]evaluation.Item, error) {
	r := load.Reader{Dir: dir}
	var items []evaluation.Item
	for record, err := range r.Records() {
		if err != nil {
			return nil, err
		}
		it, err := newItem(&r, record)
		if err != nil {
			return nil, err
		}
		items = append(items, it)
	}
	return items, nil
}

func newItem(r *load.Reader, record *artifacts.Record) (evaluation.Item, error) {
	it := evaluation.Item{
		ID: record.TaskID, Date: record.MergedAt, Prompts: map[string]string{}, Canary: r.Manifest.Canary(),
		Groups: map[string]string{"difficulty": string(record.Difficulty), "language": record.Language, "type": record.PRType,
			"repo": record.Repo},
	}
	version := ""
	for _, config := range artifacts.Configs {
		c, err := r.Context(config, record.TaskID)
		if err != nil {
			return it, err
		}
		it.Prompts[config], version = c.Rendered, c.PipelineVersion
	}
	truth, err := truthOf(r, record.TaskID)
	if err != nil {
		return it, err
	}
	it.Key,
		err = json.Marshal(evaluation.Key{Repo: record.Repo, Number: record.PRNumber, Title: record.Title,
		Description: record.Description, URL: record.PRURL, Diff: record.DiffPatch, Truth: truth, PipelineVersion: version})
	if err != nil {
		return it, fmt.Errorf("key of %s: %w", it.ID, err)
	}
	_, err = it.Review() // refuses ids that come twice
	return it, err
}

// truthOf reads the annotation, with what the evidence adds.
func truthOf(r *load.Reader, task string) ([]evaluation.Truth, error) {
	annotation, err := r.Annotation(task)
	if err != nil {
		return nil, err
	}
	// Visibility and validation keep the file's values: datasets of earlier versions lack them.
	evidence, err := load.ReadJSON[struct {
		Comments []struct {
			CommentID  *string  `json:"comment_id"`
			URL        string   `json:"url"`
			VisibleIn  []string `json:"visible_in"`
			Validation *string  `json:"validation"`
		} `json:"comments"`
	}](r.Dir, artifacts.FileEvidence(task))
	if err != nil {
		return nil, err
	}
	truth := []evaluation.Truth{}
	for _, c := range annotation.Comments {
		if !slices.Contains(annotation.SubstantiveCommentIDs, c.CommentID) {
			continue
		}
		t := evaluation.Truth{ID: c.CommentID, Body: c.Body, File: c.File, Line: c.Line, Severity: c.Severity,
			Reviewer: c.Reviewer}
		for _, e := range evidence.Comments {
			if e.CommentID != nil && *e.CommentID == c.CommentID {
				t.URL, t.VisibleIn = e.URL, e.VisibleIn
				if e.Validation != nil {
					t.Validation = *e.Validation
				}
			}
		}
		truth = append(truth, t)
	}
	return truth, nil
}
