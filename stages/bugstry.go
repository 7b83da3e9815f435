package stages

import (
	"context"
	"fmt"
	"os"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/injection"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
)

// BugTrial is what could be injected into the files of a pull request, or into
// one file.
type BugTrial struct {
	Verdicts []artifacts.VerdictLine `json:"verdicts"` // empty for a file
	Files    []TriedFile             `json:"files"`
}

// TriedFile is one file with every slip that could be made in it.
type TriedFile struct {
	Path  string            `json:"path"`
	Slips []injection.Tried `json:"slips"`
}

// maxTriedFile bounds a file that is tried by its name.
const maxTriedFile = 1 << 20

// TryBugFile makes every slip in a file of this machine. Imports are not proven:
// the file is alone. The error is an *injection.Refusal where the file has a
// fault already.
func TryBugFile(path string) (*BugTrial, error) {
	info, err := os.Stat(path)
	if err == nil && info.Size() > maxTriedFile {
		err = fmt.Errorf("%s is over %d bytes", path, maxTriedFile)
	}
	if err != nil {
		return nil, err
	}
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s, err := injection.Read(src)
	if err == nil {
		err = s.Clean()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &BugTrial{Verdicts: []artifacts.VerdictLine{}, Files: []TriedFile{{path, injection.Try(s, nil)}}}, nil
}

// TryBugs takes one pull request through the stages of the bugs benchmark, all
// of them as far as facts allow, and makes every slip in its fitting files.
func TryBugs(ctx context.Context, s *Session, ref model.PullRef) (*BugTrial, error) {
	if err := s.collector.Survey(ctx, []model.RepoRef{ref.Repo}); err != nil {
		return nil, err
	}
	tools, err := newBugTools(s)
	if err != nil {
		return nil, err
	}
	repo, err := s.collector.Repository(ref.Repo)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ref.Repo, err)
	}
	census, err := repo.Census()
	if err != nil {
		return nil, err
	}
	for _, p := range census.Pulls {
		if p.Number == ref.Number {
			return tryPull(ctx, s, tools, newItem(repo, p))
		}
	}
	return nil, fmt.Errorf("%s: %w (%s)", ref, errNotInCensus, census.Since.Format("2006-01-02"))
}

func tryPull(ctx context.Context, s *Session, t *bugTools, it *item) (*BugTrial, error) {
	list := bugStages(s, t)
	results, err := pipeline.Run(ctx, list[:len(list)-1], []*item{it}, pipeline.Options{
		Workers: 1, Fatal: collectors.IsFatal, Failure: collectors.Reason, Exhaustive: true,
	})
	if err != nil {
		return nil, err
	}
	window := verdict.Decision{Stage: verdict.StageWindow, Verdict: s.window.Verdict(it.summary)}
	out := &BugTrial{Verdicts: artifacts.VerdictLines(append([]verdict.Decision{window}, results[0].Decisions...)), Files: []TriedFile{}}
	if it.faults == nil {
		return out, nil
	}
	sources, err := it.repo.Sources(it.ref.Number)
	if err != nil || sources == nil {
		return out, err
	}
	modules := t.modules(ctx, it, sources)
	for _, f := range it.faults.files {
		out.Files = append(out.Files, TriedFile{f.Path, f.Try(modules(f.Path))})
	}
	return out, nil
}
