package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/pipeline"
)

// listing says that the pull requests of a repository are being listed.
func (s *Session) listing(repo model.RepoRef) {
	s.Progress.Doing(repo.String(), pipeline.Step{Stage: "reading its list"})
}

// listed says that they are.
func (s *Session) listed(repo model.RepoRef) { s.Progress.Done(repo.String(), "") }

// fetching says that git fetches for a repository, which may take minutes.
func (s *Session) fetching(repo model.RepoRef, objects int, commits bool) {
	what := "objects"
	if commits {
		what = "commits"
	}
	s.Progress.Doing(repo.String(), pipeline.Step{Stage: fmt.Sprintf("fetching %d %s", objects, what)})
}

// Survey reads the lists of pull requests, and says how many each repository has in
// the window.
func (s *Session) Survey(ctx context.Context, refs []model.RepoRef) error {
	s.Progress.Phase("lists of pull requests", len(refs))
	if err := s.Collector.Survey(ctx, refs); err != nil {
		return err
	}
	work := map[string]int{}
	for _, ref := range refs {
		repo, err := s.Collector.Repository(ref)
		if err != nil {
			continue // OpenShard says it
		}
		census, err := repo.Census()
		if err := errors.Join(err, repo.Release()); err != nil {
			return err
		}
		inside, _ := s.Window.Split(census)
		work[repo.Facts().Ref.String()] = len(inside)
	}
	s.Progress.Phase("repositories", len(refs))
	s.Progress.Weigh("pull requests", work)
	return nil
}
