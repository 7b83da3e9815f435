package scoring

import (
	"fmt"
	"math"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// RepositoryScoreOptions are the numbers of the Repository Quality Score (spec section 3), and the size of its
// samples: the section rqs of a configuration.
type RepositoryScoreOptions struct {
	MinScore           float64 `yaml:"min_score" json:"min_score" check:"0..100"`        // minimum score of a repository
	ReviewedPulls      int     `yaml:"reviewed_pulls" json:"reviewed_pulls" check:"1.."` // newest merged pull requests whose review comments are read
	RecentDays         int     `yaml:"recent_days" json:"recent_days" check:"1.."`
	FullCultureShare   float64 `yaml:"full_culture_share" json:"full_culture_share" check:"0.01..1"` // of the comments being human and substantive gives MaxCulture
	FullRecentPulls    int     `yaml:"full_recent_pulls" json:"full_recent_pulls" check:"1.."`       // merged in the recent days give MaxRecency
	VolumeMonths       int     `yaml:"volume_months" json:"volume_months" check:"1.."`
	FullMonthlyPulls   float64 `yaml:"full_monthly_pulls" json:"full_monthly_pulls" check:"0.01..1e+06"` // merged a month give MaxVolume
	MinTestFiles       int     `yaml:"min_test_files" json:"min_test_files" check:"0.."`                 // give TestFilesSome
	MinTestShare       float64 `yaml:"min_test_share" json:"min_test_share" check:"0..1"`                // of the source files gives TestFilesFull
	ContaminationStars int     `yaml:"contamination_stars" json:"contamination_stars" check:"1.."`       // give nothing; without a star MaxContamination, falling with the logarithm

	MaxCulture       float64 `yaml:"-" json:"-"`
	MaxRecency       float64 `yaml:"-" json:"-"`
	TestFilesSome    float64 `yaml:"-" json:"-"`
	TestFilesFull    float64 `yaml:"-" json:"-"`
	MaxCI            float64 `yaml:"-" json:"-"`
	MaxCoverage      float64 `yaml:"-" json:"-"`
	MaxVolume        float64 `yaml:"-" json:"-"`
	MaxContamination float64 `yaml:"-" json:"-"`
	Decimals         int     `yaml:"-" json:"-"` // of points and score
}

// DefaultRepositoryScoreOptions are the numbers of spec section 3.
func DefaultRepositoryScoreOptions() RepositoryScoreOptions {
	return RepositoryScoreOptions{
		MinScore: 60, ReviewedPulls: 30, RecentDays: 90, VolumeMonths: 6,
		MaxCulture: 30, FullCultureShare: 0.5, MaxRecency: 25, FullRecentPulls: 30,
		TestFilesSome: 4, TestFilesFull: 8, MinTestFiles: 1, MinTestShare: 0.05, MaxCI: 7, MaxCoverage: 5,
		MaxVolume: 15, FullMonthlyPulls: 20, MaxContamination: 10, ContaminationStars: 100_000, Decimals: 2,
	}
}

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
	return verdict.Reject(verdict.RepositoryScoreTooLow, fmt.Sprintf("RQS is %.2f, needed are %g", r.Score, o.MinScore), evidence)
}

// measured builds a part whose points are a share of the maximum.
func measured(name string, maximum, share float64, note string, inputs ...model.ScoreInput) model.ScorePart {
	points := maximum * share
	if share >= 1 {
		note = ""
	}
	return model.ScorePart{Name: name, Max: maximum, Points: &points, Inputs: inputs, Note: note}
}

func missing(name string, maximum float64, why string) model.ScorePart {
	return model.ScorePart{Name: name, Max: maximum, Note: why}
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
		scoreInput("pulls", float64(s.Pulls)), scoreInput("review_comments", float64(s.Comments)), scoreInput("substantive", float64(s.Substantive)))
}

func recency(pulls *int, o RepositoryScoreOptions) model.ScorePart {
	const name = "pr_recency"
	if pulls == nil {
		return missing(name, o.MaxRecency, "the recently merged pull requests could not be counted")
	}
	return measured(name, o.MaxRecency, share(float64(*pulls), float64(o.FullRecentPulls)),
		fmt.Sprintf("full marks at %d pull requests merged in the days of rqs.recent_days", o.FullRecentPulls), scoreInput("merged_recently", float64(*pulls)))
}

func volume(monthly *float64, o RepositoryScoreOptions) model.ScorePart {
	const name = "pr_volume"
	if monthly == nil || math.IsNaN(*monthly) {
		return missing(name, o.MaxVolume, "the merged pull requests could not be counted by month")
	}
	return measured(name, o.MaxVolume, share(*monthly, o.FullMonthlyPulls),
		fmt.Sprintf("full marks at %g merged pull requests a month", o.FullMonthlyPulls), scoreInput("merged_a_month", *monthly))
}

func obscurity(stars *int, o RepositoryScoreOptions) model.ScorePart {
	const name = "contamination"
	if stars == nil {
		return missing(name, o.MaxContamination, "the stars are not known")
	}
	known := math.Log10(1+float64(max(0, *stars))) / math.Log10(1+float64(o.ContaminationStars))
	return measured(name, o.MaxContamination, max(0, 1-known),
		"well-known repositories are likelier to be in training data; nothing can raise this", scoreInput("stars", float64(*stars)))
}

func scoreInput(name string, value float64) model.ScoreInput {
	return model.ScoreInput{Name: name, Value: value}
}
