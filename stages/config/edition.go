package config

import (
	"fmt"
	"strings"

	"github.com/prforge/prforge/internal/model"
)

// Follow turns the configuration into that of the next edition after one with that manifest digest: its window begins
// at the end of the other's, so that no pull request occurs twice. It is an error if the two could share a task id.
func (c *Config) Follow(before *Config, manifestSHA256 string) error {
	if !c.Window.From.IsZero() {
		return &Error{File: c.File, Key: "window.from", Message: "is set, and --after says where the window begins"}
	}
	c.Window.From, c.Dataset.After = Date{before.Until()}, manifestSHA256
	if f := c.checkWindow(); f != nil {
		return &Error{File: c.File, Key: "dataset.freeze_date",
			Message: fmt.Sprintf("is %s: the edition before ends with %s, and nothing between the two is %d days old",
				c.Dataset.FreezeDate, c.Window.From, c.Window.MinAgeDays)}
	}
	kept := map[string]bool{}
	for _, ref := range c.Refs() {
		kept[strings.ToLower(ref.String())] = true
	}
	for _, was := range before.Refs() {
		for _, is := range c.Refs() {
			if !kept[strings.ToLower(was.String())] && strings.EqualFold(was.Name, is.Name) {
				return c.clash(was, is)
			}
		}
	}
	return nil
}

func (c *Config) clash(was, is model.RepoRef) error {
	return &Error{File: c.File, Key: "repositories",
		Message: fmt.Sprintf("has %s, and the edition before had %s: keep that in the list, or their task ids could be the same", is, was)}
}
