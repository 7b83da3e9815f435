package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/scoring"
	"github.com/prforge/prforge/scoring/contamination"
	"github.com/prforge/prforge/scoring/fixes"
	"github.com/prforge/prforge/stages/run"
)

// ControlOptions configure Controls.
type ControlOptions struct {
	Mirrors string    // folder of full clones: OWNER/NAME.git or OWNER/NAME
	Until   time.Time // the last day of the later history
	Days    int       // how long after the merge a hunk is checked
}

// Controls makes the negative controls of a frozen dataset and freezes them in a separate folder. It only reads the
// dataset.
func Controls(ctx context.Context, env run.Env, dir string, o ControlOptions) (*freeze.ControlSet, error) {
	of, err := load.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	if of.Benchmark != artifacts.Review && of.Benchmark != "" {
		return nil, fmt.Errorf("%s is of the benchmark %s: only reviews have negative controls", dir, of.Benchmark)
	}
	cfg, err := run.Configuration(dir)
	if err != nil {
		return nil, err
	}
	out := env.Out
	if err := freeze.CheckTarget(out); err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp("", "prforge-controls-")
	if err != nil {
		return nil, fmt.Errorf("controls of %s: %w", dir, err)
	}
	defer os.RemoveAll(work)
	env.State, env.Out, env.From, env.Offline = work, "", dir, true
	s, err := run.Open(ctx, env, cfg)
	if err != nil {
		return nil, err
	}
	set, err := controls(ctx, s, dir, o)
	if err := errors.Join(err, s.Close()); err != nil {
		return nil, fmt.Errorf("controls of %s: %w", dir, err)
	}
	sum, err := load.ManifestDigest(dir)
	if err != nil {
		return nil, err
	}
	set.Of = artifacts.ControlsOf{Dataset: of.Name, Manifest: sum, LookedAtUntil: o.Until.Format(time.DateOnly),
		Days: o.Days}
	d, err := set.Dataset(*of)
	if err != nil {
		return nil, err
	}
	return set, freeze.Freeze(ctx, out, d)
}

// controls makes the controls of every repository, each list by task id.
func controls(ctx context.Context, s *run.Session, dir string, o ControlOptions) (*freeze.ControlSet, error) {
	records := map[string][]*artifacts.Record{}
	for r, err := range load.ReadLines[artifacts.Record](dir, artifacts.FileRecords) {
		if err != nil {
			return nil, err
		}
		records[r.Repo] = append(records[r.Repo], r)
	}
	shards,
		err := run.EachRepository(ctx, s, s.Repositories(), nil,
		func(ctx context.Context, ref model.RepoRef) (*freeze.ControlSet, error) {
			return repositoryControls(ctx, s, ref, dir, records, o)
		})
	if err != nil {
		return nil, err
	}
	all := &freeze.ControlSet{}
	for _, sh := range shards {
		all.Rejected = append(all.Rejected, sh.Rejected...)
		all.Declined = append(all.Declined, sh.Declined...)
		all.Hunks = append(all.Hunks, sh.Hunks...)
		all.Pulls = append(all.Pulls, sh.Pulls...)
	}
	byTask := func(a, b artifacts.ControlComment) int { return cmp.Compare(a.TaskID, b.TaskID) }
	slices.SortStableFunc(all.Rejected, byTask)
	slices.SortStableFunc(all.Declined, byTask)
	slices.SortStableFunc(all.Hunks, func(a, b artifacts.ControlHunk) int { return cmp.Compare(a.TaskID, b.TaskID) })
	slices.SortFunc(all.Pulls, func(a, b artifacts.ControlPull) int { return cmp.Compare(a.TaskID, b.TaskID) })
	return all, nil
}

