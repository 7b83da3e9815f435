package config

import (
	"github.com/goccy/go-yaml"

	"github.com/prforge/prforge/filters"
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
