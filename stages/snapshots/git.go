package snapshots

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/snapshot"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/collectors/github"
	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/pipeline"
)

// Wanted is a record to make a snapshot of.
type Wanted struct {
	TaskID   string
	Repo     model.RepoRef
	Head     string // the commit shown
	Base     string // its fork point
	Upstream string // a later commit of the base branch, to tell its commits from the pull request's
}

// History is where the objects of one repository come from.
type History interface {
	snapshot.Source
	// Records say where the histories of wanted records end, or why that cannot be
	// said.
	Records(ctx context.Context, wanted []Wanted) ([]snapshot.Record, error)
	// Close releases what is open.
	Close()
}

// Options say where snapshots come from and go to.
type Options struct {
	// Dir is a folder for the files that are made. One that is there already, of the
	// same records, is taken as it is.
	Dir string
	// Refresh makes a file again in which a record has a problem.
	Refresh bool
	// Open opens what a repository's objects come from.
	Open func(context.Context, model.RepoRef) (History, error)
	// Repositories is how many are worked on at once.
	Repositories int
	Progress     pipeline.Progress
}

// fromGit is a History in a git repository.
type fromGit struct{ *gitsource.Repo }

// FromGit takes objects from a repository, which fetches them unless it is a
// mirror's.
func FromGit(r *gitsource.Repo) History { return fromGit{r} }

// Records implements History. What they say does not depend on which repository it
// is.
func (g fromGit) Records(ctx context.Context, wanted []Wanted) ([]snapshot.Record, error) {
	var commits []string
	for _, w := range wanted {
		commits = append(commits, w.Head, w.Base, w.Upstream)
	}
	if _, err := g.FetchCommits(ctx, commits); err != nil { // at once; what is missing, each meets again
		return nil, err
	}
	out := make([]snapshot.Record, len(wanted))
	for i, w := range wanted {
		var err error
		if out[i], err = g.record(ctx, w); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (g fromGit) record(ctx context.Context, w Wanted) (snapshot.Record, error) {
	r := snapshot.Record{TaskID: w.TaskID, Head: w.Head, Base: w.Base}
	limit := snapshot.DefaultLimits().MaxCommits
	ends, err := g.Ends(ctx, w.Head, w.Base, w.Upstream, limit)
	switch {
	case err == nil:
		r.Shallow = ends
	case errors.Is(err, gitsource.ErrAbsent):
		r.Problem, r.Detail = snapshot.CommitAbsent, fmt.Sprintf("commit %s or its fork point %s is not available", w.Head,
			w.Base)
	case errors.Is(err, gitsource.ErrUnrelated):
		r.Problem, r.Detail = snapshot.NoForkPoint, fmt.Sprintf("commit %s does not descend from %s", w.Head, w.Base)
	case errors.Is(err, gitsource.ErrTooLarge):
		r.Problem, r.Detail = snapshot.TooManyCommits, fmt.Sprintf("more than %d commits", limit)
	default:
		return r, err
	}
	return r, nil
}

// Mirrors opens full clones in a folder, OWNER/NAME.git or OWNER/NAME.
func Mirrors(folder string, log *slog.Logger) func(context.Context, model.RepoRef) (History, error) {
	options := gitsource.DefaultOptions()
	options.Log = log
	return func(ctx context.Context, repo model.RepoRef) (History, error) {
		m, err := gitsource.FindMirror(ctx, folder, repo, options)
		if err != nil {
			return nil, err
		}
		return FromGit(m.Objects()), nil
	}
}

// GitHub says how git fetches what a state lacks.
type GitHub struct {
	State    string // its folder
	CloneURL func(model.RepoRef) string
	Connect  func(context.Context) (*ghapi.Client, error) // signs in, when git first asks for something
	Log      *slog.Logger
}

// Options opens the state, which no other run may have open, and gives the Options
// for it and what closes it.
func (g GitHub) Options() (o Options, done func() error, err error) {
	git := gitsource.DefaultOptions()
	git.Log = g.Log
	c, err := collectors.Open(collectors.Options{
		State: g.State, CloneURL: g.CloneURL, Connect: g.Connect, GitHub: github.DefaultOptions(), Git: git, Log: g.Log,
	})
	if err != nil {
		return o, nil, err
	}
	o.Dir = filepath.Join(g.State, "snapshots", c.Store().ID())
	o.Open = func(ctx context.Context, repo model.RepoRef) (History, error) {
		r, err := c.Git(ctx, repo)
		if err != nil {
			return nil, err
		}
		return FromGit(r), nil
	}
	return o, c.Close, nil
}

// FromDataset takes objects from the snapshots of a dataset. The error wraps
// fs.ErrNotExist where it has none of the repository.
func FromDataset(ctx context.Context, dataset string, repo model.RepoRef) (History, error) {
	f, err := load.OpenFile(dataset, artifacts.FileSnapshots(repo))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s, err := snapshot.NewSpool(ctx, f, snapshot.DefaultLimits())
	if err != nil {
		return nil, err
	}
	return fromFile{s}, nil
}

// fromFile is a History in a file of snapshots.
type fromFile struct{ *snapshot.Spool }

// Records implements History.
func (f fromFile) Records(_ context.Context, wanted []Wanted) ([]snapshot.Record, error) {
	out := make([]snapshot.Record, len(wanted))
	for i, w := range wanted {
		known := f.Record(w.Head, w.Base)
		if known == nil {
			return nil, fmt.Errorf("%s: the dataset has no snapshot of %s", w.TaskID, w.Head)
		}
		out[i] = *known
		out[i].TaskID = w.TaskID
	}
	return out, nil
}
