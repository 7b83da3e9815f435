package escaped

import (
	"context"
	"slices"
	"time"

	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/scoring"
	"github.com/prforge/prforge/scoring/escaped"
	"github.com/prforge/prforge/scoring/fixes"
	"github.com/prforge/prforge/stages/run"
)

// What a record's fault is like, and which revision it shows.
const (
	kindLines    = "lines"
	kindOmission = "omission"

	revisionReviewed = "reviewed"
	revisionFinal    = "final"
)

// own is what this benchmark's stages learn of a pull request.
type own struct {
	links    []fixes.Link
	link     fixes.Link // that holds
	grade    string     // of the link
	why      string     // it is not A
	findable string
	revision string
	lines    []model.FaultLine
	contexts []model.BugContext
	license  model.License // read for a snapshot
}

func ownOf(it *run.Item) *own { return it.Own.(*own) }

// linkStage finds the later commits that lead back to a pull request.
type linkStage struct{ rule *rule }

func (linkStage) Name() string { return verdict.StageLink }

func (st linkStage) Run(_ context.Context, it *run.Item) (verdict.Verdict, error) {
	links := st.rule.links[it.Ref.Number]
	if it.Summary.MergedAt == nil || len(links) == 0 {
		return verdict.Reject(verdict.NoLaterFix, "no later commit leads back to it"), nil
	}
	it.Own = &own{links: links}
	return verdict.Pass(), nil
}

// filterStage takes the first link of grade A that holds, or else the first that holds; where none does, the first says
// why.
type filterStage struct{ rule *rule }

func (filterStage) Name() string { return verdict.StageFilter }

func (st filterStage) Run(_ context.Context, it *run.Item) (verdict.Verdict, error) {
	o, final := ownOf(it), it.Candidate.Final
	var best *verdict.Verdict
	for _, l := range o.links {
		v := fixes.Accept(l, final.Pull, final.Parsed, st.rule.options)
		if v.Outcome != verdict.OutcomePass {
			if best == nil {
				best = &v
			}
			continue
		}
		grade, why := fixes.GradeOf(l, final.Pull, st.rule.options)
		if o.grade == "" || o.grade != "A" && grade == "A" {
			o.link, o.grade, o.why, best = l, grade, why, &v
		}
	}
	return *best, nil
}

// gradeStage lets links of grade A pass, and those of B that two independent answers
// confirm where the configuration releases them.
type gradeStage struct{ rule *rule }

func (gradeStage) Name() string { return verdict.StageGrade }

func (st gradeStage) Run(_ context.Context, it *run.Item) (verdict.Verdict, error) {
	o := ownOf(it)
	answers := escaped.AnswersTo(st.rule.answers, it.Ref.Repo.String(), it.Ref.Number, o.link)
	o.findable = escaped.Findable(answers)
	var said []verdict.Evidence
	for _, a := range answers {
		said = append(said, verdict.Evidence{What: "answer of " + a.By, Found: a.String()})
	}
	if o.grade != "A" && !(st.rule.releaseB && escaped.Confirmed(answers)) {
		return verdict.Reject(verdict.GradeB, o.why+"; two independent answers, and escaped.release_b, are missing",
			append(said, verdict.Evidence{What: "fix", Found: o.link.Fix.Oid})...), nil
	}
	return verdict.Pass(said...), nil
}

// revisionStage shows the revision that the last approval saw, or without one the
// last review, where the faulty lines are there; else what was merged.
type revisionStage struct{ rule *rule }

func (revisionStage) Name() string { return verdict.StageRevision }

// Prepare fetches the revisions that were reviewed last where these are not the
// final head.
func (st revisionStage) Prepare(ctx context.Context, items []*run.Item) error {
	repo := items[0].Repo
	var earlier []*run.Item
	var pulls []*model.PullRequest
	for _, it := range items {
		p := it.Candidate.Final.Pull
		if oid, _ := lastReviewed(p); oid != "" && oid != p.HeadOid {
			earlier, pulls = append(earlier, it), append(pulls, p)
		}
	}
	if err := repo.FetchCandidates(ctx, pulls, maxRevisions); err != nil {
		return err
	}
	var shown []collectors.Shown
	for _, it := range earlier {
		if c := candidate(it); c != nil {
			shown = append(shown, collectors.Shown{Number: it.Ref.Number, RevisionCandidate: *c})
		}
	}
	return repo.FetchReviewed(ctx, shown)
}

