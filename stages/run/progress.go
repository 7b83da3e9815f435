package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prforge/prforge/internal/model"
)

// Progress is told how far a build has come. Its methods may be called from
// several goroutines.
type Progress interface {
	// Phase begins a part of the run ("repositories", "contexts") of so many
	// items; the part before it is over. A part of no items is one piece of work.
	Phase(name string, total int)
	// Weigh says how much work each item of the phase is, in a unit ("pull requests").
	// Without it every item is as much as another.
	Weigh(unit string, work map[string]int)
	// Done says that one more item of the phase is finished, with a word on
	// how it went; with "" it is not worth a line.
	Done(item, how string)
	// Doing says what is being done about an item.
	Doing(item string, now Step)
	// Waiting says what GitHub makes us wait for, and until when.
	Waiting(reason string, until time.Time)
}

// Step is what is being done about an item: a stage, for how many of the pull
// requests that reached it that is over, of none where they are not counted, and
// which share of all that is done about the item, 0 to 1, is over for certain.
type Step struct {
	Stage    string
	Done, Of int
	Over     float64
}

// Silent is a Progress that shows nothing.
type Silent struct{}

// Phase does nothing.
func (Silent) Phase(string, int) {}

// Done does nothing.
func (Silent) Done(string, string) {}

// Weigh does nothing.
func (Silent) Weigh(string, map[string]int) {}

// Doing does nothing.
func (Silent) Doing(string, Step) {}

// Waiting does nothing.
func (Silent) Waiting(string, time.Time) {}

// listing says that the pull requests of a repository are being listed.
func (s *Session) listing(repo model.RepoRef) {
	s.Progress.Doing(repo.String(), Step{Stage: "reading its list"})
}

// listed says that they are.
func (s *Session) listed(repo model.RepoRef) { s.Progress.Done(repo.String(), "") }

// fetching says that git fetches for a repository, which may take minutes.
func (s *Session) fetching(repo model.RepoRef, objects int, commits bool) {
	what := "objects"
	if commits {
		what = "commits"
	}
	s.Progress.Doing(repo.String(), Step{Stage: fmt.Sprintf("fetching %d %s", objects, what)})
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
