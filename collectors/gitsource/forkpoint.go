package gitsource

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// The ways to find a fork point, as model.Base.Method has them, in the order
// they are tried.
const (
	MethodMerge    = "merge-base of the merge commit's first parent and the head"
	MethodSquash   = "merge-base of the merge commit and the head"
	MethodBaseRef  = "merge-base of the base branch and the head"
	MethodCompare  = "merge base by the API's comparison"
	MethodAncestor = "nearest ancestor of the head that the diff fits"
)

// ForkPoint finds the commit that a pull request's diff is against. It is a merge base, but of which two commits
// depends on how the pull request was merged; baseRefOid alone does not say. ForkPoint verifies every candidate
// against the diff (see verify) and takes the first that passes. If none does, Base.ForkPoint is "" and Problem says
// why. An error is ours: the network, the disk.
//
// Without a diff (GitHub refuses some) it checks candidates against the pull request's file list, and Verified stays
// false. The caller that makes the diff then checks its counts against GitHub's.
func (r *Repo) ForkPoint(ctx context.Context, pull *model.PullRequest, diffText string) (base model.Base, err error) {
	var diff *unidiff.Diff
	if diffText != "" {
		problem := ""
		if diff, problem = parseDiff(diffText); problem != "" {
			return model.Base{Problem: problem}, nil
		}
	}
	err = r.withRepair(ctx, func() error {
		base, err = r.forkPoint(ctx, pull, diff)
		return err
	})
	if err != nil {
		return model.Base{}, fmt.Errorf("fork point of %s: %w", pull.Ref, err)
	}
	return base, nil
}

func (r *Repo) forkPoint(ctx context.Context, pull *model.PullRequest, diff *unidiff.Diff) (model.Base, error) {
	missing, err := r.ensureTrees(ctx, []string{pull.HeadOid})
	if err != nil {
		return model.Base{}, err
	}
	if why := missing[pull.HeadOid]; why != nil {
		return model.Base{Problem: fmt.Sprintf("head commit %s: %v", pull.HeadOid, why)}, nil
	}
	tried := map[string]bool{pull.HeadOid: true} // the head itself makes an empty diff
	var problems []string
	for _, way := range r.ways(pull) {
		candidates, err := way.find(ctx)
		if err != nil {
			return model.Base{}, err
		}
		candidates = slices.DeleteFunc(candidates, func(c string) bool { return tried[c] })
		absent, err := r.ensureTrees(ctx, candidates)
		if err != nil {
			return model.Base{}, err
		}
		for _, candidate := range candidates {
			tried[candidate] = true
			if absent[candidate] != nil {
				problems = append(problems, fmt.Sprintf("%s: %v", candidate, absent[candidate]))
				continue
			}
			lost, problem, err := r.verify(ctx, candidate, pull, diff)
			if err != nil {
				return model.Base{}, err
			}
			if problem == "" {
				return model.Base{ForkPoint: candidate, Method: way.method, Verified: diff != nil, Missing: lost}, nil
			}
			problems = append(problems, fmt.Sprintf("%s (%s): %s", candidate, way.method, problem))
		}
	}
	if len(problems) == 0 {
		problems = []string{"git knows no commit that the head and the base branch have in common"}
	}
	return model.Base{Problem: problems[0]}, nil
}

// way is one way to find candidates.
type way struct {
	method string
	find   func(context.Context) ([]string, error)
}

// ways lists the ways that apply to a pull request.
func (r *Repo) ways(pull *model.PullRequest) []way {
	head := pull.HeadOid
	var list []way
	if m := pull.MergeCommit; m != nil && m.Oid != head {
		list = append(list,
			way{MethodMerge, func(ctx context.Context) ([]string, error) { return r.basesOfMerge(ctx, m.Oid, head) }},
			way{MethodSquash, func(ctx context.Context) ([]string, error) { return r.bases(ctx, m.Oid, head) }})
	}
	list = append(list,
		way{MethodBaseRef, func(ctx context.Context) ([]string, error) { return r.bases(ctx, pull.BaseRefOid, head) }})
	if r.opts.Compare != nil {
		list = append(list, way{MethodCompare, func(ctx context.Context) ([]string, error) {
			base, err := r.opts.Compare(ctx, pull.BaseRefOid, head)
			if base == "" {
				return nil, err
			}
			return []string{base}, err
		}})
	}
	return append(list, way{MethodAncestor, func(ctx context.Context) ([]string, error) { return r.ancestors(ctx, head) }})
}

// basesOfMerge serves a merge commit of two parents. It avoids the merge base with the merge commit itself, which is
// the head.
func (r *Repo) basesOfMerge(ctx context.Context, merge, head string) ([]string, error) {
	missing, err := r.ensure(ctx, wantCommits, []string{merge})
	if err != nil || len(missing) > 0 {
		return nil, err
	}
	c, err := r.commit(ctx, merge)
	if err != nil || len(c.parents) < 2 {
		return nil, err
	}
	return r.bases(ctx, c.parents[0], head)
}

// bases lists the merge bases of two commits: several after a criss-cross merge, none if a commit is gone or they
// share no history.
func (r *Repo) bases(ctx context.Context, a, b string) ([]string, error) {
	missing, err := r.ensure(ctx, wantCommits, []string{a, b})
	if err != nil || len(missing) > 0 {
		return nil, err
	}
	found, err := r.mergeBases(ctx, a, b)
	return slices.Clone(found), err
}

// ancestors lists the head's first-parent ancestors, nearest first, at most Options.MaxWalk. They serve branches that
// were pushed to the base unchanged, where every merge base is the head itself.
func (r *Repo) ancestors(ctx context.Context, head string) ([]string, error) {
	var list []string
	for oid := head; len(list) < r.opts.MaxWalk; {
		c, err := r.commit(ctx, oid)
		if errors.Is(err, ErrAbsent) || err == nil && len(c.parents) == 0 {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		oid = c.parents[0]
		list = append(list, oid)
	}
	return list, nil
}
