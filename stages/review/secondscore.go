package review

import (
	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/scoring"
)

// secondScore counts from a record's finished evidence what the second review
// value is made from, and computes it.
func secondScore(e *artifacts.Evidence) *artifacts.SecondScore {
	v := model.RVS2{Standing: e.Revision.Standing}
	reviewers := map[string]bool{}
	for _, c := range e.Comments {
		if !c.GroundTruth {
			continue
		}
		reviewers[c.Author] = true
		if _, valid, known := c.Since(); known && valid.Holds() {
			v.Validated++
		}
	}
	v.Reviewers = len(reviewers)
	if e.Coverage != nil {
		v.Coverage = float64(*e.Coverage)
	}
	v = scoring.SecondRVS(v, scoring.DefaultRVS2Options())
	return &artifacts.SecondScore{
		Validated: v.Validated, Standing: v.Standing, Reviewers: v.Reviewers, Coverage: artifacts.Float(v.Coverage), RVS: artifacts.Float(v.Score),
	}
}
