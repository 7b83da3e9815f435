package evaluate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/internal/model"
)

// PullReviews are the reviews that an account wrote on GitHub, with the reasons why other pull requests of the
// repository have none.
type PullReviews struct {
	Kept     int
	Comments int
	LeftOut  []string // a sentence each
}

// ImportPulls stores the reviews that an account wrote on a repository's pull requests. In a repository of the
// dataset these are the tasks' own pull requests; in another one they are copies whose branch or first word of the
// title is a task id. The plan lists the tasks.
func (e *Evaluation) ImportPulls(ctx context.Context, c *collectors.Collector, name string, ref model.RepoRef,
	login string) (*PullReviews, error) {
	folder, err := openRun(e.Run, false)
	if err != nil {
		return nil, err
	}
	items, err := folder.items()
	if err = errors.Join(err, folder.close()); err != nil {
		return nil, planErrorf("%s has no tasks yet: prforge eval run plans them: %w", e.Run, err)
	}
	tasks, err := newPullTasks(ref, items)
	if err != nil {
		return nil, err
	}
	if err := c.Survey(ctx, []model.RepoRef{ref}); err != nil {
		return nil, err
	}
	repo, err := c.Repository(ref)
	if err != nil {
		return nil, err
	}
	out := &PullReviews{}
	reviews, err := tasks.reviews(ctx, repo, login, out)
	if err = errors.Join(err, repo.Release()); err != nil {
		return nil, fmt.Errorf("read the reviews in %s: %w", ref, err)
	}
	if len(reviews) == 0 {
		return out, nil
	}
	out.Kept, err = e.keepReviews(name, ref.String(), reviews)
	return out, err
}

// pullTasks maps the pull requests of a repository to tasks.
type pullTasks struct {
	own  map[int]string // by number, of the dataset's own repository
	copy map[string]bool
}

// newPullTasks skips further records of a pull request, because they show other revisions.
func newPullTasks(ref model.RepoRef, items map[string]evaluation.Item) (*pullTasks, error) {
	t := &pullTasks{own: map[int]string{}, copy: map[string]bool{}}
	for id, it := range items {
		key, err := it.Review()
		if err != nil {
			return nil, planErrorf("only reviews of pull requests can be read from pull requests: %w", err)
		}
		if strings.Contains(id, "@") {
			continue
		}
		t.copy[id] = true
		if strings.EqualFold(key.Repo, ref.String()) {
			t.own[key.Number] = id
		}
	}
	return t, nil
}

// reviews reads the account's reviews, the newest pull request of a task first.
func (t *pullTasks) reviews(ctx context.Context, repo *collectors.Repository, login string,
	out *PullReviews) ([]importedReview, error) {
	census, err := repo.Census()
	if err != nil {
		return nil, err
	}
	wanted := slices.DeleteFunc(census.Pulls,
		func(s model.PullSummary) bool { return len(t.own) > 0 && t.own[s.Number] == "" })
	if err := repo.FetchPulls(ctx, wanted); err != nil {
		return nil, err
	}
	var reviews []importedReview
	done := map[string]bool{}
	leave := func(format string, args ...any) { out.LeftOut = append(out.LeftOut, fmt.Sprintf(format, args...)) }
	for _, s := range wanted {
		var gone *collectors.Failure
		p, err := repo.Pull(s.Number)
		switch {
		case errors.Is(err, collectors.ErrHidden):
			continue
		case errors.As(err, &gone):
			leave("#%d: %s", s.Number, gone.Detail)
			continue
		case err != nil:
			return nil, err
		}
		task := t.of(p)
		comments, reviewed := commentsBy(p, login)
		switch {
		case task == "":
			leave("#%d: neither its branch nor its title begins with a task id", s.Number)
		case slices.ContainsFunc(p.Incomplete, func(list string) bool { return slices.Contains(reviewLists, list) }):
			leave("#%d: GitHub did not give all of its reviews", s.Number)
		case !reviewed:
			leave("#%d: %s did not review it", s.Number, login)
		case done[task]:
			leave("#%d: a newer pull request is %s too", s.Number, task)
		default:
			text, err := json.Marshal(comments)
			if err != nil {
				return nil, err
			}
			done[task] = true
			out.Comments += len(comments)
			reviews = append(reviews, importedReview{Task: task, Comments: text})
		}
	}
	for number, task := range t.own {
		if !slices.ContainsFunc(wanted, func(s model.PullSummary) bool { return s.Number == number }) {
			leave("#%d: not merged or closed within the window of the configuration (%s)", number, task)
		}
	}
	slices.Sort(out.LeftOut)
	return reviews, nil
}

// reviewLists are the lists of a pull request that its reviews are in.
var reviewLists = []string{"reviews", "threads", "thread_comments"}

// of returns the task of a pull request; "" for none.
func (t *pullTasks) of(p *model.PullRequest) string {
	if len(t.own) > 0 {
		return t.own[p.Ref.Number]
	}
	first, _, _ := strings.Cut(strings.TrimSpace(p.Title), " ")
	for _, id := range []string{p.HeadRef, strings.TrimSuffix(first, ":")} {
		if t.copy[id] {
			return id
		}
	}
	return ""
}

// commentsBy returns the first comments of an account's threads in their original text, with their original lines.
// reviewed is false if it wrote no review. A line of the old file is not a line of the new one.
func commentsBy(p *model.PullRequest, login string) (comments []evaluation.Comment, reviewed bool) {
	reviewed = slices.ContainsFunc(p.Reviews, func(r model.Review) bool {
		return r.State != model.Pending && strings.EqualFold(r.Author.Login, login)
	})
	comments = []evaluation.Comment{}
	for _, t := range p.Threads {
		if len(t.Comments) == 0 || t.Comments[0].State == string(model.Pending) ||
			!strings.EqualFold(t.Comments[0].Author.Login, login) {
			continue
		}
		reviewed = true
		c := evaluation.Comment{Body: t.Comments[0].Body, File: t.Path}
		if edits := t.Comments[0].Edits; len(edits) > 0 && edits[0].Body != "" {
			c.Body = edits[0].Body
		}
		if t.Side == model.Right && t.Subject == model.SubjectLine {
			c.Line = t.OriginalLine
		}
		comments = append(comments, c)
	}
	return comments, reviewed
}
