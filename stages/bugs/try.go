package bugs

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
	"github.com/prforge/prforge/stages/run"
)

// Trial is the possible faults of the files of a pull request, or of one file.
type Trial struct {
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

// TryFile makes every slip in a file of this machine. Imports are not proven:
// the file is alone. The error is an *injection.Refusal where the file has a
// fault already.
func TryFile(path string) (*Trial, error) {
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
	return &Trial{Verdicts: []artifacts.VerdictLine{}, Files: []TriedFile{{path, injection.Try(s, nil)}}}, nil
}

// TryPull takes one pull request through the stages of the bugs benchmark, all
// of them as far as facts allow, and makes every slip in its fitting files.
func TryPull(ctx context.Context, s *run.Session, ref model.PullRef) (*Trial, error) {
	it, err := s.Pull(ctx, ref)
	if err != nil {
		return nil, err
	}
	tools, err := newToolbox(ctx, s)
	if err != nil {
		return nil, err
	}
	return tryPull(ctx, s, tools, it)
}

func tryPull(ctx context.Context, s *run.Session, t *toolbox, it *run.Item) (*Trial, error) {
	list := pullStages(s, t)
	results, err := pipeline.Run(ctx, list[:len(list)-1], []*run.Item{it}, pipeline.Options{
		Workers: 1, Fatal: collectors.IsFatal, Failure: collectors.Reason, Missing: collectors.IsNotCollected,
		Exhaustive: true,
	})
	if err != nil {
		return nil, err
	}
	window := verdict.Decision{Stage: verdict.StageWindow, Verdict: s.Window.Verdict(it.Summary)}
	out := &Trial{Verdicts: artifacts.VerdictLines(append([]verdict.Decision{window}, results[0].Decisions...)),
		Files: []TriedFile{}}
	faults := faultsOf(it)
	if faults == nil {
		return out, nil
	}
	sources, err := it.Repo.Sources(it.Ref.Number)
	if err != nil || sources == nil {
		return out, err
	}
	modules := t.modules(ctx, it, sources)
	for _, f := range faults.files {
		out.Files = append(out.Files, TriedFile{f.Path, f.Try(modules(f.Path))})
	}
	return out, nil
}
