package github

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/prforge/prforge/internal/ghapi"
)

// partial is what came with errors beside data; nil is an answer without any.
type partial struct{ errors []ghapi.GraphQLError }

// query runs a query; errors beside data are no error, they are given apart.
func (c *Client) query(ctx context.Context, q any, vars map[string]any) (*partial, error) {
	err := c.api.Query(ctx, q, vars)
	var found *ghapi.PartialError
	if errors.As(err, &found) {
		return &partial{found.Errors}, nil
	}
	return nil, err
}

// byNode sorts the errors by the index of the node that they are about, for a
// query of nodes(ids:). An error about none of them is about the whole answer
// and is returned as one that asks for less.
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
