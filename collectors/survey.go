package collectors

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prforge/prforge/collectors/github"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// repositoryKey is the key of the one repository record of a shard, and of its
// failure.
const repositoryKey = "repository"

// Survey fetches every repository and the census of its pull requests, several repositories per request. It records
// what is unavailable, which Repository reports; an error ends the run.
func (c *Collector) Survey(ctx context.Context, refs []model.RepoRef) error {
	var wants []github.Want
	for _, ref := range refs {
		want, ask, err := c.wanted(ref)
		if err != nil {
			return err
		}
		if ask {
			wants = append(wants, want)
		}
	}
	if c.opts.Refresh {
		var err error
		if wants, err = c.changed(ctx, wants); err != nil {
			return err
		}
	}
	if len(wants) == 0 {
		return nil
	}
	client, err := c.github(ctx)
	if err != nil {
		return err
	}
	for _, w := range wants {
		if c.opts.Listing != nil {
			c.opts.Listing(w.Ref)
		}
	}
	for answer, err := range client.Survey(ctx, wants) {
		if err != nil {
			return err // the text says that it was surveying
		}
		if err := c.keepSurvey(answer); err != nil {
			return fmt.Errorf("survey %s: %w", answer.Want.Ref, err)
		}
		if c.opts.Listed != nil {
			c.opts.Listed(answer.Want.Ref)
		}
	}
	return nil
}

// censusKey is the key of the census of this run's window. Each window has its own census, so that a dataset does not
// depend on other uses of the state.
func (c *Collector) censusKey() string { return c.opts.Since.Format(time.DateOnly) }

// wanted says what to request about a repository, if anything.
func (c *Collector) wanted(ref model.RepoRef) (want github.Want, ask bool, err error) {
	want = github.Want{Ref: ref, Since: c.opts.Since}
	shard, err := c.shard(ref)
	if err != nil {
		return want, false, err
	}
	census, ok, err := store.Get[model.Census](shard, store.Census, c.censusKey())
	if err != nil {
		return want, false, err
	}
	if ok {
		want.Known = &census
		return want, c.opts.Refresh, nil
	}
	unavailable, err := c.isUnavailable(ref, repositoryKey)
	return want, !unavailable, err
}

// changed drops the known repositories without changes since the last request: one request checks a hundred of them.
func (c *Collector) changed(ctx context.Context, wants []github.Want) ([]github.Want, error) {
	var ids []string
	known := map[string]github.Want{}
	var rest []github.Want
	for _, w := range wants {
		repo, ok, err := c.repositoryRecord(w.Ref)
		if err != nil {
			return nil, err
		}
		if w.Known == nil || !ok {
			rest = append(rest, w)
			continue
		}
		ids = append(ids, repo.NodeID)
		known[repo.NodeID] = w
	}
	if len(ids) == 0 {
		return rest, nil
	}
	client, err := c.github(ctx)
	if err != nil {
		return nil, err
	}
	latest, err := client.Changed(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("ask what changed: %w", err)
	}
	for _, l := range latest {
		w := known[l.NodeID]
		switch {
		case l.Err != nil:
			err = c.failRepository(w.Ref, l.Err)
		case l.UpdatedAt == nil || (w.Known.Newest != nil && !l.UpdatedAt.After(*w.Known.Newest)):
			err = c.keepFacts(w.Ref, l.Repository)
		default:
			rest = append(rest, w)
		}
		if err != nil {
			return nil, err
		}
	}
	return rest, nil
}

// keepSurvey records one answer.
func (c *Collector) keepSurvey(a github.Surveyed) error {
	if a.Err != nil {
		return c.failRepository(a.Want.Ref, a.Err)
	}
	shard, err := c.shard(a.Want.Ref)
	if err != nil {
		return err
	}
	return c.fail(a.Want.Ref, repositoryKey, shard.Batch(func(b *store.Batch) error {
		return errors.Join(
			store.Put(b, store.Repository, repositoryKey, *a.Repository),
			store.Put(b, store.Census, c.censusKey(), *a.Census),
			store.Delete(b, store.Failure, repositoryKey))
	}))
}

// keepFacts brings a known repository's facts up to date.
func (c *Collector) keepFacts(asked model.RepoRef, facts *model.Repository) error {
	shard, err := c.shard(asked)
	if err != nil {
		return err
	}
	updated := *facts
	updated.Asked = asked
	return store.Put(shard, store.Repository, repositoryKey, updated)
}

// failRepository records why a repository is unavailable. If it was collected before, its pull requests stay, and
// filter 9 rejects them.
func (c *Collector) failRepository(asked model.RepoRef, why error) error {
	repo, ok, err := c.repositoryRecord(asked)
	if err != nil {
		return err
	}
	if gone := errors.Is(why, ghapi.ErrNotFound) || errors.Is(why, ghapi.ErrBlocked); !ok || !gone {
		return c.fail(asked, repositoryKey, why)
	}
	repo.Unavailable = "404"
	if errors.Is(why, ghapi.ErrBlocked) {
		repo.Unavailable = "451"
	}
	return c.keepFacts(asked, &repo)
}

func (c *Collector) repositoryRecord(ref model.RepoRef) (model.Repository, bool, error) {
	shard, err := c.shard(ref)
	if err != nil {
		return model.Repository{}, false, err
	}
	r, ok, err := store.Get[model.Repository](shard, store.Repository, repositoryKey)
	return r, ok, err
}
