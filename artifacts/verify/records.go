package verify

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/schema"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/verdict"
)

func (c *checker) records(ctx context.Context) error {
	err := c.eachRecord(ctx, (*checker).task, func(r *artifacts.Record) {
		c.note(r)
		c.released[artifacts.NameOf(r)] = true
		c.repos[r.Repo]++
		c.Check(RepositoryCap, c.repos[r.Repo] <= c.m.Parameters.MaxPerRepository, "%s: more than %d", r.Repo,
			c.m.Parameters.MaxPerRepository)
	})
	c.together()
	c.Check(ManifestCount, c.m.Records == c.count, "%d in the manifest, %d in %s", c.m.Records, c.count,
		artifacts.FileRecords)
	return err
}

// note counts a record.
func (c *checker) note(r *artifacts.Record) {
	c.count++
	_, twice := c.tasks[r.TaskID]
	c.Check(TaskTwice, !twice, "%s", r.TaskID)
	c.tasks[r.TaskID] = r.Difficulty
}

// readTask reads a record's annotation and contexts.
func (c *checker) readTask(r *artifacts.Record) (*task, error) {
	t := &task{id: r.TaskID, record: r}
	var err error
	if t.note, err = one[artifacts.Annotation](c, artifacts.FileAnnotation(t.id), schema.Annotation); err != nil {
		return nil, err
	}
	for _, config := range artifacts.Configs {
		x, err := one[artifacts.Context](c, artifacts.FileContext(config, t.id), schema.Context)
		if err != nil {
			return nil, err
		}
		t.contexts = append(t.contexts, x)
	}
	return t, nil
}

// task checks a record and the other files of its task.
func (c *checker) task(r *artifacts.Record) error {
	t, err := c.readTask(r)
	if err != nil {
		return err
	}
	if t.evidence, err = one[artifacts.Evidence](c, artifacts.FileEvidence(t.id), schema.Evidence); err != nil {
		return err
	}
	c.names(t)
	c.patch(t)
	c.scores(t)
	c.truth(t)
	c.humans(t)
	c.difficulty(t)
	c.context(t)
	c.revision(t)
	return nil
}

// names checks ids, names and links against each other.
func (c *checker) names(t *task) {
	r := t.record
	ref, err := model.ParsePullRef(fmt.Sprintf("%s#%d", r.Repo, r.PRNumber))
	c.Check(NamesDiffer, err == nil && r.RepoName == ref.Repo.Name, "%s: repo_name is %s for %s", t.id, r.RepoName, r.Repo)
	short, long := fmt.Sprintf("%s__%d", ref.Repo.Name, ref.Number),
		fmt.Sprintf("%s__%s__%d", ref.Repo.Owner, ref.Repo.Name, ref.Number)
	first := artifacts.FirstOf(t.id)
	c.Check(NamesDiffer, first == short || first == long, "%s: the task id of %s", t.id, ref)
	web := "https://github.com/" + r.Repo
	c.Check(NamesDiffer, r.RepoURL == web && r.RepoCloneURL == web+".git" &&
		r.PRURL == fmt.Sprintf("%s/pull/%d", web, r.PRNumber), "%s: links", t.id)
	if a := t.note; a != nil {
		c.Check(NamesDiffer, a.TaskID == t.id && a.Repo == r.Repo && a.PRNumber == r.PRNumber, "%s: annotation", t.id)
	}
	if e := t.evidence; e != nil {
		c.Check(NamesDiffer, e.TaskID == t.id && e.Repo == r.Repo && e.PRNumber == r.PRNumber && e.URL == r.PRURL,
			"%s: evidence", t.id)
	}
	for i, x := range t.contexts {
		if x != nil {
			c.Check(NamesDiffer, x.TaskID == t.id && x.Repo == r.Repo && x.PRNumber == r.PRNumber &&
				x.ConfigName == artifacts.Configs[i] &&
				(c.m.PipelineVersion == "" || x.PipelineVersion == c.m.PipelineVersion), "%s: %s", t.id, artifacts.Configs[i])
		}
	}
}

