package bugs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/schema"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/injection"
	"github.com/prforge/prforge/injection/bugs"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
)

// Kinds of faults of a bugs dataset's files, before those of injection/bugs.
const (
	faultFiles  verify.Kind = "bug-files"
	faultSchema verify.Kind = "bug-schema"
	faultSplit  verify.Kind = "bug-split"
)

// bugKinds are the kinds of faults of a bugs dataset.
func faultKinds() []verify.Fault {
	out := []verify.Fault{
		{Kind: faultFiles, Text: "every file is the one that the manifest lists"},
		{Kind: faultSchema, Text: "every line and every evidence follows its schema"},
		{Kind: verify.RawDamaged, Text: "every raw record can be read and has its own SHA-256"},
		{Kind: verify.RawMissing, Text: "every repository that questions are drawn from has its raw records"},
	}
	for _, k := range bugs.FaultTexts {
		out = append(out, verify.Fault{Kind: verify.Kind(k.Kind), Text: k.Text})
	}
	return append(out,
		verify.Fault{Kind: faultSplit,
			Text: "the split has as many questions of each level as its rule draws, and their controls"})
}

// bugVerification is one verification of a bugs dataset.
type verification struct {
	*verify.Tally
	dir string
}

// verifyBugs recomputes a bugs dataset: the files, each question from itself,
// and all of them again from the raw records.
func verifyDataset(ctx context.Context, dir string, m *artifacts.Manifest) (*verify.Report, error) {
	v := &verification{Tally: verify.NewTally(faultKinds()), dir: dir}
	if err := v.checkFiles(m); err != nil {
		return nil, err
	}
	drafts, err := readDrafts(dir)
	if err != nil {
		return nil, err
	}
	for _, d := range drafts {
		v.note(bugs.Check(d)...)
		if c := d.Question.Canary; c != "" && c != m.Canary() {
			v.note(bugs.Problem{Kind: bugs.FaultView, Detail: d.Question.QuestionID + ": the canary is another dataset's"})
		}
	}
	v.note(bugs.CheckSet(drafts)...)
	whole, err := v.checkRaw()
	if err != nil {
		return nil, err
	}
	if whole { // of others nothing can be drawn
		if err := v.rebuild(ctx, drafts); err != nil {
			return nil, fmt.Errorf("verify %s from its raw records: %w", dir, err)
		}
	}
	return v.Report(dir, verify.FormatPrforge, len(drafts)), nil
}

func (v *verification) note(problems ...bugs.Problem) {
	v.Checks++
	for _, p := range problems {
		v.Note(verify.Kind(p.Kind), "%s", p.Detail)
	}
}

// checkFiles compares files with the manifest and with their schemas.
func (v *verification) checkFiles(m *artifacts.Manifest) error {
	lines := map[string]schema.Name{artifacts.FileBugQuestions: schema.BugQuestion,
		artifacts.FileBugAnswers: schema.BugAnswer}
	if err := v.Files(v.dir, m, faultFiles, faultSchema, lines); err != nil {
		return err
	}
	for file := range m.Files {
		name := schema.BugEvidence
		switch {
		case file == artifacts.FileBugSplit:
			name = schema.BugSplit
		case !strings.HasPrefix(file, artifacts.DirBugEvidence):
			continue
		}
		text, err := load.ReadBytes(v.dir, file)
		if errors.Is(err, fs.ErrNotExist) {
			continue // noted above
		}
		if err == nil {
			err = schema.Check(name, text)
		}
		v.Check(faultSchema, err == nil, "%s: %v", file, err)
	}
	return nil
}

// repositories are those that questions are drawn from.
func (v *verification) repositories() (config.Repositories, error) {
	var out config.Repositories
	for d, err := range load.ReadLines[artifacts.Decision](v.dir, artifacts.FileDecisions) {
		if err != nil {
			return nil, err
		}
		if d.Stage == verdict.StageDraw && !slices.Contains(out, d.Repo) {
			out = append(out, d.Repo)
		}
	}
	return out, nil
}

