package scoring

import (
	"math"

	"github.com/prforge/prforge/internal/model"
)

// round rounds to a number of decimals, halves away from zero. Scores are rounded before they are compared or
// released, so that recomputing them from the released parts gives the same.
func round(x float64, decimals int) float64 {
	unit := math.Pow10(decimals)
	return math.Round(x*unit) / unit
}

// share is the reached share of a full amount, at most 1. A full amount of zero is always reached.
func share(have, full float64) float64 {
	if full <= 0 || have >= full {
		return 1
	}
	return max(0, have/full)
}

// RepositoryScoreOptions are the numbers of the Repository Quality Score (spec section 3), and the size of its
// samples: the section rqs of a configuration.
type RepositoryScoreOptions struct {
	MinScore float64 `yaml:"min_score" json:"min_score" check:"0..100"` // minimum score of a repository
	// newest merged pull requests whose review comments are read
	ReviewedPulls int `yaml:"reviewed_pulls" json:"reviewed_pulls" check:"1.."`
	RecentDays    int `yaml:"recent_days" json:"recent_days" check:"1.."`
	// of the comments being human and substantive gives MaxCulture
	FullCultureShare float64 `yaml:"full_culture_share" json:"full_culture_share" check:"0.01..1"`
	// merged in the recent days give MaxRecency
	FullRecentPulls int `yaml:"full_recent_pulls" json:"full_recent_pulls" check:"1.."`
	VolumeMonths    int `yaml:"volume_months" json:"volume_months" check:"1.."`
	// merged a month give MaxVolume
	FullMonthlyPulls float64 `yaml:"full_monthly_pulls" json:"full_monthly_pulls" check:"0.01..1e+06"`
	MinTestFiles     int     `yaml:"min_test_files" json:"min_test_files" check:"0.."` // give TestFilesSome
	// of the source files gives TestFilesFull
	MinTestShare float64 `yaml:"min_test_share" json:"min_test_share" check:"0..1"`
	// give nothing; without a star MaxContamination, falling with the logarithm
	ContaminationStars int `yaml:"contamination_stars" json:"contamination_stars" check:"1.."`

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

func scoreInput(name string, value float64) model.ScoreInput {
	return model.ScoreInput{Name: name, Value: value}
}
