package verify

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/model"
)

// publishedTolerance is how far a published rvs_score may differ from the weighted sum of its parts, which were
// rounded after it was computed.
const publishedTolerance = 0.0016

// Published verifies a dataset in the layout of the published SWE-PRBench: prs.jsonl, annotations/ and contexts/
// without manifest, evidence and audit. It names the defects of the table in spec section 10 that the files show, and
// lists the others as skipped.
func Published(ctx context.Context, dir string, o Options) (*Report, error) {
	if _, err := os.Stat(filepath.Join(dir, artifacts.FileRecords)); err != nil {
		return nil, fmt.Errorf("%s is not a dataset in the published layout: %w", dir, err)
	}
	c := &checker{
		o: o, dir: dir, Tally: NewTally(Kinds()), warnings: NewTally(Kinds()), published: true, languages: languages.All(),
		m:     &artifacts.Manifest{Tokenizer: o.Tokenizer, Parameters: o.Parameters},
		tasks: map[string]model.Difficulty{}, released: map[string]bool{},
	}
	err := c.eachRecord(ctx, (*checker).publishedTask, c.note)
	if err := errors.Join(err, c.splitNames()); err != nil {
		return nil, fmt.Errorf("verify %s: %w", dir, err)
	}
	c.skip("own comments: the format does not name who opened a pull request; only those whose fork the description links to were found")
	c.skip("bots by type, deleted accounts, minimized comments, resolved threads: the format does not tell them")
	return c.report(FormatPublished), nil
}

func (c *checker) publishedTask(r *artifacts.Record) error {
	t, err := c.readTask(r)
	if err != nil {
		return err
	}
	c.names(t)
	c.patch(t)
	c.sum(t, publishedTolerance)
	c.truth(t)
	c.difficulty(t)
	c.context(t)
	c.richer(t)
	for _, h := range r.HumanReviewComments {
		c.Check(BotComment, !c.bot(h.Author, model.User), "%s: %s", t.id, h.Author)
	}
	if t.note != nil {
		author := pullAuthor(t)
		for _, k := range t.note.Comments {
			c.publishedComment(t, k, author)
		}
	}
	return nil
}

func (c *checker) publishedComment(t *task, k artifacts.AnnotationComment, author string) {
	at := t.id + " " + k.CommentID
	c.Check(BotComment, !c.bot(k.Reviewer, model.User), "%s: %s", at, k.Reviewer)
	c.Check(OwnComment, author == "" || !strings.EqualFold(author, k.Reviewer), "%s: %s", at, k.Reviewer)
	c.words(k.Body, at)
	c.Check(ThreadResolved, k.ThreadResolved != nil, "%s: null", at)
	c.Check(MissingLine, k.Line != nil, "%s: %s", at, k.File)
	if t.diff == nil || k.Line == nil {
		return
	}
	switch hunkSide(k.DiffHunk) {
	case '-':
		c.Check(SideUnaware, k.IsInDiff == t.diff.touches(k.File, model.Left, *k.Line), "%s: %s:%d", at, k.File, *k.Line)
	default:
		c.Check(IsInDiff, k.IsInDiff == t.diff.touches(k.File, model.Right, *k.Line), "%s: %s:%d", at, k.File, *k.Line)
	}
}

// hunkSide is the mark of the last line of a hunk: the commented line.
func hunkSide(hunk string) byte {
	last := hunk[strings.LastIndexByte(hunk, '\n')+1:]
	if last == "" || strings.HasPrefix(last, "@@") {
		return ' '
	}
	return last[0]
}

// forkLink finds links to repositories in a description.
var forkLink = regexp.MustCompile(`https://github\.com/([A-Za-z0-9-]{1,39})/([A-Za-z0-9._-]{1,100})`)

// pullAuthor is the author of the pull request, if a link in the description to a commenter's fork shows it.
func pullAuthor(t *task) string {
	owner, name, _ := strings.Cut(t.record.Repo, "/")
	for _, m := range forkLink.FindAllStringSubmatch(t.record.Description, -1) {
		if !strings.EqualFold(m[1], owner) && strings.EqualFold(m[2], name) {
			return m[1]
		}
	}
	return ""
}

// richer finds a C that adds nothing to B.
func (c *checker) richer(t *task) {
	b, full := t.contexts[1], t.contexts[2]
	if b != nil && full != nil {
		c.Check(ConfigsAlike, b.Rendered != full.Rendered, "%s: B and C", t.id)
	}
}

// splitNames finds a difficulty under another name in the split.
func (c *checker) splitNames() error {
	b, err := load.ReadBytes(c.dir, artifacts.FileSplit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	c.Check(DifficultyNames, !strings.Contains(string(b), `"Type3_Latent"`), "%s: Type3_Latent for %s",
		artifacts.FileSplit, model.Type3)
	return nil
}