// repositoryControls makes those of one repository's records.
func repositoryControls(ctx context.Context, s *run.Session, ref model.RepoRef, dir string,
	records map[string][]*artifacts.Record, o ControlOptions) (out *freeze.ControlSet, err error) {
	out = &freeze.ControlSet{}
	sh, err := run.OpenShard[*Finalist](s, ref)
	if err != nil || sh.Repo == nil || len(records[sh.Name()]) == 0 {
		return out, err
	}
	defer func() { err = errors.Join(err, sh.Repo.Release()) }()
	mirror, err := s.Mirror(ctx, o.Mirrors, sh.Facts.Ref)
	if err != nil {
		return nil, err
	}
	census, err := sh.Repo.Census()
	if err != nil {
		return nil, err
	}
	links, err := laterLinks(ctx, s.Window.Since, mirror, o)
	if err != nil {
		return nil, err
	}
	for _, r := range records[sh.Name()] {
		i := slices.IndexFunc(census.Pulls, func(p model.PullSummary) bool { return p.Number == r.PRNumber })
		if i < 0 {
			return nil, fmt.Errorf("%s is not among the raw records", r.TaskID)
		}
		it := run.NewItem(sh.Repo, census.Pulls[i])
		it.Record = artifacts.RecordOf(r.TaskID)
		if err := replay(ctx, s, it); err != nil {
			return nil, fmt.Errorf("%s: %w", r.TaskID, err)
		}
		evidence, err := load.ReadJSON[artifacts.Evidence](dir, artifacts.FileEvidence(r.TaskID))
		if err != nil {
			return nil, err
		}
		controlComments(out, evidence, it.Candidate)
		look := laterLook{mirror: mirror, item: it, options: o, links: links[r.PRNumber]}
		hunks, err := look.hunks(ctx, r.TaskID)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.TaskID, err)
		}
		out.Hunks = append(out.Hunks, hunks...)
		out.Pulls = append(out.Pulls, artifacts.NewControlPull(r.TaskID, hunks, scoring.Approvers(it.Candidate)))
	}
	return out, nil
}

// replay runs the stages that a record passed before, up to the state of the code.
func replay(ctx context.Context, s *run.Session, it *run.Item) error {
	for _, stage := range PullStages(s) {
		v, err := stage.Run(ctx, it)
		if err != nil {
			return fmt.Errorf("%s: %w", stage.Name(), err)
		}
		if v.Outcome != verdict.OutcomePass {
			return fmt.Errorf("%s passed it before and now says %s", stage.Name(), v.Code)
		}
		if stage.Name() == verdict.StageCodeState {
			return nil
		}
	}
	return nil
}

// unfit are the comments that a reviewer should not write. Those with too few words are not among them: half of them
// are findings.
var unfit = []verdict.Code{verdict.OnlyPraise, verdict.StyleOnly, verdict.BareQuestion}

// controlComments adds a record's comments that should not be written, and its
// declined findings.
func controlComments(out *freeze.ControlSet, e *artifacts.Evidence, c *model.Candidate) {
	declined := map[int64]string{}
	for _, d := range scoring.DeclinedFindings(c) {
		declined[d.CommentID] = d.Because
	}
	for _, k := range e.Comments {
		line := artifacts.ControlComment{TaskID: e.TaskID, DatabaseID: k.DatabaseID, URL: k.URL, Path: k.Path, Line: k.Line,
			Body: k.Body}
		switch {
		case unwanted(&k) && artifacts.RecordOf(e.TaskID) == 1: // a further record has it again
			line.Reason = *k.Reason
			out.Rejected = append(out.Rejected, line)
		case k.CommentID != nil && declined[k.DatabaseID] != "":
			line.CommentID, line.Reason = *k.CommentID, declined[k.DatabaseID]
			out.Declined = append(out.Declined, line)
		}
	}
}

// unwanted reports whether a comment should not have been written: the rules say so,
// and its author neither acted on it nor agreed to it.
func unwanted(k *artifacts.EvidenceComment) bool {
	if k.Reason == nil || !slices.Contains(unfit, verdict.Code(*k.Reason)) {
		return false
	}
	state, valid, known := k.Since()
	return !known || !state.Addressed() && !valid.Holds() && valid != model.ValidAcknowledged
}

// laterLinks are the links from later fixes to the repository's pull requests; none without a mirror.
func laterLinks(ctx context.Context, since time.Time, m *gitsource.Mirror, o ControlOptions) (map[int][]fixes.Link,
	error) {
	if m == nil {
		return nil, nil
	}
	rule := fixes.DefaultOptions()
	history, err := m.History(ctx, run.LaterHistory(since, o.Until.AddDate(0, 0, 1), rule))
	if err != nil {
		return nil, err
	}
	return fixes.Links(history, rule), nil
}

