package github

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/shurcooL/githubv4"

	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
)

// SearchLimit is how many results of a search GitHub returns. It only counts the others.
const SearchLimit = 1000

// Found is a repository of a search.
type Found struct {
	model.Repository
	Merged int `json:"merged"` // pull requests, ever
}

// FoundPage is a page of a search.
type FoundPage struct {
	Total int     `json:"total"` // of the search, also where it is more than SearchLimit
	Found []Found `json:"found"`
	Next  string  `json:"next"` // where the next page begins; "" after the last
}

type findQuery struct {
	RateLimit charged
	Search    struct {
		RepositoryCount int
		PageInfo        pageInfo
		Nodes           []struct {
			Repository struct {
				Facts        repositoryNode           `graphql:"... on Repository"`
				PullRequests struct{ TotalCount int } `graphql:"pullRequests(states:[MERGED])"`
			} `graphql:"... on Repository"`
		}
	} `graphql:"search(query:$query,type:REPOSITORY,first:$first,after:$after)"`
}

// Find requests a page of a hundred repositories from a search.
func (c *Client) Find(ctx context.Context, query, after string) (*FoundPage, error) {
	var q findQuery
	vars := map[string]any{"query": githubv4.String(query), "first": githubv4.Int(maxIDs),
		"after": (*githubv4.String)(nil)}
	if after != "" {
		vars["after"] = new(githubv4.String(after))
	}
	if _, err := c.query(ctx, &q, vars); err != nil {
		return nil, fmt.Errorf("search %q: %w", query, err)
	}
	out := &FoundPage{Total: q.Search.RepositoryCount}
	for _, n := range q.Search.Nodes {
		if n.Repository.Facts.ID == "" {
			continue // blocked since it was indexed
		}
		facts, err := n.Repository.Facts.facts(model.RepoRef{})
		if err != nil {
			return nil, fmt.Errorf("search %q: %w", query, err)
		}
		out.Found = append(out.Found, Found{*facts, n.Repository.PullRequests.TotalCount})
	}
	if p := q.Search.PageInfo; p.HasNextPage && p.EndCursor != nil {
		out.Next = *p.EndCursor
	}
	return out, nil
}

// MaxCounts is the number of repositories whose merged pull requests one request can count.
const MaxCounts = 50

// CountMerged counts the pull requests merged in [from, to) for at most MaxCounts repositories, in their order; -1
// for a repository that GitHub does not return.
func (c *Client) CountMerged(ctx context.Context, refs []model.RepoRef, from, to time.Time) ([]int, error) {
	fields := []reflect.StructField{{Name: "RateLimit", Type: reflect.TypeFor[charged]()}}
	vars := map[string]any{}
	for i, ref := range refs {
		vars[fmt.Sprintf("q%d", i)] = githubv4.String(fmt.Sprintf("repo:%s is:pr is:merged merged:%s..%s", ref,
			from.Format(time.DateOnly), to.AddDate(0, 0, -1).Format(time.DateOnly)))
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("S%d", i), Type: reflect.TypeFor[*struct{ IssueCount int }](),
			Tag: reflect.StructTag(fmt.Sprintf(`graphql:"s%d: search(query:$q%d,type:ISSUE)"`, i, i)),
		})
	}
	q := reflect.New(reflect.StructOf(fields))
	var partial *ghapi.PartialError
	if err := c.api.Query(ctx, q.Interface(), vars); err != nil && !errors.As(err, &partial) {
		return nil, fmt.Errorf("count merged pull requests: %w", err)
	}
	out := make([]int, len(refs))
	for i := range refs {
		out[i] = -1
		if n := q.Elem().Field(i + 1).Interface().(*struct{ IssueCount int }); n != nil {
			out[i] = n.IssueCount
		}
	}
	return out, nil
}