// maxRevisions is how many commits of a branch are looked at.
const maxRevisions = 50

// candidate is the revision that was reviewed last; nil if it is unknown or unreachable. Run reports any error.
func candidate(it *run.Item) *model.RevisionCandidate {
	set, err := it.Repo.Candidates(it.Ref.Number)
	if err != nil || set == nil {
		return nil
	}
	oid, _ := lastReviewed(it.Candidate.Final.Pull)
	i := slices.IndexFunc(set.Candidates, func(c model.RevisionCandidate) bool {
		return c.Oid == oid && c.Source != "" &&
			c.Problem == ""
	})
	if i < 0 {
		return nil
	}
	return &set.Candidates[i]
}

// lastReviewed is the commit and the time of the last approval before the merge by somebody other than the author, or
// of the last review without an approval; "" without a review.
func lastReviewed(p *model.PullRequest) (oid string, at time.Time) {
	approved := false
	for _, r := range p.Reviews {
		approves := r.State == model.Approved || p.Dismissed[r.NodeID] == model.Approved
		switch {
		case r.SubmittedAt == nil || r.CommitOid == "" || r.Author.Login == p.Author.Login || p.MergedAt == nil ||
			r.SubmittedAt.After(*p.MergedAt):
		case approves || !approved:
			oid, at, approved = r.CommitOid, *r.SubmittedAt, approved || approves
		}
	}
	return oid, at
}

func (st revisionStage) Run(_ context.Context, it *run.Item) (verdict.Verdict, error) {
	c, o := it.Candidate, ownOf(it)
	p := c.Final.Pull
	oid, at := lastReviewed(p)
	o.revision = revisionFinal
	if oid == "" {
		at = *p.MergedAt
	}
	shown := &model.RevisionCandidate{Oid: p.HeadOid}
	var why []verdict.Evidence
	if oid == p.HeadOid {
		o.revision = revisionReviewed
	} else if earlier := candidate(it); earlier != nil {
		diff, _, _, err := it.Repo.Reviewed(it.Ref.Number, oid)
		if err != nil {
			return verdict.Verdict{}, err
		}
		if diff != nil && stands(diff.Text, o.link) {
			c.SetDiff(diff)
			c.Reviewed = &model.Reviewed{Candidate: *earlier}
			o.revision, shown = revisionReviewed, earlier
			why = append(why, verdict.Evidence{What: run.ReviewedRevision, Found: oid})
		}
	}
	pull, known := scoring.AsReviewed(p, *shown, c.Parsed, at)
	if !known {
		pull.Body = "" // today's may speak of what came later
	}
	c.Pull = pull
	return verdict.Pass(append(why, verdict.Evidence{What: "shown", Found: o.revision})...), nil
}

// stands reports whether a diff has the faulty lines of a link.
func stands(text string, l fixes.Link) bool {
	d, err := unidiff.Parse(text)
	return err == nil && placed(d, l) != nil
}

// placed are a link's faulty lines in a diff; nil where fewer than half of them
// are there.
func placed(d *unidiff.Diff, l fixes.Link) []model.FaultLine {
	lines := fixes.Place(d, l.Lines)
	if 2*len(lines) < len(l.Lines) {
		return nil
	}
	return lines
}

// placeStage finds the faulty lines in the shown diff.
type placeStage struct{}

func (placeStage) Name() string { return verdict.StagePlace }

func (placeStage) Run(_ context.Context, it *run.Item) (verdict.Verdict, error) {
	o := ownOf(it)
	if o.lines = placed(it.Candidate.Parsed, o.link); len(o.lines) == 0 {
		return verdict.Reject(verdict.FaultNotPlaced, "the diff adds too few of the lines that the fix changes",
			verdict.Evidence{What: "fix", Found: o.link.Fix.Oid}), nil
	}
	return verdict.Pass(), nil
}

var _ pipeline.Stage[*run.Item] = placeStage{}

// rule is the rule over the history of one repository.
type rule struct {
	options  fixes.Options
	links    map[int][]fixes.Link
	answers  []escaped.Answer // of people and models, about links of any repository
	releaseB bool
}
