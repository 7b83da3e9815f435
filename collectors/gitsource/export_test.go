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
