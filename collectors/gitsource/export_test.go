package gitsource

import "context"

// FetchTrees makes sure that the whole trees of commits are here, without blobs.
func FetchTrees(ctx context.Context, r *Repo, commits []string) (missing map[string]error, err error) {
	err = r.withRepair(ctx, func() error {
		missing, err = r.ensureTrees(ctx, commits)
		return err
	})
	return missing, err
}

// MergeBases lists the merge bases of two commits.
func MergeBases(ctx context.Context, r *Repo, a, b string) ([]string, error) {
	return r.mergeBases(ctx, a, b)
}

// BranchHere lists the commits that head has and upstream has not.
func BranchHere(ctx context.Context, r *Repo, head, upstream string) ([]string, error) {
	return r.branch(ctx, head, upstream, 1000)
}

// OrderedHere lists those of the commits that upstream has not.
func OrderedHere(ctx context.Context, r *Repo, oids []string, upstream string) ([]string, error) {
	listed, _, err := r.ordered(ctx, oids, upstream)
	return listed, err
}
