package config

import (
	"github.com/goccy/go-yaml"

	"github.com/prforge/prforge/filters"
)

// The profiles (spec, page 1): sets of defaults. Every key can be set by itself.
const (
	// published follows the paper's rules where it gives a rule, so that results
	// can be compared.
	published = "published"
	// sound is the strict profile: the change as the reviewer saw it, one diff for all configurations, ground truth
	// that can be found.
	sound = "sound"
)

// Revisions that records can show, as the key "revision" has them.
const (
	RevisionFinal    = "final"    // what was merged
	RevisionReviewed = "reviewed" // the revision at which most substantive comments stand
)

// How many records a pull request may have, as the key "revisions" has it.
const (
	revisionsOne = "one" // one
	RevisionsAll = "all" // one for each revision at which enough further comments stand
)

// setPublished changes the defaults of the profile Sound into those of
// Published.
func (c *Config) setPublished() {
	c.Profile = published
	c.Revision = RevisionFinal
	c.Filters.MinSubstantiveComments = 2
	c.Filters.Languages, c.Filters.CountAdded = filters.AnyLanguage, filters.CountAll
	c.Filters.CommentChanges = filters.CommentsAreCode
	c.Filters.SuggestionCounts, c.Filters.Refinements = false, []string{}
	c.Contexts.Diff, c.Contexts.SameDiff = DiffBudget, false
}

// readProfile changes the defaults into those of the profile that a YAML text
// names, and of the visibility, with which names become pseudonyms; what is unknown is
// left to check.
func (c *Config) readProfile(data []byte) {
	var named struct {
		Profile    string `yaml:"profile"`
		Visibility string `yaml:"repositories_visibility"`
	}
	if err := yaml.Unmarshal(data, &named); err != nil {
		return
	}
	if named.Profile == published {
		c.setPublished()
	}
	c.Privacy.Pseudonyms = named.Visibility == AnyVisibility
}
