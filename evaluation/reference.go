package evaluation

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/prforge/prforge/internal/unidiff"
)

// References are the built-in reviewers of the review benchmark. Their scores are known, so they test an evaluation
// without a model.
var References = []string{"oracle", "silent", "echo", "shotgun"}

// References implements Benchmark.
func (Reviews) References() []string { return References }

// Refer implements Benchmark.
func (Reviews) Refer(name string, it Item, _ string) (string, error) { return Refer(name, it) }

// Refer is a reference reviewer's answer to an item of the review benchmark, in
// the form that a model answers in:
//
//   - oracle: the ground truth, word for word
//   - silent: nothing
//   - echo: each added line of the diff, as a comment on itself
//   - shotgun: the same comment on every hunk
func Refer(name string, it Item) (string, error) {
	key, err := it.Review()
	if err != nil {
		return "", err
	}
	comments := []Comment{}
	switch name {
	case "oracle":
		for _, t := range key.Truth {
			comments = append(comments, Comment{Body: t.Body, File: t.File, Line: t.Line})
		}
	case "silent":
	case "echo", "shotgun":
		diff, err := unidiff.Parse(key.Diff)
		if err != nil {
			return "", fmt.Errorf("%s reviews %s: %w", name, it.ID, err)
		}
		comments = remarks(name, diff)
	default:
		return "", fmt.Errorf("there is no reference reviewer %q: they are %s", name, strings.Join(References, ", "))
	}
	answer, err := json.Marshal(comments)
	if err != nil {
		return "", fmt.Errorf("%s reviews %s: %w", name, it.ID, err)
	}
	return string(answer), nil
}

// shotgunRemark fits everywhere and says nothing.
const shotgunRemark = "Please check this change for missing error handling, edge cases and tests before it is merged."

func remarks(name string, diff *unidiff.Diff) []Comment {
	comments := []Comment{}
	for _, f := range diff.Files {
		for _, h := range f.Hunks {
			last := 0
			for _, l := range h.Lines {
				if l.Kind != unidiff.Added {
					continue
				}
				last = l.New
				if t := strings.TrimSpace(l.Text); name == "echo" && t != "" {
					comments = append(comments, Comment{Body: t, File: f.Path(), Line: &l.New})
				}
			}
			if last == 0 {
				last = max(1, h.NewStart)
			}
			if name == "shotgun" {
				comments = append(comments, Comment{Body: shotgunRemark, File: f.Path(), Line: &last, Severity: "P2"})
			}
		}
	}
	return comments
}
