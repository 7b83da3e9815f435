package scoring

import (
	"fmt"
	"math"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// RepositoryFacts are the inputs of the score. Nil means "could not be measured", which is never the same as none.
type RepositoryFacts struct {
	Comments     *CommentSample
	RecentPulls  *int     // merged in the recent days (90) before the freeze date
	MonthlyPulls *float64 // merged a month, the mean of the months (six) before it
	Tree         *TreeFacts
	Stars        *int
}

// CommentSample counts the review comments of the newest merged pull requests.
type CommentSample struct {
	Pulls       int // pull requests sampled
	Comments    int // all their review comments
	Substantive int // those that are human and substantive
}

// ScoreRepository computes the Repository Quality Score of spec section 3.
func ScoreRepository(facts RepositoryFacts, o RepositoryScoreOptions) model.RepositoryScore {
	var r model.RepositoryScore
	parts := []model.ScorePart{culture(facts.Comments, o), recency(facts.RecentPulls, o)}
	parts = append(parts, testQuality(facts.Tree, o)...)
	parts = append(parts, volume(facts.MonthlyPulls, o), obscurity(facts.Stars, o))
	for _, p := range parts {
		if p.Points == nil {
			r.Missing = append(r.Missing, p.Name)
			r.Best += p.Max
		} else {
			points := round(*p.Points, o.Decimals)
			p.Points = &points
			r.Score += points
			r.Best += points
		}
		r.Parts = append(r.Parts, p)
	}
	r.Score, r.Best = round(r.Score, o.Decimals), round(r.Best, o.Decimals)
	return r
}

// Gate decides about a repository by its score: it passes if the measured parts are enough, is rejected if full marks
// for the missing ones would not be, and is undetermined in between.
func Gate(r model.RepositoryScore, o RepositoryScoreOptions) verdict.Verdict {
	evidence := verdict.Evidence{What: "RQS", Found: fmt.Sprintf("%.2f", r.Score), Limit: fmt.Sprintf("%g", o.MinScore)}
	switch {
	case r.Score >= o.MinScore:
		return verdict.Pass(evidence)
	case r.Best >= o.MinScore:
		return verdict.Undetermined(verdict.RepositoryScoreMissing,
			fmt.Sprintf("RQS is %.2f without %v; with them it could reach %.2f", r.Score, r.Missing, r.Best), evidence)
	}
	return verdict.Reject(verdict.RepositoryScoreTooLow, fmt.Sprintf("RQS is %.2f, needed are %g", r.Score, o.MinScore),
		evidence)
}

func culture(s *CommentSample, o RepositoryScoreOptions) model.ScorePart {
	const name = "review_culture"
	if s == nil {
		return missing(name, o.MaxCulture, "the newest pull requests' review comments could not be read")
	}
	part := 0.0 // no comments at all is a known result: no culture
	if s.Comments > 0 {
		part = float64(s.Substantive) / float64(s.Comments)
	}
	return measured(name, o.MaxCulture, share(part, o.FullCultureShare),
		fmt.Sprintf("full marks when %g%% of the review comments are substantive and by people", 100*o.FullCultureShare),
		scoreInput("pulls", float64(s.Pulls)), scoreInput("review_comments", float64(s.Comments)),
		scoreInput("substantive", float64(s.Substantive)))
}

func recency(pulls *int, o RepositoryScoreOptions) model.ScorePart {
	const name = "pr_recency"
	if pulls == nil {
		return missing(name, o.MaxRecency, "the recently merged pull requests could not be counted")
	}
	return measured(name, o.MaxRecency, share(float64(*pulls), float64(o.FullRecentPulls)),
		fmt.Sprintf("full marks at %d pull requests merged in the days of rqs.recent_days", o.FullRecentPulls),
		scoreInput("merged_recently", float64(*pulls)))
}

func volume(monthly *float64, o RepositoryScoreOptions) model.ScorePart {
	const name = "pr_volume"
	if monthly == nil || math.IsNaN(*monthly) {
		return missing(name, o.MaxVolume, "the merged pull requests could not be counted by month")
	}
	return measured(name, o.MaxVolume, share(*monthly, o.FullMonthlyPulls),
		fmt.Sprintf("full marks at %g merged pull requests a month", o.FullMonthlyPulls),
		scoreInput("merged_a_month", *monthly))
}

func obscurity(stars *int, o RepositoryScoreOptions) model.ScorePart {
	const name = "contamination"
	if stars == nil {
		return missing(name, o.MaxContamination, "the stars are not known")
	}
	known := math.Log10(1+float64(max(0, *stars))) / math.Log10(1+float64(o.ContaminationStars))
	return measured(name, o.MaxContamination, max(0, 1-known),
		"well-known repositories are likelier to be in training data; nothing can raise this",
		scoreInput("stars", float64(*stars)))
}
