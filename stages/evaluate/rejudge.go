package evaluate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/internal/store"
)

// Rejudge judges the reviews of a run by another judge of the configuration. The reviews come from the folder from;
// verdicts and scores go to the run's own. It asks no reviewer. The same call continues an interrupted one.
func (e *Evaluation) Rejudge(ctx context.Context, from, judge string) (out *Outcome, err error) {
	chosen, err := e.Config.judge(judge)
	if err != nil {
		return nil, err
	}
	source := *e
	source.Run = from
	old, err := source.reopen()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, old.folder.close()) }()
	if old.recorded != nil {
		return nil, planErrorf("%s was made with other prompts than this prforge has: another judge would be asked otherwise",
			from)
	}
	plan := old.plan
	plan.Judge = chosen
	if err := errors.Join(plan.Check(), checkProviders(plan)); err != nil {
		return nil, &planError{err}
	}
	if e.MaxCost > 0 {
		if err := priced(plan); err != nil {
			return nil, &planError{err}
		}
	}
	folder, err := openRun(e.Run, true)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, folder.close()) }()
	was, found, err := folder.plan()
	if err != nil {
		return nil, err
	}
	if found && !same(was, plan) {
		return nil, planErrorf("%s holds another run; use a new folder", e.Run)
	}
	if err := copyReviews(old.folder, folder); err != nil {
		return nil, err
	}
	var items []evaluation.Item
	for _, id := range plan.Tasks {
		items = append(items, old.items[id])
	}
	if err := folder.writePlan(plan, items, old.benchmark.Prompts()); err != nil {
		return nil, err
	}
	hunks, err := old.folder.cleanHunks()
	if err != nil {
		return nil, err
	}
	s, err := e.session(folder, old.benchmark, plan, old.items, hunks)
	if err != nil {
		return nil, err
	}
	return s.run(ctx)
}

// judge is a judge of the configuration by its id.
func (c *Config) judge(id string) (evaluation.Judge, error) {
	var ids []string
	for _, j := range append([]evaluation.Judge{c.Judge}, c.Judges...) {
		if j.ID == id {
			return j, nil
		}
		ids = append(ids, j.ID)
	}
	return evaluation.Judge{}, planErrorf("judge %q is not in the configuration: it has %s", id, strings.Join(ids, ", "))
}

// copyReviews copies the reviewers' answers that the scores of a run used.
func copyReviews(from, to *runFolder) error {
	lines, _, err := from.readSeal()
	if err != nil {
		return err
	}
	if lines == nil {
		return planErrorf("%s was never scored: prforge eval score", from.dir)
	}
	answers := from.store.Answers()
	return to.store.Answers().Batch(func(b *store.Batch) error {
		for _, l := range lines {
			if l.Role != "reviewer" {
				continue
			}
			for _, key := range l.Keys {
				if key == "" {
					continue
				}
				a, found, err := store.Get[json.RawMessage](answers, store.Answer, key)
				if err != nil || !found {
					return errors.Join(err, fmt.Errorf("%s: an answer is missing", l.record()))
				}
				if err := store.Put(b, store.Answer, key, a); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
