// Package escaped is the benchmark of escaped defects: merged pull requests with a fault that their reviewers missed
// and a later commit reveals.
package escaped

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/prforge/prforge/artifacts"
	files "github.com/prforge/prforge/artifacts/escaped"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/filters"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/scoring/fixes"
	"github.com/prforge/prforge/stages/run"
	"github.com/prforge/prforge/stages/snapshots"
)

// steps is THE order of everything that happens to a repository and to a pull
// request of this benchmark.
func steps() []string {
	return slices.Concat(
		[]string{verdict.StageCollectRepository, verdict.StageHistory}, // repositories
		[]string{verdict.StageWindow},                                  // pull requests come in
		pipeline.Names(pullStages(nil, &rule{})),                       // each pull request: Shard.RunPulls
	)
}

// pullStages is the order of everything that happens to one pull request.
func pullStages(s *run.Session, r *rule) []pipeline.Stage[*run.Item] {
	var o filters.Options
	if s != nil {
		o = s.Filters
	}
	return slices.Concat(
		[]pipeline.Stage[*run.Item]{
			linkStage{r},       // later commits that lead back to it
			run.CollectStage{}, // metadata and reviews over GraphQL
			run.DiffStage{},    // what was merged
		},
		run.FilterStages(filters.OfDiff(o)),
		[]pipeline.Stage[*run.Item]{
			filterStage{r},   // one of the links holds
			gradeStage{r},    // A or B
			revisionStage{r}, // the revision that was approved, where the faulty lines are there
			placeStage{},     // the faulty lines in the shown diff
			run.BaseStage{},  // sources at the fork point
		},
		run.FilterStages(filters.OfBase(o)),
		[]pipeline.Stage[*run.Item]{contextStage{s}},
	)
}

// build makes the benchmark and freezes it in Env.Out. Report and errors are those of run.Build.
func build(ctx context.Context, s *run.Session) (*run.Report, error) {
	var all []*shard
	return run.Build(ctx, s, run.Recipe[*record]{
		Benchmark: artifacts.Escaped, Steps: steps(), Stages: stagesOf[*record](s, ""), Finalists: newRecord,
		Select: func(_ context.Context, shards []*shard) error { all = shards; return nil },
		Fill: func(ctx context.Context, d *freeze.Dataset, _ *run.Report) (err error) {
			set, records := collect(all)
			d.Manifest.Records = len(records)
			set.Manifest, set.Card = d.Manifest, d.Card
			if d.Snapshots, err = collectSnapshots(ctx, s, all, records); err != nil {
				return err
			}
			if d.Snapshots != nil {
				set.Snapshots = &d.Snapshots.SnapshotSummary
			}
			list, err := set.Files()
			d.Files = freeze.Seq(list...)
			return err
		},
	})
}

// collectSnapshots makes the records' snapshots, if the configuration asks for them.
func collectSnapshots(ctx context.Context, s *run.Session, shards []*shard, records []*record) (*freeze.Snapshots,
	error) {
	if !s.Config.Snapshots {
		return nil, nil
	}
	return snapshots.Build(ctx, s, wanted(records), shards)
}

// wanted is what the records want of snapshots.
func wanted(records []*record) (list snapshots.List) {
	for _, r := range records {
		a := r.Answer
		list.Want(snapshots.Wanted{TaskID: a.QuestionID, Repo: r.Ref.Repo, Head: a.Head, Base: a.Base, Upstream: r.upstream},
			r.license)
	}
	return list
}

// Wanted is what the records of a dataset want of snapshots beside it, by its raw records. It needs no network.
func Wanted(ctx context.Context, host pipeline.Host, dir string) (snapshots.List, error) {
	shards, err := reopen(ctx, host, dir, "", newRecord)
	if err != nil {
		return snapshots.List{}, err
	}
	_, records := collect(shards)
	return wanted(records), nil
}

// reopen takes the repositories of a dataset through everything again, or through what comes before a stage of their
// pull requests, from the raw records.
func reopen[F any](ctx context.Context, host pipeline.Host, dir, before string,
	final func(run.Passed) []F) (shards []*run.Shard[F], err error) {
	err = run.Reopen(ctx, run.Env{Host: host, Shards: host.Workers}, dir, func(s *run.Session) (err error) {
		s.Config.Snapshots = true // licenses are read for them alone
		shards, err = run.Repositories(ctx, s, stagesOf[F](s, before), final)
		return err
	})
	return shards, err
}

// collect puts the records together, by question id.
func collect(shards []*shard) (files.Set, []*record) {
	var repos []model.RepoRef
	var records []*record
	for _, sh := range shards {
		for _, r := range sh.Finalists {
			repos, records = append(repos, r.Ref.Repo), append(records, r)
		}
	}
	ids := artifacts.NewTaskIDs(repos)
	for _, r := range records {
		id := ids.Of(r.Ref)
		r.Question.QuestionID, r.Answer.QuestionID = id, id
	}
	slices.SortFunc(records, func(a, b *record) int {
		return strings.Compare(a.Answer.QuestionID, b.Answer.QuestionID)
	})
	var set files.Set
	for _, r := range records {
		set.Questions, set.Answers = append(set.Questions, r.Question), append(set.Answers, r.Answer)
	}
	return set, records
}

// stagesOf returns the list for a repository, up to a stage of its pull requests, "" for all. A repository without
// later history has none.
func stagesOf[F any](s *run.Session, before string) run.StagesFunc[F] {
	return func(ctx context.Context, sh *run.Shard[F]) ([]pipeline.Stage[*run.Item], error) {
		o := s.Config.Escaped.Filled().Options
		h, err := history(ctx, s, sh, o)
		if err != nil {
			return nil, err
		}
		if h == nil {
			sh.Decide(verdict.StageHistory,
				verdict.Undetermined(verdict.MirrorMissing, "there is no full clone of "+sh.Facts.Ref.String()))
			return nil, nil
		}
		sh.Decide(verdict.StageHistory, verdict.Pass(verdict.Evidence{What: "last commit", Found: h.Tip}))
		list := pullStages(s, &rule{options: o, links: fixes.Links(h, o), answers: s.Config.Escaped.Answers,
			releaseB: s.Config.Escaped.ReleaseB})
		if i := slices.Index(pipeline.Names(list), before); i >= 0 {
			list = list[:i]
		}
		return list, nil
	}
}

// historyVersion grows when a history of the same question has other facts.
const historyVersion = 3

// history reads the later history of a repository, from the state or a mirror.
func history[F any](ctx context.Context, s *run.Session, sh *run.Shard[F], o fixes.Options) (*model.LaterHistory,
	error) {
	q := run.LaterHistory(s.Window.Since, s.Config.Escaped.Until.AddDate(0, 0, 1), o)
	text,
		err := json.Marshal([]any{historyVersion, q.Since.Format(time.DateOnly), q.Until.Format(time.DateOnly), o.MaxDeleted,
		o.MaxAdded, o.MaxFiles, o.NearLines})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	sh.Used.History = hex.EncodeToString(sum[:8])
	var m *gitsource.Mirror
	if s.Mirrors != "" {
		if m, err = s.Mirror(ctx, s.Mirrors, sh.Facts.Ref); err != nil {
			return nil, err
		}
	}
	h, err := sh.Repo.LaterHistory(ctx, sh.Used.History, m, q)
	if err != nil || h == nil {
		return nil, err
	}
	texts, err := sh.Repo.CommitPulls(ctx, sh.Used.History, h, fixes.Asked(h))
	if err != nil {
		return nil, err
	}
	fixes.AddTexts(h, texts)
	return h, nil
}
