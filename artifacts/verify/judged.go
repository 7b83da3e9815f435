package verify

import (
	"context"
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// readJudged reads people's judgements: the latest one for each comment, or how many call it ground truth.
func (c *checker) readJudged(context.Context) error {
	if _, ok := c.m.Files[artifacts.FileLabels]; !ok {
		return nil
	}
	var lines []model.Judgement
	for j, err := range load.ReadLines[model.Judgement](c.dir, artifacts.FileLabels) {
		if err != nil {
			c.Note(JudgedComment, "%s: %v", artifacts.FileLabels, err)
			return nil
		}
		lines = append(lines, *j)
	}
	if c.m.Parameters.ConfirmedBy > 0 {
		c.confirmed = model.Confirmations(lines)
	} else {
		c.judged = model.LatestJudgements(lines, model.ByPerson)
	}
	return nil
}

// facts are the codes that no judgement of a text can override.
var facts = []verdict.Code{verdict.ByBot, verdict.AIText, verdict.ByGhost, verdict.ByPullAuthor, verdict.IsReply,
	verdict.IsPending, verdict.IsMinimized}

// leaves are the codes of comments that a record does not show, whatever their label.
var leaves = []verdict.Code{verdict.CodeChanged, verdict.OtherRevision, verdict.OtherRecord, verdict.AnsweredBefore,
	verdict.NotShown}

// people checks that a person's judgement decided about a comment, or that enough raters confirm it.
func (c *checker) people(e *artifacts.EvidenceComment, at string) {
	j, judged := c.judged[e.DatabaseID]
	i := slices.IndexFunc(e.Rules, func(r model.Rule) bool { return r.ID == model.RulePeople })
	reason := verdict.Code("")
	if e.Reason != nil {
		reason = verdict.Code(*e.Reason)
	}
	if least := c.m.Parameters.ConfirmedBy; least > 0 {
		n := c.confirmed[e.DatabaseID]
		c.Check(JudgedComment, (reason == verdict.NotConfirmed) == (i >= 0 && n < least) && !(e.GroundTruth && n < least),
			"%s: %d of %d raters, %q", at, n, least, reason)
		return
	}
	if !judged || i < 0 {
		c.Check(JudgedComment, i < 0 && (!judged || slices.Contains(facts, reason)), "%s: %q", at, reason)
		return
	}
	yes := j.Label == model.LabelGroundTruth
	left := slices.Contains(leaves, reason)
	c.Check(JudgedComment, e.Rules[i].Passed == yes &&
		(yes && (e.GroundTruth || left) || !yes && string(reason) == j.Label), "%s: %s says %s", at, j.Annotator, j.Label)
}
