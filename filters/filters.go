// Package filters holds the ten filters that a pull request must pass (spec section 5). Each is a pure function of
// the candidate's facts: no context, no I/O, no error. Missing facts give an undetermined verdict.
package filters

import (
	"slices"

	"github.com/prforge/prforge/filters/authorship"
	"github.com/prforge/prforge/filters/substance"
	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// Filter is one yes-or-no question about a pull request.
type Filter interface {
	// ID is the filter's stable name, kebab-case: the name of its stage in the
	// funnel.
	ID() string
	// Check decides by the candidate's facts, which it never changes.
	Check(*model.Candidate) verdict.Verdict
}

// Options are the thresholds of the filters, and the rules by which a comment
// counts as substantive: the section filters of a configuration.
type Options struct {
	// filter 2; 1, and 2 in profile published
	MinSubstantiveComments int `yaml:"min_substantive_comments" json:"min_substantive_comments" check:"0.."`
	substance.Options      `yaml:",inline"`
	// filter 6; 0.30
	MaxAIShare float64 `yaml:"max_ai_share" json:"max_ai_share" check:"0..1"`
	// filter 3: AnyLanguage or SupportedLanguages
	Languages string `yaml:"languages" json:"languages" check:"any|supported"`
	// filter 7; 800
	MaxAddedLines int `yaml:"max_added_lines" json:"max_added_lines" check:"1.."`
	// filter 7: CountAll or CountProduction
	CountAdded string `yaml:"count_added" json:"count_added" check:"all|production"`
	// filter 7: CommentsAreDocumentation or CommentsAreCode
	CommentChanges string         `yaml:"comment_changes" json:"comment_changes" check:"documentation|code"`
	Supported      *languages.Set `yaml:"-" json:"-"` // the languages that SupportedLanguages means
	AnyVisibility  bool           `yaml:"-" json:"-"` // filter 9 lets private repositories pass (repositories_visibility)
	MinReviewValue float64        `yaml:"-" json:"-"` // filter 10, in [0,1]; 0.30 (rvs.hard_floor)
}

// DefaultOptions are the numbers of spec section 5, of the profile sound.
func DefaultOptions() Options {
	return Options{
		MinSubstantiveComments: 1, Options: substance.DefaultOptions(), MaxAIShare: 0.30,
		MaxAddedLines: 800, MinReviewValue: 0.30, CountAdded: CountProduction,
		Languages: SupportedLanguages, Supported: languages.All(), CommentChanges: CommentsAreDocumentation,
	}
}

// All lists the ten filters in the order of a run: the groups below, one after another. A run applies a group as soon
// as its facts are collected, so a new filter belongs to the first group with enough facts.
func All(registry *authorship.Registry, o Options) []Filter {
	return slices.Concat(OfPull(registry, o), OfDiff(o), OfBase(o), OfScore(o))
}

// OfPull are the filters that need only the pull request and its labels.
func OfPull(registry *authorship.Registry, o Options) []Filter {
	return []Filter{
		merged{},
		substantiveComments{min: o.MinSubstantiveComments},
		nonTestChange{languages: o.Languages, supported: o.Supported},
		notDocsOnly{},
		notDependencyUpdate{registry: registry},
		notAIDominated{max: o.MaxAIShare},
	}
}

// OfDiff are the filters that also need its diff.
func OfDiff(o Options) []Filter {
	return []Filter{diffParseable{maxAdded: o.MaxAddedLines, count: o.CountAdded, comments: o.CommentChanges}}
}

// OfBase are the filters that also need its base commit and the repository's state.
func OfBase(o Options) []Filter {
	return []Filter{baseAccessible{}, repositoryPublic{o.AnyVisibility}}
}

// OfScore are the filters that also need its review value score.
func OfScore(o Options) []Filter {
	return []Filter{reviewValue{min: o.MinReviewValue}}
}