// checkRaw reads the raw records that questions are drawn from. It reports
// whether all are there and whole.
func (v *verification) checkRaw() (whole bool, err error) {
	repositories, err := v.repositories()
	if err != nil {
		return false, err
	}
	whole = true
	for _, name := range repositories {
		ref, err := model.ParseRepoRef(name)
		if err != nil {
			whole = v.Check(verify.RawMissing, false, "%v", err)
			continue
		}
		path, described := artifacts.FileRaw(ref), false
		f, err := load.OpenFile(v.dir, path)
		if err != nil {
			whole = v.Check(verify.RawMissing, false, "%s: %v", path, err)
			continue
		}
		for r, err := range store.ReadExport(f) {
			if err != nil {
				whole, described = v.Check(verify.RawDamaged, false, "%s: %v", path, err), true
				break
			}
			described = described || r.Kind == store.Repository
		}
		f.Close()
		if !v.Check(verify.RawMissing, described, "%s: nothing says what the repository is", path) {
			whole = false
		}
	}
	return whole, nil
}

// errOffline says that verifying asked for something that the dataset lacks.
var errOffline = errors.New("the dataset's raw records do not have everything that it was made from")

// rebuild draws all questions again from the raw records of the dataset, and
// compares.
func (v *verification) rebuild(ctx context.Context, drafts []bugs.Draft) error {
	again, drawn, err := v.drawAgain(ctx)
	if err != nil {
		return err
	}
	want := map[string]bugs.Draft{}
	for _, d := range again {
		want[d.Question.QuestionID] = d
	}
	for _, d := range drafts {
		id := d.Question.QuestionID
		d.Question.Canary = "" // checked against the manifest
		w, ok := want[id]
		delete(want, id)
		if !ok {
			v.note(bugs.Problem{Kind: bugs.FaultDraw, Detail: id + ": it is not drawn"})
			continue
		}
		switch {
		case !reflect.DeepEqual(d.Question, w.Question):
			v.note(bugs.Problem{Kind: bugs.FaultView, Detail: id + ": the view, or its tokens, are otherwise"})
		case !reflect.DeepEqual(normal(d.Answer), normal(w.Answer)), !reflect.DeepEqual(d.Evidence, w.Evidence):
			v.note(bugs.Problem{Kind: bugs.FaultSource,
				Detail: id + ": key or evidence differ from those that the raw records give"})
		default:
			v.Checks++
		}
	}
	for id := range want {
		v.note(bugs.Problem{Kind: bugs.FaultDraw, Detail: id + ": it is drawn and not there"})
	}
	split, err := load.ReadJSON[model.Split](v.dir, artifacts.FileBugSplit)
	if errors.Is(err, fs.ErrNotExist) {
		split, err = &model.Split{}, nil // of a version that drew none
	}
	if err != nil {
		return err
	}
	v.Check(faultSplit, reflect.DeepEqual(*split, drawn), "%s lists others", artifacts.FileBugSplit)
	return nil
}

// drawAgain makes the questions and their split from the raw records.
func (v *verification) drawAgain(ctx context.Context) (drafts []bugs.Draft, split model.Split, err error) {
	s, err := v.session(ctx)
	if err != nil {
		return nil, split, err
	}
	defer func() { err = errors.Join(err, s.Close(), os.RemoveAll(s.State)) }()
	drafts, err = v.candidates(ctx, s)
	return drafts, drawSplit(s, drafts), err
}

// normal is a key with empty lists where JSON has them.
func normal(a model.BugAnswer) model.BugAnswer {
	if len(a.Edits) == 0 {
		a.Edits = nil
	}
	if len(a.AddedLines) == 0 {
		a.AddedLines = nil
	}
	if len(a.CandidateLines) == 0 {
		a.CandidateLines = nil
	}
	return a
}

