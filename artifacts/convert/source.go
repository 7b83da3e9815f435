package convert

import (
	"errors"
	"fmt"
	"time"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/text"
)

// forge is the host of a dataset's links, also for a dataset that was built against a mirror or a fake.
const forge = "https://github.com/"

// ErrIncomplete says that a candidate lacks a section that a record needs. It is a bug of the pipeline, never a
// property of the data.
var ErrIncomplete = errors.New("candidate is not complete")

// Source is one graded candidate with what the dataset adds to it.
type Source struct {
	TaskID     string
	Candidate  *model.Candidate
	License    model.License   // of the code at the base commit
	Reverts    []model.PullRef // what this pull request reverts
	RevertedBy []model.PullRef // what takes it back
}

func (s Source) complete() error {
	c := s.Candidate
	for _, section := range []struct {
		name string
		has  bool
	}{
		{"repository", c.Repo != nil}, {"pull request", c.Pull != nil}, {"labels", c.Labels != nil},
		{"diff", c.Parsed != nil}, {"base", c.Base != nil}, {"RVS", c.RVS != nil},
		{"grade", c.Grade != nil}, {"merge time", c.Pull != nil && c.Pull.MergedAt != nil},
	} {
		if !section.has {
			name := s.TaskID
			if c.Pull != nil {
				name = c.Pull.Ref.String()
			}
			return fmt.Errorf("%s: no %s: %w", name, section.name, ErrIncomplete)
		}
	}
	return nil
}

func pullURL(p model.PullRef) string {
	return fmt.Sprintf("%s%s/pull/%d", forge, p.Repo, p.Number)
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	s = text.Valid(s)
	return &s
}
