package config

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/prforge/prforge/filters/substance"
	"github.com/prforge/prforge/internal/digest"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/text"
	"github.com/prforge/prforge/internal/verdict"
)

// fileLabels is where the configuration of a dataset names the file, which is
// relative to the dataset.
const fileLabels = "labels/overrides.jsonl"

// readLabels reads the file of judgements that the configuration names. That of
// a dataset must be the one that it was built by.
func (c *Config) readLabels() error {
	if c.GroundTruth.Overrides == "" {
		if c.GroundTruth.ConfirmedBy > 0 {
			return &Error{File: c.File, Key: "ground_truth.confirmed_by",
				Message: "needs ground_truth.overrides, which holds what the raters say"}
		}
		return nil
	}
	path := c.GroundTruth.Overrides
	if c.Frozen && path != fileLabels { // a stranger's dataset names no other file
		return &Error{File: c.File, Key: "ground_truth.overrides", Message: "that of a dataset is " + fileLabels}
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.Dir, path)
	}
	data, err := readBounded(path)
	if err != nil {
		return &Error{File: path, Message: plain(err)}
	}
	sum := digest.Bytes(data)
	if was := c.GroundTruth.OverridesSHA256; was != "" && was != sum {
		return &Error{File: path, Message: "this is not the file that the dataset was built by"}
	}
	c.GroundTruth.OverridesSHA256 = sum
	lines, err := parseLabels(path, data, c.GroundTruth.ConfirmedBy > 0)
	if err != nil {
		return err
	}
	c.Labels = Labels{Text: data, Lines: lines}
	return nil
}

// parseLabels reads judgements, one JSON object a line. Faults are *Error and
// name the line; path is for messages. Where raters are counted, no judgement is the latest: they need no date, and
// people may differ.
func parseLabels(path string, data []byte, counted bool) ([]model.Judgement, error) {
	type judged struct {
		comment int64
		what    string
	}
	first := map[judged]int{} // the line of each comment, by annotator and by day
	var out []model.Judgement
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		bad := func(format string, args ...any) error {
			return &Error{File: path, Line: n, Message: fmt.Sprintf(format, args...)}
		}
		var j model.Judgement
		if err := text.DecodeLine(line, &j); err != nil {
			return nil, bad("no judgement: %v", err)
		}
		if j.By == "" {
			j.By = model.ByPerson
		}
		if _, err := time.Parse(time.DateOnly, j.Date); err != nil && !(counted && j.Date == "") {
			return nil, bad("date: want a day such as 2026-11-01, got %q", j.Date)
		}
		switch {
		case j.CommentID < 1:
			return nil, bad("comment_id: want the id of a review comment, got %d", j.CommentID)
		case j.Label != model.LabelGroundTruth && j.Label != string(verdict.NotConfirmed) &&
			!slices.Contains(substance.TextCodes(), verdict.Code(j.Label)):
			return nil, bad("label: want %s, %s or one of %v, got %q", model.LabelGroundTruth, verdict.NotConfirmed,
				substance.TextCodes(), j.Label)
		case j.By != model.ByPerson && j.By != model.ByModel:
			return nil, bad("by: want %s or %s, got %q", model.ByPerson, model.ByModel, j.By)
		case j.Annotator == "":
			return nil, bad("annotator: want a name")
		}
		for _, key := range []string{"annotator " + j.Annotator, "day " + j.By + " " + j.Date} {
			at := judged{j.CommentID, key}
			before, twice := first[at]
			if !twice {
				first[at] = n
				continue
			}
			if key[0] == 'a' {
				return nil, bad("%s judged comment %d already on line %d", j.Annotator, j.CommentID, before)
			}
			if counted {
				continue
			}
			if i := slices.IndexFunc(out, func(o model.Judgement) bool {
				return o.CommentID == j.CommentID && o.By == model.ByPerson && o.Date == j.Date
			}); j.By == model.ByPerson && out[i].Label != j.Label {
				return nil, bad("on %s two people judge comment %d differently, here and on line %d: the later date would win",
					j.Date, j.CommentID, before)
			}
		}
		out = append(out, j)
	}
	return out, nil
}

// Latest are the latest judgements of people or of models, by comment. Those of
// people win over the rules.
func (l Labels) Latest(by string) map[int64]model.Judgement {
	return model.LatestJudgements(l.Lines, by)
}

// People are the judgements of people on one comment, in the order of the file.
func (l Labels) People(comment int64) []model.Judgement {
	var out []model.Judgement
	for _, j := range l.Lines {
		if j.CommentID == comment && j.By == model.ByPerson {
			out = append(out, j)
		}
	}
	return out
}
