package verify

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/internal/text"
	"github.com/prforge/prforge/internal/unidiff"
	"github.com/prforge/prforge/internal/verdict"
)

func wordsOf(title, description string) [sha256.Size]byte {
	return sha256.Sum256([]byte(title + "\x00" + description))
}

// revision checks, for a record that shows a reviewed revision, to which revision its comments apply and the date of
// its texts. It notes what only all records and the raw ones can show.
func (c *checker) revision(t *task) {
	e, r := t.evidence, t.record
	if e == nil {
		return
	}
	told := told{id: t.id, pull: fmt.Sprintf("%s#%d", r.Repo, r.PRNumber), words: wordsOf(r.Title, r.Description),
		asOf: e.Revision.DescriptionAsOf}
	for i := range e.Comments {
		if k := &e.Comments[i]; k.GroundTruth {
			told.truths = append(told.truths, k.DatabaseID)
		}
	}
	c.told = append(c.told, told)
	reviewed := e.Revision.Kind == "reviewed"
	c.Check(TextAsReviewed, reviewed == (e.Revision.DescriptionAsOf != nil), "%s: description_as_of of a %s revision",
		t.id, e.Revision.Kind)
	c.Check(NamesDiffer, artifacts.FirstOf(t.id) == t.id || reviewed && c.m.Revisions != "", "%s: a further record", t.id)
	if !reviewed {
		return
	}
	if at := firstReview(e.Comments); e.Revision.DescriptionAsOf != nil {
		c.Check(TextAsReviewed, *e.Revision.DescriptionAsOf == at, "%s: given as of %s, first reviewed %s", t.id,
			*e.Revision.DescriptionAsOf, at)
	}
	diff, err := unidiff.Parse(r.DiffPatch)
	if err != nil {
		return // patch says so
	}
	for i := range e.Comments {
		k := &e.Comments[i]
		reason := verdict.Code("")
		if k.Reason != nil {
			reason = verdict.Code(*k.Reason)
		}
		if here := k.GroundTruth || reason == verdict.AnsweredBefore; here || reason == verdict.OtherRevision {
			c.Check(StandsAtRevision, stands(diff, k) == here, "%s: comment %d on %s", t.id, k.DatabaseID, k.OriginalPath)
		}
	}
}

// stands reports whether a diff has the comment's whole hunk at the beginning of one of its hunks or, for a comment
// on a whole file, has the file.
func stands(d *unidiff.Diff, k *artifacts.EvidenceComment) bool {
	if k.Subject == model.SubjectFile {
		return d.Lookup(k.OriginalPath) != nil
	}
	hunk, err := unidiff.ParseExcerpt(k.DiffHunk)
	return err == nil && d.Stands(k.OriginalPath, hunk) == unidiff.Stands
}

// firstReview is the time of the first comment by a person other than the author, or else by anybody.
func firstReview(comments []artifacts.EvidenceComment) string {
	first, anybody := "", ""
	for i := range comments {
		k := &comments[i]
		if anybody == "" || k.CreatedAt < anybody {
			anybody = k.CreatedAt
		}
		if k.Class == model.ClassHuman && (first == "" || k.CreatedAt < first) {
			first = k.CreatedAt
		}
	}
	if first == "" {
		return anybody
	}
	return first
}

// together checks that no comment is ground truth of two records.
func (c *checker) together() {
	of := map[int64]string{}
	c.pulls = map[string][]told{}
	for _, r := range c.told {
		number := r.pull[strings.LastIndexByte(r.pull, '#')+1:]
		c.pulls[number] = append(c.pulls[number], r)
		for _, id := range r.truths {
			c.Check(CommentTwice, of[id] == "" || of[id] == r.id, "comment %d: %s and %s", id, of[id], r.id)
			of[id] = r.id
		}
	}
}

// rawText compares title and description of the records of a pull request with
// its raw record.
func (c *checker) rawText(record store.Record) error {
	if record.Kind != store.Pull || c.pulls[record.Key] == nil {
		return nil
	}
	var p model.PullRequest
	if err := json.Unmarshal(record.Content, &p); err != nil {
		return err
	}
	for _, r := range c.pulls[record.Key] {
		if r.pull != p.Ref.String() {
			continue
		}
		title, body := p.Title, p.Body
		if r.asOf != nil {
			at, err := time.Parse(time.RFC3339, *r.asOf)
			if !c.Check(TextAsReviewed, err == nil, "%s: as of %q", r.id, *r.asOf) {
				continue
			}
			title = p.TitleAt(at)
			body, _ = p.DescriptionAt(at)
		}
		c.Check(TextAsReviewed, wordsOf(text.Valid(title), text.Valid(body)) == r.words,
			"%s: its raw record has another title or description", r.id)
	}
	return nil
}
