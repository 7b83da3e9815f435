package gitsource

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/prforge/prforge/internal/memo"
)

// PathDiffs compares pairs of commits in a few paths. Pass the revisions of one branch in sequence, so that shared
// parts are compared once. It is not safe for concurrent use.
type PathDiffs struct {
	repo  *Repo
	paths []string
	texts *memo.Memo[[]byte] // by what was compared
	last  renames
}

// PathDiffs begins a run of comparisons.
func (r *Repo) PathDiffs(paths []string) *PathDiffs {
	paths = slices.Compact(slices.Sorted(slices.Values(paths)))
	return &PathDiffs{repo: r, paths: paths, texts: memo.New[[]byte](r.opts.Cache)}
}

// Diff returns the files of Repo.Diff whose old or new path is one of the paths, in any order. It returns the same
// errors as Repo.Diff.
func (c *PathDiffs) Diff(ctx context.Context, base, head string) (text []byte, err error) {
	err = c.repo.withRepair(ctx, func() error {
		text, err = c.compare(ctx, base, head)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("diff of %s and %s: %w", base, head, err)
	}
	return text, nil
}

// renames are those of a whole comparison.
type renames struct {
	came, went map[string]change // the files that only one of the two commits has
	pairs      [][2]string       // old and new path
}

// compare returns the diff of the paths. A file that both commits have under one name is never renamed, so it is
// compared alone; a file of only one commit may be one side of a rename.
func (c *PathDiffs) compare(ctx context.Context, base, head string) ([]byte, error) {
	changed, err := c.repo.changesOf(ctx, base, head)
	if err != nil {
		return nil, err
	}
	if err := c.repo.ensureSides(ctx, changed); err != nil {
		return nil, err
	}
	names := slices.DeleteFunc(slices.Clone(c.paths), func(p string) bool { return changed[p] == change{} })
	renamed, err := c.renamed(ctx, base, head, changed, names)
	if err != nil {
		return nil, err
	}
	var text []byte
	for _, pair := range renamed {
		one, err := c.text(ctx, base, head, changed, pair[:])
		if err != nil {
			return nil, err
		}
		text = append(text, one...)
		names = slices.DeleteFunc(names, func(p string) bool { return p == pair[0] || p == pair[1] })
	}
	rest, err := c.text(ctx, base, head, changed, names, "--no-renames")
	return append(text, rest...), err
}

// text compares some changed files.
func (c *PathDiffs) text(ctx context.Context, base, head string, changed map[string]change, names []string, args ...string) ([]byte, error) {
	if len(names) == 0 {
		return nil, nil
	}
	key := fmt.Sprint(args)
	for _, name := range names {
		key += fmt.Sprintf("\x00%s\x00%v", name, changed[name])
	}
	if text, ok := c.texts.Get(key); ok {
		return text, nil
	}
	text, err := c.repo.git(ctx, nil, slices.Concat(diffArgs, args, []string{base, head, "--"}, names)...)
	if err == nil {
		c.texts.Put(key, text, len(text))
	}
	return text, err
}

// renamed lists the renames, in the comparison of the whole, that have one of the
// names on either side.
func (c *PathDiffs) renamed(ctx context.Context, base, head string, changed map[string]change, names []string) ([][2]string, error) {
	now := renames{came: map[string]change{}, went: map[string]change{}}
	for p, change := range changed {
		switch {
		case change.old.oid == "":
			now.came[p] = change
		case change.new.oid == "":
			now.went[p] = change
		}
	}
	one := func(p string) bool { return now.came[p] != change{} || now.went[p] != change{} }
	if len(now.came) == 0 || len(now.went) == 0 || !slices.ContainsFunc(names, one) {
		return nil, nil
	}
	same, err := c.sameRenames(ctx, base, head, now)
	if err != nil {
		return nil, err
	}
	if same {
		now.pairs = c.last.pairs
	} else if now.pairs, err = c.repo.renames(ctx, base, head, nil); err != nil {
		return nil, err
	}
	c.last = now
	return slices.DeleteFunc(slices.Clone(now.pairs), func(p [2]string) bool {
		return !slices.Contains(names, p[0]) && !slices.Contains(names, p[1])
	}), nil
}

// maxNames bounds the paths on a command line, in bytes.
const maxNames = 256 << 10

// sameRenames reports whether the renames must equal those of the last comparison, which shares most files. They do
// if the deleted files are the same and no file that only one comparison adds is similar to any of them: such a file
// takes part in no rename. A new name must be unique, since git prefers a file of the same base name if there is only
// one.
func (c *PathDiffs) sameRenames(ctx context.Context, base, head string, now renames) (bool, error) {
	if !maps.Equal(now.went, c.last.went) || max(len(now.came), len(c.last.came))*len(now.went) > renameLimit*renameLimit {
		return false, nil
	}
	kin := map[string]int{} // by base name, of all files
	all := maps.Clone(now.came)
	maps.Copy(all, c.last.came)
	for _, files := range []map[string]change{all, now.went} {
		for p := range files {
			kin[path.Base(p)]++
		}
	}
	var others []string
	for p := range all {
		was, is := c.last.came[p], now.came[p]
		if was == is {
			continue
		}
		if (was == change{} || is == change{}) && kin[path.Base(p)] > 1 {
			return false, nil
		}
		if slices.ContainsFunc(c.last.pairs, func(pair [2]string) bool { return pair[1] == p }) {
			return false, nil
		}
		if is != (change{}) {
			others = append(others, p)
		}
	}
	if len(others) == 0 {
		return true, nil
	}
	others = slices.AppendSeq(others, maps.Keys(now.went))
	size := 0
	for _, p := range others {
		size += len(p) + 1
	}
	if size > maxNames {
		return false, nil
	}
	like, err := c.repo.renames(ctx, base, head, others)
	return len(like) == 0, err
}
