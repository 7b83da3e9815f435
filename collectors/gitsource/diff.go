package gitsource

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/prforge/prforge/internal/model"
)

// renameLimit is how many added and deleted files git compares with each other to find renames.
const renameLimit = 1000

var limitRenames = "-l" + strconv.Itoa(renameLimit)

// diffArgs makes git's diff read as GitHub's does, whatever git's defaults are.
var diffArgs = []string{
	"diff", "--no-color", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/", "--unified=3",
	"--diff-algorithm=myers", "--abbrev=11", "--find-renames", limitRenames, "--submodule=short",
	"--ignore-submodules=none",
}

// Diff is the unified diff of two commits as GitHub would give it, for pull
// requests whose diff GitHub refuses. The error is ErrAbsent where a commit or
// a changed file is unavailable, and ErrTooLarge above Options.MaxOutput.
func (r *Repo) Diff(ctx context.Context, base, head string) (text []byte, err error) {
	err = r.withRepair(ctx, func() error {
		changed, err := r.changesOf(ctx, base, head)
		if err != nil {
			return err
		}
		if err := r.ensureSides(ctx, changed); err != nil {
			return err
		}
		text, err = r.git(ctx, nil, append(slices.Clone(diffArgs), base, head, "--")...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("diff of %s and %s: %w", base, head, err)
	}
	return text, nil
}

// RevisionDiff is the diff between a commit that comments were written on and
// the pull request's head, limited to the paths commented on and to where they
// were renamed. A commit that is no longer available has Problem set; an error
// is about us.
func (r *Repo) RevisionDiff(ctx context.Context, from, to string, paths []string) (model.RevisionDiff, error) {
	result := model.RevisionDiff{From: from, To: to, Paths: slices.Compact(slices.Sorted(slices.Values(paths)))}
	err := r.withRepair(ctx, func() error {
		changed, err := r.changesOf(ctx, from, to)
		if err != nil {
			return err
		}
		names, err := r.follow(ctx, from, to, changed, result.Paths)
		if err != nil || len(names) == 0 {
			return err
		}
		text, err := r.git(ctx, nil, slices.Concat(diffArgs, []string{from, to, "--"}, names)...)
		result.Text = string(text)
		return err
	})
	switch {
	case errors.Is(err, ErrAbsent), errors.Is(err, ErrTooLarge):
		result.Text, result.Problem = "", err.Error()
	case err != nil:
		return model.RevisionDiff{}, fmt.Errorf("revision diff of %s and %s: %w", from, to, err)
	}
	return result, nil
}

// changesOf fetches two commits with their trees and compares them.
func (r *Repo) changesOf(ctx context.Context, from, to string) (map[string]change, error) {
	missing, err := r.ensureTrees(ctx, []string{from, to})
	if err != nil {
		return nil, err
	}
	for _, commit := range []string{from, to} {
		if why := missing[commit]; why != nil {
			return nil, fmt.Errorf("commit %q: %w", commit, why)
		}
	}
	return r.differ(ctx, from, to)
}

// differ lists the paths that differ between two commits whose trees are here.
func (r *Repo) differ(ctx context.Context, from, to string) (map[string]change, error) {
	oldRoot, newRoot, err := r.roots(ctx, from, to)
	if err != nil {
		return nil, err
	}
	return r.changes(ctx, oldRoot, newRoot)
}

// roots are the trees of two commits.
func (r *Repo) roots(ctx context.Context, from, to string) (oldRoot, newRoot string, err error) {
	if oldRoot, err = r.rootTree(ctx, from); err == nil {
		newRoot, err = r.rootTree(ctx, to)
	}
	return oldRoot, newRoot, err
}

// follow returns the paths to compare for the commented ones: each that changed, and the other end of its rename.
// Only added or deleted files can be the other end, at most Options.MaxRenames of them.
func (r *Repo) follow(ctx context.Context, from, to string, changed map[string]change, paths []string) ([]string,
	error) {
	names := map[string]bool{}
	var moved []string
	for _, p := range paths {
		c, ok := changed[p]
		if !ok {
			continue
		}
		names[p] = true
		if c.came() || c.went() {
			moved = append(moved, p)
		}
	}
	subset := map[string]change{}
	for p := range names {
		subset[p] = changed[p]
	}
	if len(moved) > 0 {
		for _, p := range otherEnds(changed, moved, r.opts.MaxRenames) {
			subset[p] = changed[p]
		}
	}
	if err := r.ensureSides(ctx, subset); err != nil {
		return nil, err
	}
	if len(subset) > len(names) {
		pairs, err := r.renames(ctx, from, to, slices.Sorted(maps.Keys(subset)))
		if err != nil {
			return nil, err
		}
		for _, pair := range pairs {
			if names[pair[0]] || names[pair[1]] {
				names[pair[0]], names[pair[1]] = true, true
			}
		}
	}
	return slices.Sorted(maps.Keys(names)), nil
}

// otherEnds lists added files for deleted ones and the other way round: first those of equal bytes, then those of
// equal name, then by path.
func otherEnds(changed map[string]change, moved []string, limit int) []string {
	var went, came bool
	oids, bases := map[string]bool{}, map[string]bool{}
	for _, p := range moved {
		c := changed[p]
		went, came = went || c.went(), came || c.came()
		oids[c.old.oid+c.new.oid] = true
		bases[p[strings.LastIndex(p, "/")+1:]] = true
	}
	rank := func(p string) int {
		switch c := changed[p]; {
		case oids[c.old.oid+c.new.oid]:
			return 0
		case bases[p[strings.LastIndex(p, "/")+1:]]:
			return 1
		}
		return 2
	}
	var ends []string
	for p, c := range changed {
		if went && c.came() || came && c.went() {
			ends = append(ends, p)
		}
	}
	slices.SortFunc(ends, func(a, b string) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return ends[:min(len(ends), limit)]
}

// renames asks git which of the paths, or of all files, are renames, as pairs of old
// and new.
func (r *Repo) renames(ctx context.Context, from, to string, paths []string) ([][2]string, error) {
	out, err := r.git(ctx, nil,
		slices.Concat([]string{"diff", "--raw", "-z", "--find-renames", limitRenames, "--diff-filter=R", from, to, "--"},
			paths)...)
	if err != nil {
		return nil, err
	}
	fields := strings.Split(string(out), "\x00")
	var pairs [][2]string
	for i := 0; i+2 < len(fields); i += 3 {
		pairs = append(pairs, [2]string{fields[i+1], fields[i+2]})
	}
	return pairs, nil
}

// ensureSides fetches the contents on both sides of changes.
func (r *Repo) ensureSides(ctx context.Context, changed map[string]change) error {
	pathOf := map[string]string{}
	for p, c := range changed {
		for _, n := range []node{c.old, c.new} {
			if n.oid != "" && n.mode != modeSubmodule {
				pathOf[n.oid] = p
			}
		}
	}
	lost, err := r.ensure(ctx, wantObjects, slices.Collect(maps.Keys(pathOf)))
	if err != nil {
		return err
	}
	if gone := slices.Sorted(maps.Keys(lost)); len(gone) > 0 {
		return fmt.Errorf("content of %s (and %s more): %w", strconv.Quote(pathOf[gone[0]]), strconv.Itoa(len(gone)-1),
			ErrAbsent)
	}
	return nil
}