// patch checks the record's counts against its diff.
func (c *checker) patch(t *task) {
	r := t.record
	d, err := parse(r.DiffPatch)
	if !c.Check(DiffUnparseable, err == nil && len(d.files) > 0, "%s: %v", t.id, err) {
		return
	}
	t.diff = d
	c.Check(ChangedFiles,
		slices.Equal(slices.Sorted(slices.Values(d.files)), slices.Sorted(slices.Values(r.ChangedFiles))) &&
			r.FilesChanged == len(d.files),
		"%s: %d files in the diff, %d listed, files_changed is %d", t.id, len(d.files), len(r.ChangedFiles), r.FilesChanged)
	others := func(is func(string) bool) bool {
		return slices.ContainsFunc(d.files, func(path string) bool { return !is(path) })
	}
	c.Check(FilterNotMet, others(pathkind.IsTest), "%s: only tests", t.id)
	c.Check(FilterNotMet, others(pathkind.IsDocumentation), "%s: only documentation", t.id)
	c.Check(LineCounts, r.LinesAdded == d.lines[0] && r.LinesRemoved == d.lines[1], "%s: +%d -%d for +%d -%d", t.id,
		r.LinesAdded, r.LinesRemoved, d.lines[0], d.lines[1])
	added := d.lines[0]
	if c.m.Parameters.CountAdded == "production" {
		added = 0
		for _, path := range d.files {
			if pathkind.IsProduct(path) {
				added += len(d.added[path])
			}
		}
	}
	c.Check(TooManyLines, added <= c.m.Parameters.MaxAddedLines, "%s: %d", t.id, added)
}

// sumTolerance is how far rvs_score may differ from the weighted sum of its parts: the parts are rounded first, then
// their sum.
const sumTolerance = 0.0005 + 1e-9

// sum checks rvs_score against the weighted sum of its parts and the floor.
func (c *checker) sum(t *task, tolerance float64) {
	r, w := t.record, c.m.Parameters.RVSWeights
	b := r.RVSBreakdown
	sum := float64(w.ReviewDepth*b.ReviewDepth + w.CodeComplexity*b.CodeComplexity +
		w.DiscussionSignal*b.DiscussionSignal +
		w.TestChangeSignal*b.TestChangeSignal + w.BugFixSignal*b.BugFixSignal)
	c.Check(ScoreSum, math.Abs(sum-float64(r.RVSScore)) <= tolerance, "%s: %v for %.4f", t.id, r.RVSScore, sum)
	c.Check(BelowFloor, float64(r.RVSScore) >= float64(c.m.Parameters.RVSFloor)-1e-9, "%s: %v", t.id, r.RVSScore)
}

// scores checks the scores of the record against their evidence.
func (c *checker) scores(t *task) {
	c.sum(t, sumTolerance)
	r, b, e := t.record, t.record.RVSBreakdown, t.evidence
	if e == nil {
		return
	}
	c.Check(ScoreRounding, b == rounded(e.Scores.Parts) && r.RVSScore == artifacts.Round3(float64(e.Scores.RVS)), "%s",
		t.id)
	c.Check(EvidenceDiffers, e.MergedAt != nil && *e.MergedAt == r.MergedAt && e.PRType.Value == r.PRType &&
		e.Language == r.Language,
		"%s: merge time, type or language", t.id)
	in := e.Scores.Inputs
	c.Check(ScoreCounts, in.Substantive == r.NumSubstantiveComments && in.Files == r.FilesChanged &&
		in.ChangedLines == r.LinesAdded+r.LinesRemoved &&
		in.Reviewers == r.NumUniqueReviewers, "%s: %d comments, %d files, %d lines, %d reviewers", t.id, in.Substantive,
		in.Files, in.ChangedLines, in.Reviewers)
	if c.o.Score != nil {
		s := c.o.Score(in)
		again := artifacts.RVSBreakdown{ReviewDepth: artifacts.Float(s.Depth), CodeComplexity: artifacts.Float(s.Complexity),
			DiscussionSignal: artifacts.Float(s.Discussion), TestChangeSignal: artifacts.Float(s.Test),
			BugFixSignal: artifacts.Float(s.Bug)}
		c.Check(ScoreInputs, near(again, e.Scores.Parts) && math.Abs(s.Score-float64(e.Scores.RVS)) < 1e-8, "%s", t.id)
	}
	if c.o.SecondScore != nil {
		again := c.o.SecondScore(e)
		c.Check(ScoreInputs, e.Scores.V2 != nil && *e.Scores.V2 == *again, "%s: the second review value", t.id)
	}
	for _, v := range e.Verdicts {
		c.Check(NotPassed, v.Outcome == verdict.OutcomePass, "%s: %s: %s", t.id, v.Filter, v.Code)
	}
}

func rounded(b artifacts.RVSBreakdown) artifacts.RVSBreakdown {
	for _, f := range []*artifacts.Float{&b.ReviewDepth, &b.CodeComplexity, &b.DiscussionSignal, &b.TestChangeSignal,
		&b.BugFixSignal} {
		*f = artifacts.Round3(float64(*f))
	}
	return b
}

func near(a, b artifacts.RVSBreakdown) bool {
	close := func(x, y artifacts.Float) bool { return math.Abs(float64(x-y)) < 1e-8 }
	return close(a.ReviewDepth, b.ReviewDepth) && close(a.CodeComplexity, b.CodeComplexity) &&
		close(a.DiscussionSignal, b.DiscussionSignal) &&
		close(a.TestChangeSignal, b.TestChangeSignal) && close(a.BugFixSignal, b.BugFixSignal)
}
