package github

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/prforge/prforge/internal/ghapi"
)

// partial holds the errors of an answer that also has data; nil is an answer without errors.
type partial struct{ errors []ghapi.GraphQLError }

// query runs a query. Errors beside data are returned apart from the error.
func (c *Client) query(ctx context.Context, q any, vars map[string]any) (*partial, error) {
	err := c.api.Query(ctx, q, vars)
	if found, ok := errors.AsType[*ghapi.PartialError](err); ok {
		return &partial{found.Errors}, nil
	}
	return nil, err
}

// byNode groups errors by the index of their node, for a query of nodes(ids:). An error of no node concerns the whole
// answer; it is returned as one that asks for a smaller page.
func (p *partial) byNode(n int) (map[int][]ghapi.GraphQLError, error) {
	out := map[int][]ghapi.GraphQLError{}
	if p == nil {
		return out, nil
	}
	for _, e := range p.errors {
		i := -1
		if len(e.Path) >= 2 && e.Path[0] == "nodes" {
			if k, err := strconv.Atoi(e.Path[1]); err == nil && k < n {
				i = k
			}
		}
		if i < 0 {
			return nil, fmt.Errorf("%w: %w", ghapi.ErrResourceLimits, e)
		}
		out[i] = append(out[i], e)
	}
	return out, nil
}

// limited reports whether GitHub cut the answer short.
func (p *partial) limited() bool {
	if p == nil {
		return false
	}
	for _, e := range p.errors {
		if errors.Is(e, ghapi.ErrResourceLimits) {
			return true
		}
	}
	return false
}
