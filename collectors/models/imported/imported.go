// Package imported answers questions with reviews that were made elsewhere and imported into the run folder.
package imported

import (
	"context"
	"errors"
	"fmt"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/internal/store"
)

// Provider is the provider "imported".
func Provider() models.Provider {
	return models.Provider{
		Name:  reviewer.Imported,
		Check: func(reviewer.Model) error { return nil },
		Connect: func(m reviewer.Model, env models.Environment) (models.Source, error) {
			return source{m.ID, env.Answers}, nil
		},
	}
}

// ErrOther says that another review is already stored.
var ErrOther = errors.New("another review is kept already")

// Keep stores a model's review of a task; a configuration of "" means all. It does not replace a stored review:
// ErrOther.
func Keep(answers *store.Shard, w store.Writer, model string, t models.Task, review string) error {
	key, err := keyOf(model, t)
	if err != nil {
		return err
	}
	old, found, err := models.Known(answers, key)
	if err != nil {
		return err
	}
	if found && old.Text != review {
		return ErrOther
	}
	return models.Keep(w, "imported", "", models.Answer{Key: key, Text: review})
}

// Has reports whether a model has reviews of any of the tasks that name a
// configuration, and whether it has any that name none.
func Has(answers *store.Shard, model string, tasks []string, config string) (named, unnamed bool, err error) {
	for _, task := range tasks {
		for _, c := range []string{config, ""} {
			key, err := keyOf(model, models.Task{ID: task, Config: c, Repeat: 1})
			if err != nil {
				return false, false, err
			}
			found, err := answers.Has(store.Answer, key)
			if err != nil {
				return false, false, err
			}
			named, unnamed = named || found && c != "", unnamed || found && c == ""
		}
	}
	return named, unnamed, nil
}

func keyOf(model string, t models.Task) (string, error) {
	return models.Key([]string{"imported", model, t.Config, t.ID, fmt.Sprint(t.Repeat)})
}

type source struct {
	model   string
	answers *store.Shard
}

// Ask implements models.Source. It returns the review of the task in its configuration, or else in any.
func (s source) Ask(_ context.Context, q models.Question) (models.Answer, error) {
	for _, config := range []string{q.Task.Config, ""} {
		key, err := keyOf(s.model, models.Task{ID: q.Task.ID, Config: config, Repeat: q.Task.Repeat})
		if err != nil {
			return models.Answer{}, err
		}
		kept, found, err := models.Known(s.answers, key)
		if err != nil || found {
			return models.Answer{Key: key, Text: kept.Text, Free: true}, err
		}
	}
	return models.Answer{}, fmt.Errorf("no review was imported for %s", s.model)
}