// session opens a state of its own with the dataset's raw records.
func (v *verification) session(ctx context.Context) (*run.Session, error) {
	options, err := load.ReadJSON[config.Bugs](v.dir, artifacts.FileBugOptions)
	if err != nil {
		return nil, err
	}
	cfg := config.Default()
	cfg.Bugs = *options
	if cfg.Repositories, err = v.repositories(); err != nil {
		return nil, err
	}
	state, err := os.MkdirTemp("", "prforge-verify-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the raw records: %w", err)
	}
	return run.Open(ctx, run.Env{
		Host: pipeline.Quiet(1), State: state, From: v.dir, Shards: 1,
		Connect:  func(context.Context) (*ghapi.Client, error) { return nil, errOffline },
		CloneURL: func(model.RepoRef) string { return "" },
	}, &cfg)
}

// candidates takes the pull requests that reached the draw through the stages
// again, and draws.
func (v *verification) candidates(ctx context.Context, s *run.Session) ([]bugs.Draft, error) {
	tools, err := newToolbox(ctx, s)
	if err != nil {
		return nil, err
	}
	shards := map[string]*shard{}
	var order []*shard
	for d, err := range load.ReadLines[artifacts.Decision](v.dir, artifacts.FileDecisions) {
		if err != nil {
			return nil, err
		}
		if d.Kind != artifacts.KindPullRequest || d.Stage != verdict.StageDraw || d.PRNumber == nil {
			continue
		}
		sh := shards[d.Repo]
		if sh == nil {
			ref, err := model.ParseRepoRef(d.Repo)
			if err != nil {
				return nil, err
			}
			if sh, err = run.OpenShard[*finalist](s, ref); err != nil || sh.Repo == nil {
				return nil, errors.Join(err, errOffline)
			}
			shards[d.Repo] = sh
			order = append(order, sh)
		}
		if err := v.again(ctx, s, tools, sh, *d.PRNumber); err != nil {
			return nil, fmt.Errorf("%s#%d: %w", d.Repo, *d.PRNumber, err)
		}
	}
	return drawQuestions(s, order).Drafts, nil
}

// again makes the questions of one pull request again. What the raw records lack
// is a fault of the dataset.
func (v *verification) again(ctx context.Context, s *run.Session, t *toolbox, sh *shard, number int) error {
	it := run.NewItem(sh.Repo, model.PullSummary{Number: number})
	for _, stage := range pullStages(s, t) {
		got, err := stage.Run(ctx, it)
		if err != nil && (collectors.IsFatal(err) || ctx.Err() != nil) {
			return err
		}
		if err != nil || got.Outcome != verdict.OutcomePass {
			v.note(bugs.Problem{Kind: bugs.FaultSource, Detail: fmt.Sprintf("%s: %s does not pass it again: %s", it.Ref,
				stage.Name(), got.Code)})
			return nil
		}
	}
	trail := run.PullTrail(sh.Facts.Ref, number)
	sh.Items = append(sh.Items, trail)
	sh.Finalists = append(sh.Finalists,
		newFinalist(run.Passed{Item: it, Index: len(sh.Items) - 1, First: len(sh.Items) - 1})...)
	return nil
}

// ConfirmDataset asks about every question of the bugs dataset in dir.
func ConfirmDataset(ctx context.Context, dir string, confirm Confirm) (*Confirmations, error) {
	drafts, err := readDrafts(dir)
	if err != nil {
		return nil, err
	}
	if err := withModules(ctx, dir, drafts); err != nil {
		return nil, fmt.Errorf("read the modules of %s from its raw records: %w", dir, err)
	}
	return confirmAll(ctx, drafts, confirm)
}

// withModules gives questions that were read back the modules that faults of
// imports were proven by. Questions have their names only, or their source where
// there was room for it: the raw records have them all.
func withModules(ctx context.Context, dir string, drafts []bugs.Draft) error {
	if !slices.ContainsFunc(drafts, func(d bugs.Draft) bool { return d.Answer.Family == string(injection.Import) }) {
		return nil
	}
	v := &verification{Tally: verify.NewTally(faultKinds()), dir: dir}
	again, _, err := v.drawAgain(ctx)
	if err != nil {
		return err
	}
	modules := map[string]*injection.Module{}
	for _, d := range again {
		modules[d.Question.QuestionID] = d.Module
	}
	for i := range drafts {
		drafts[i].Module = modules[drafts[i].Question.QuestionID]
	}
	return nil
}