// hunks judges a record's hunks, finally by what became of them.
func (l *laterLook) hunks(ctx context.Context, taskID string) ([]artifacts.ControlHunk, error) {
	var out []artifacts.ControlHunk
	for _, h := range scoring.ControlHunks(l.item.Candidate) {
		line := artifacts.ControlHunk{
			TaskID: taskID, Path: h.Path, Header: strings.TrimSpace(h.Hunk.Header()), Reason: h.Reason,
			By:       append([]string{}, h.By...),
			OldStart: h.Hunk.OldStart, OldLines: h.Hunk.OldLines, NewStart: h.Hunk.NewStart, NewLines: h.Hunk.NewLines,
		}
		for _, r := range h.Runs {
			line.Changed += len(r.Deleted) + len(r.Added)
		}
		if h.Reason == "" {
			if err := l.judge(ctx, h.Path, h.Runs, &line); err != nil {
				return nil, err
			}
		}
		line.Clean = line.Reason == ""
		out = append(out, line)
	}
	return out, nil
}

// laterLook looks at what became of one pull request in the default branch.
type laterLook struct {
	mirror  *gitsource.Mirror
	item    *run.Item
	options ControlOptions
	links   []fixes.Link // from later fixes to the pull request

	asked  bool
	later  *gitsource.Later
	reason model.ControlReason // why later is nil, or the evidence against the whole pull request
	commit string              // the later commit that does
}

// judge fills in what later commits show about changes.
func (l *laterLook) judge(ctx context.Context, path string, runs []unidiff.Run, line *artifacts.ControlHunk) error {
	if err := l.open(ctx); err != nil {
		return err
	}
	line.Reason, line.Against = l.reason, l.commit
	if l.later != nil {
		line.LookedAt = l.later.At
	}
	if l.later == nil || l.reason != "" {
		return nil
	}
	touched, reason, err := l.later.Look(ctx, path, runs)
	if err != nil {
		return err
	}
	line.Reason = reason
	for _, c := range touched {
		if fix, _ := scoring.BugFix(c.Subject, nil); fix {
			line.Reason, line.Against = model.ControlFixedLater, c.Oid
			break
		}
	}
	return nil
}

// open reads the default branch once.
func (l *laterLook) open(ctx context.Context) (err error) {
	if l.asked {
		return nil
	}
	l.asked, l.reason = true, model.ControlNotInMirror
	p := l.item.Candidate.Final.Pull
	if l.mirror == nil || p.MergeCommit == nil {
		return nil
	}
	l.later, l.reason, err = l.mirror.Later(ctx, p.MergeCommit.Oid, l.options.Days, l.options.Until.AddDate(0, 0, 1))
	if err != nil || l.later == nil {
		return err
	}
	rule := fixes.DefaultOptions()
	for _, k := range l.links {
		if fixes.Accept(k, p, l.item.Candidate.Final.Parsed, rule).Outcome == verdict.OutcomePass {
			l.reason, l.commit = model.ControlEscaped, k.Fix.Oid
		}
	}
	if err = l.blamed(ctx); err != nil {
		return err
	}
	commits, err := l.later.Mentioning(ctx, "revert")
	if err != nil {
		return err
	}
	own := contamination.Merged{Ref: l.item.Ref, Title: p.Title, Commits: []string{p.MergeCommit.Oid, p.HeadOid}}
	for _, c := range commits {
		other := contamination.Merged{Ref: model.PullRef{Repo: l.item.Ref.Repo}, Title: c.Subject, Body: c.Body}
		for _, r := range contamination.Reverts([]contamination.Merged{own, other}) {
			if r.Reverted == l.item.Ref {
				l.reason, l.commit = model.ControlReverted, c.Oid
			}
		}
	}
	return nil
}

// ControlsBenchmark is the negative controls of a dataset, for the registry. They have no questions.
func ControlsBenchmark() run.Benchmark {
	return run.Benchmark{
		Name: artifacts.Controls,
		Verify: func(_ context.Context, dir string, m *artifacts.Manifest) (*verify.Report, error) {
			return verify.Controls(dir, m)
		},
	}
}

// blamed looks for a commit whose message blames the pull request for a fault.
func (l *laterLook) blamed(ctx context.Context) error {
	p := l.item.Candidate.Final.Pull
	merge, number := p.MergeCommit.Oid, strconv.Itoa(p.Ref.Number)
	commits, err := l.later.Mentioning(ctx, "#"+number, "gh-"+number, "/pull/"+number, fmt.Sprintf("%.7s", merge),
		fmt.Sprintf("%.7s", p.HeadOid))
	for _, c := range commits {
		for _, n := range fixes.Namings(c.Subject, c.Body) {
			if n.Is(p.Ref, merge, p.HeadOid) {
				l.reason, l.commit = model.ControlNamedLater, c.Oid
			}
		}
	}
	return err
}
