package evaluation

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/reviewer"
)

// GroupWhole is the group of items that intervals and tests resample together when they resample tasks: questions
// about one file.
const GroupWhole = "whole"

// Item is one task of a dataset in an evaluation. Reviewers may see only Prompts; only scoring may see Key.
type Item struct {
	ID string `json:"task_id"`
	// Groups are the keys for breaking down results: "difficulty", "language", "type", "repo". Intervals and tests
	// resample whole items, or whole repos.
	Groups map[string]string `json:"groups"`
	// Date is when its subject became public, as 2026-01-28T17:53:12Z; "" if unknown.
	Date string `json:"date,omitempty"`
	// Prompts is the user message by configuration.
	Prompts map[string]string `json:"prompts"`
	// Canary is the line that marks the dataset. It ends a prompt: Prompts have it, or
	// the benchmark adds it.
	Canary string `json:"canary,omitempty"`
	// Key belongs to the benchmark: for reviews a Key.
	Key json.RawMessage `json:"key"`
}

// Key is the ground truth of a reviewed pull request.
type Key struct {
	Repo   string `json:"repo"`
	Number int    `json:"pr_number"`
	Title  string `json:"title"`
	// Description is the author's.
	Description string  `json:"description,omitempty"`
	URL         string  `json:"url"`
	Diff        string  `json:"diff"`
	Truth       []Truth `json:"truth"`
	// PipelineVersion is the version that made the contexts.
	PipelineVersion string `json:"pipeline_version"`
}

// Truth is one ground-truth comment.
type Truth struct {
	ID       string  `json:"comment_id"`
	Body     string  `json:"body"`
	File     string  `json:"file"`
	Line     *int    `json:"line"`
	Severity *string `json:"severity,omitempty"`
	Reviewer string  `json:"reviewer,omitempty"`
	URL      string  `json:"url,omitempty"`
	// VisibleIn lists the configurations (A, B, C) that show its line; nil if the dataset does not say.
	VisibleIn []string `json:"visible_in"`
	// Validation is the evidence that the author acted on the comment: applied, edited_and_acknowledged, edited,
	// acknowledged, none, declined; "" if the dataset does not say.
	Validation string `json:"validation"`
}

// validated reports whether the author acted on the comment or agreed to it
// (spec section 4).
func (t Truth) validated() bool {
	switch t.Validation {
	case "applied", "edited_and_acknowledged", "edited", "acknowledged":
		return true
	}
	return false
}

// visibleIn reports whether a configuration shows its line. The repository shows every line.
func (t Truth) visibleIn(config string) bool {
	return config == reviewer.Repository && len(t.VisibleIn) > 0 || slices.Contains(t.VisibleIn, letter(config))
}

// InRepository is the item with the configuration Repository: a pull request at a
// revision, with the fork point.
func (it Item) InRepository(head, base string) (Item, error) {
	key, err := it.Review()
	if err != nil {
		return it, err
	}
	configs := slices.Sorted(maps.Keys(it.Prompts))
	pull := reviewer.Pull{
		Repo: "https://github.com/" + key.Repo, Number: key.Number, Base: base, Head: head, NWO: key.Repo, Title: key.Title,
		Body: key.Description,
	}
	it.Prompts = maps.Clone(it.Prompts)
	it.Prompts[reviewer.Repository], err = pull.Prompt(it.Prompts[configs[len(configs)-1]])
	return it, err
}

// Review reads the key of a review benchmark's item. It rejects duplicate ids, which would count twice and match
// once.
func (it Item) Review() (Key, error) {
	var k Key
	if err := json.Unmarshal(it.Key, &k); err != nil {
		return k, fmt.Errorf("key of %s: %w", it.ID, err)
	}
	seen := map[string]bool{}
	for _, t := range k.Truth {
		if t.ID == "" || seen[t.ID] {
			return k, fmt.Errorf("key of %s: comment id %q is empty or comes twice", it.ID, t.ID)
		}
		seen[t.ID] = true
	}
	return k, nil
}

// Comment is one comment of a reviewer, as read from its answer.
type Comment struct {
	Body     string `json:"body"`
	File     string `json:"file"` // "" where it names none
	Line     *int   `json:"line"` // from 1
	Severity string `json:"severity,omitempty"`
}

// IsOn reports whether the comment names the file.
func (c Comment) IsOn(file string) bool { return sameFile(c.File, file) }

// Near reports whether the comment points to a line of a file, or one at most reach
// lines away.
func (c Comment) Near(file string, line, reach int) bool {
	return c.Line != nil && abs(*c.Line-line) <= reach && c.IsOn(file)
}

// Shown is the comment in the form for a judge, under an id that reveals nothing.
func (c Comment) Shown(id string) (json.RawMessage, error) {
	text, err := json.Marshal(judgeComment{ID: id, File: c.File, Line: c.Line, Body: c.Body})
	if err != nil {
		return nil, fmt.Errorf("word a comment for the judge: %w", err)
	}
	return text, nil
}

// The outcomes of reading an answer. All three are about the reviewer.
const (
	ReadReview   = "review"   // it commented
	ReadNothing  = "nothing"  // a review without comments
	ReadUnusable = "unusable" // its answer cannot be read, after one second question
)

// Reading is an answer as read.
type Reading struct {
	Outcome string `json:"outcome"`
	// Code says why an answer is unusable: empty_answer, answer_too_large,
	// no_review_found.
	Code     string    `json:"code,omitempty"`
	Comments []Comment `json:"comments"`
	// Answer is the benchmark's own reading, if it does not use comments.
	Answer json.RawMessage `json:"answer,omitempty"`
	// The dropped comments, with the reason: malformed_item, empty_body, over_limit, body_cut (cut, not dropped).
	Dropped map[string]int `json:"dropped,omitempty"`
	// Again says that the second question was needed.
	Again bool `json:"asked_again,omitempty"`
}

// CleanHunk is a part of a change on which a reviewer should say nothing: nobody objected to it, and it survived
// (prforge controls).
type CleanHunk struct {
	Task  string `json:"task_id"`
	File  string `json:"path"`
	Start int    `json:"new_start"` // the first line, after the change
	Lines int    `json:"new_lines"`
}

// holds reports whether a comment points into the hunk.
func (h CleanHunk) holds(c Comment) bool {
	return c.Line != nil && *c.Line >= h.Start && *c.Line < h.Start+h.Lines && sameFile(c.File, h.File)
}

type judgeComment struct {
	ID   string `json:"id"`
	File string `json:"file"`
	Line *int   `json:"line"`
	Body string `json:"body"`
}

// letter is the short name of a configuration: A of config_A.
func letter(config string) string {
	if len(config) > len("config_") && config[:len("config_")] == "config_" {
		return config[len("config_"):]
	}
	return config
}

// sameFile compares two paths as people write them: "./x", and "a/x" and "b/x" of a diff, equal x.
func sameFile(a, b string) bool {
	a, b = cleanPath(a), cleanPath(b)
	if a == "" || b == "" {
		return false
	}
	return a == b || strings.TrimPrefix(strings.TrimPrefix(a, "a/"), "b/") == b
}

func cleanPath(p string) string {
	p = strings.TrimSpace(strings.ReplaceAll(p, `\`, "/"))
	if p == "" {
		return ""
	}
	return strings.TrimPrefix(path.Clean("/"+p), "/")
}

func abs(n int) int { return max(n, -n) }
