package run

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/collectors/github"
	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/contextbuilder"
	"github.com/prforge/prforge/filters/authorship"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/licenses"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/scoring"
	"github.com/prforge/prforge/scoring/contamination"
	"github.com/prforge/prforge/stages/config"
)

// Open opens the state and reads the raw records of Env.From into it. The caller closes the session. The error is a
// *freeze.FrozenError if Env.Out is not "" and no dataset could ever be frozen there.
func Open(ctx context.Context, env Env, cfg *config.Config) (*Session, error) {
	if cfg.Frozen && env.From == "" {
		return nil,
			&config.Error{File: cfg.File, Key: "frozen",
				Message: "this is the configuration of a dataset: build from it with --from, or start from one of your own ('prforge init')"}
	}
	if env.Offline {
		env.Connect = func(context.Context) (*ghapi.Client, error) { return nil, collectors.ErrOffline }
	}
	s, err := Rules(env, cfg)
	if err != nil {
		return nil, err
	}
	if env.Out != "" {
		if err := freeze.CheckTarget(env.Out); err != nil {
			return nil, err
		}
	}
	if s.Collector, err = collectors.Open(s.collection()); err != nil {
		return nil, err
	}
	s.Licenses = licenses.NewReader(s.Collector.Store().Answers())
	if err := s.importRaw(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := s.connectModels(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close releases the state.
func (s *Session) Close() error { return s.Collector.Close() }

// Rules is a session without a state: the domain packages' options, made from the
// configuration. Whatever asks GitHub or the state needs [Open] instead.
func Rules(env Env, c *config.Config) (*Session, error) {
	registry,
		err := authorship.New(authorship.Options{ExtraAutomation: c.Accounts.Bots, ExtraAIReview: c.Accounts.Reviewers})
	if err != nil {
		return nil, &config.Error{File: c.File, Key: "accounts", Message: err.Error()}
	}
	instances, err := contamination.Known()
	if err != nil {
		return nil, fmt.Errorf("read the list of benchmark instances: %w", err)
	}
	for _, l := range c.Contamination.Lists {
		if _, err := instances.AddList(l.Name, l.Pulls); err != nil {
			return nil, &config.Error{File: c.File, Key: "contamination.lists", Message: err.Error()}
		}
	}
	s := &Session{
		Env: env, Config: c, Registry: registry, instances: instances, encoder: contamination.Builtin{},
		Graphs:  imports.NewCache(cacheBytes),
		Filters: c.Filters, Substance: c.Filters.Options, RVS: scoring.DefaultRVSOptions(), RQS: c.RQS,
		contamination: c.Selection.Options,
		Window:        scoring.WindowOptions{Since: c.Since(), Until: c.Until(), MaxPulls: c.Window.MaxPullsPerRepository},
		Selection:     c.Selection.SelectionOptions, Split: c.EvalSplit,
	}
	s.Filters.Supported, s.Filters.MinReviewValue = c.Supported(), c.RVS.HardFloor
	s.Filters.AnyVisibility = c.NotForPublication()
	s.Selection.Floor = c.RVS.Floor
	if s.Substance.ConfirmedBy = c.GroundTruth.ConfirmedBy; s.Substance.ConfirmedBy > 0 {
		s.Substance.Confirmed = model.Confirmations(c.Labels.Lines)
	} else {
		s.Substance.Judged = c.Labels.Latest(model.ByPerson)
	}
	s.Builder = sync.OnceValues(func() (*contextbuilder.Builder,
		error) {
		return newBuilder(c.Contexts, s.Filters.Supported, s.Graphs)
	})
	return s, s.privacy()
}

// collection returns the options of this run's collector.
func (s *Session) collection() collectors.Options {
	git := gitsource.DefaultOptions()
	git.Log = s.Log
	git.Limits = s.Config.Sources
	o := collectors.Options{
		State: s.State, Since: s.censusSince(), Refresh: s.Refresh, Connect: s.Connect, CloneURL: s.CloneURL,
		GitHub: github.DefaultOptions(), Git: git, Workers: s.Workers, Log: s.Log,
		KeptOnly: s.Offline && s.From != "",
		Hidden:   s.Takedowns.Pull, Redact: s.redact, RedactLater: s.redactLater, Fetching: s.fetching, Listing: s.listing,
		Listed: s.listed,
	}
	if s.Tune != nil {
		s.Tune(&o)
	}
	return o
}

// censusSince is the beginning of the census: it covers the window and everything that the repository score counts.
func (s *Session) censusSince() time.Time {
	freeze := s.Config.Dataset.FreezeDate
	since := s.Window.Since
	for _, t := range []time.Time{freeze.AddDate(0, 0, -s.Config.RQS.RecentDays),
		freeze.AddDate(0, -s.Config.RQS.VolumeMonths, 0)} {
		if t.Before(since) {
			since = t
		}
	}
	return since
}

// cacheBytes bounds the cache of parsed files between pull requests of one repository, which share most of them.
const cacheBytes = 128 << 20
