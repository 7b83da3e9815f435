package github

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"github.com/prforge/prforge/internal/ghapi"
)

// maxTroubles is how often a repository's part of an answer may be missing before the survey gives it up.
const maxTroubles = 3

// Survey reads repositories and lists their pull requests, several in one request. It yields each answer when it is
// complete. An unavailable repository has its own error in the answer. An error of the sequence ends the run
// (credentials, budget, context) and comes last.
func (c *Client) Survey(ctx context.Context, wants []Want) iter.Seq2[Surveyed, error] {
	return func(yield func(Surveyed, error) bool) {
		queue := make([]*scan, len(wants))
		for i, w := range wants {
			queue[i] = &scan{want: w, ref: w.Ref, per: c.o.Census}
			if !w.Since.IsZero() {
				queue[i].pass = newCensusPass(w.Since, w.Known, c.o.MaxRefresh)
			}
		}
		for len(queue) > 0 {
			n := min(len(queue), c.repositories.now())
			if err := c.surveyPage(ctx, queue[:n]); err != nil {
				yield(Surveyed{}, fmt.Errorf("survey repositories: %w", err))
				return
			}
			rest := queue[n:]
			for _, s := range queue[:n] {
				if !s.done {
					rest = append(rest, s)
				} else if !yield(s.answer(), nil) {
					return
				}
			}
			queue = rest
		}
	}
}

// answer is what a finished survey of one repository says.
func (s *scan) answer() Surveyed {
	out := Surveyed{Want: s.want, Err: s.err}
	if s.err != nil {
		return out
	}
	out.Repository = s.repo
	if s.pass != nil {
		out.Census = s.pass.census()
	}
	return out
}

// finish ends a repository's survey with an error, or well.
func (s *scan) finish(err error) { s.err, s.done = err, true }

// surveyPage sends one request for all of list and records the answers. An error ends the run.
func (c *Client) surveyPage(ctx context.Context, list []*scan) error {
	per := c.o.Census
	for _, s := range list {
		per = min(per, s.per)
	}
	call := ctx
	if len(list) > 1 || per > 1 {
		call = ghapi.Shrinkable(ctx)
	}
	q := newSurveyQuery(list, per)
	err := c.api.Query(call, q.value.Interface(), q.vars)
	var partial *ghapi.PartialError
	switch {
	case err == nil:
		c.repositories.grow()
	case errors.As(err, &partial):
	case !ofItem(err):
		return err
	case c.repositories.shrink(len(list)):
		return nil
	case per > 1:
		list[0].per = per / 2
		return nil
	default:
		list[0].finish(fmt.Errorf("look at %s: %w", list[0].ref, err))
		return nil
	}
	if errors.Is(err, ghapi.ErrResourceLimits) {
		c.repositories.shrink(len(list))
	}
	for i, s := range list {
		if err := c.surveyed(ctx, s, q, i, partial); err != nil {
			return err
		}
	}
	return nil
}

// surveyed records one repository's part of an answer.
func (c *Client) surveyed(ctx context.Context, s *scan, q surveyQuery, i int, partial *ghapi.PartialError) error {
	node, page := q.repository(i), q.census(i)
	if found := errorAt(partial, "r"+strconv.Itoa(i), "p"+strconv.Itoa(i)); found != nil || node == nil || s.pass != nil &&
		page == nil {
		return c.surveyTrouble(ctx, s, node == nil, found)
	}
	repo, err := node.facts(s.want.Ref)
	if err != nil {
		s.finish(fmt.Errorf("look at %s: %w", s.ref, err))
		return nil
	}
	s.repo, s.ref = repo, repo.Ref
	if s.pass == nil || s.pass.add(page) {
		s.finish(nil)
	}
	return nil
}

// surveyTrouble handles a repository whose part has an error or is missing.
func (c *Client) surveyTrouble(ctx context.Context, s *scan, gone bool, found *ghapi.GraphQLError) error {
	if found != nil && gone {
		switch kind := found.Kind(); {
		case errors.Is(kind, ghapi.ErrNotFound):
			s.finish(fmt.Errorf("look at %s: %w", s.ref, found))
			return nil
		case errors.Is(kind, ghapi.ErrForbidden), errors.Is(kind, ghapi.ErrBlocked):
			return c.whyRefused(ctx, s, found)
		}
	}
	s.per = max(1, s.per/2)
	if s.troubles++; s.troubles < maxTroubles {
		return nil // null is not absent: ask again
	}
	if found != nil {
		s.finish(fmt.Errorf("look at %s: %w", s.ref, found))
		return nil
	}
	s.finish(fmt.Errorf("look at %s: %w: GitHub leaves it out", s.ref, ghapi.ErrNotAvailable))
	return nil
}

// whyRefused asks REST for the reason that GraphQL omits: a takedown (451 with its reason) or a plain refusal.
func (c *Client) whyRefused(ctx context.Context, s *scan, found *ghapi.GraphQLError) error {
	_, _, err := c.api.REST().Repositories.Get(ctx, s.ref.Owner, s.ref.Name)
	err = ghapi.CleanError(err)
	switch {
	case err == nil:
		err = found
	case errors.Is(err, ghapi.ErrAuth), errors.Is(err, ghapi.ErrBudget), ctx.Err() != nil:
		return err
	}
	s.finish(fmt.Errorf("look at %s: %w", s.ref, err))
	return nil
}

// errorAt finds the first error whose path begins at one of the names, or that
// has no path and so may be about anything.
func errorAt(partial *ghapi.PartialError, names ...string) *ghapi.GraphQLError {
	if partial == nil {
		return nil
	}
	for i, e := range partial.Errors {
		if len(e.Path) == 0 {
			return &partial.Errors[i]
		}
		if slices.Contains(names, e.Path[0]) {
			return &partial.Errors[i]
		}
	}
	return nil
}
