package github

import (
	"context"
	"fmt"
	"reflect"

	"github.com/shurcooL/githubv4"

	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
)

// maxCommits is how many commits one request is about.
const maxCommits = 50

// commitNode is a commit's merged pull request with its texts and the issues that it
// closes.
type commitNode struct {
	Commit struct {
		AssociatedPullRequests *page[struct {
			Number                  int
			Title                   string
			Body                    string
			MergedAt                *timestamp
			Repository              struct{ NameWithOwner string }
			Labels                  *page[labelNode] `graphql:"labels(first:20)"`
			ClosingIssuesReferences *page[struct {
				Number     int
				Title      string
				Body       string
				Repository struct{ NameWithOwner string }
			}] `graphql:"closingIssuesReferences(first:5)"`
		}] `graphql:"associatedPullRequests(first:3)"`
	} `graphql:"... on Commit"`
}

// CommitPulls gives what the pull requests say that brought commits into a
// repository, by commit: those of the first commits, as many as GitHub bears in one
// request. asked is how many they are; those without a pull request have a zero value.
func (c *Client) CommitPulls(ctx context.Context, repo model.RepoRef,
	commits []string) (pulls map[string]model.CommitPull, asked int, err error) {
	err = shrinking(ctx, min(maxCommits, len(commits)), func(ctx context.Context, n int) error {
		pulls, asked = map[string]model.CommitPull{}, n
		return c.commitPulls(ctx, repo, commits[:n], pulls)
	})
	if err != nil {
		return nil, 0, fmt.Errorf("pull requests of commits of %s: %w", repo, err)
	}
	return pulls, asked, nil
}

func (c *Client) commitPulls(ctx context.Context, repo model.RepoRef, commits []string,
	into map[string]model.CommitPull) error {
	vars := map[string]any{"owner": githubv4.String(repo.Owner), "name": githubv4.String(repo.Name)}
	var fields []reflect.StructField
	for i, oid := range commits {
		vars[fmt.Sprintf("c%d", i)] = githubv4.GitObjectID(oid)
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("C%d", i), Type: reflect.TypeFor[*commitNode](),
			Tag: reflect.StructTag(fmt.Sprintf(`graphql:"c%d: object(oid:$c%d)"`, i, i)),
		})
	}
	q := reflect.New(reflect.StructOf([]reflect.StructField{
		{Name: "RateLimit", Type: reflect.TypeFor[charged]()},
		{Name: "Repository", Type: reflect.StructOf(fields), Tag: `graphql:"repository(owner:$owner,name:$name)"`},
	}))
	partial, err := c.query(ctx, q.Interface(), vars)
	if err != nil {
		return err
	}
	if partial != nil && len(commits) > 1 { // ask for less; of one commit nothing is known then
		return fmt.Errorf("%w: %w", ghapi.ErrResourceLimits, partial.errors[0])
	}
	found := q.Elem().FieldByName("Repository")
	for i, oid := range commits {
		into[oid] = found.Field(i).Interface().(*commitNode).pull(repo)
	}
	return nil
}

// pull is the merged pull request of the repository that brought a commit in; the
// zero value where there is none.
func (n *commitNode) pull(repo model.RepoRef) model.CommitPull {
	var out model.CommitPull
	if n == nil || n.Commit.AssociatedPullRequests == nil {
		return out
	}
	for _, p := range n.Commit.AssociatedPullRequests.Nodes {
		if p == nil || p.MergedAt == nil || p.Repository.NameWithOwner != repo.String() || out.Number != 0 &&
			out.Number < p.Number {
			continue
		}
		out = model.CommitPull{Number: p.Number, Title: p.Title, Body: p.Body}
		if p.Labels != nil {
			for _, l := range p.Labels.Nodes {
				out.Labels = append(out.Labels, l.Name)
			}
		}
		if p.ClosingIssuesReferences == nil {
			continue
		}
		for _, issue := range p.ClosingIssuesReferences.Nodes {
			if issue != nil && issue.Repository.NameWithOwner == repo.String() {
				out.Issues = append(out.Issues, model.LinkedIssue{Number: issue.Number, Title: issue.Title, Body: issue.Body})
			}
		}
	}
	return out
}
