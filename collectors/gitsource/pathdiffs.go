package gitsource

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// PathDiff is the diff of one pair of commits.
type PathDiff struct {
	Text []byte
	Err  error // why there is no text: ErrAbsent, ErrTooLarge
}

// PathDiffs compares pairs of commits in a few paths. For each pair it returns the files of Repo.Diff whose old or new
// path is one of the paths, in any order. Pass the revisions of one branch in sequence, so that their renames are
// looked for once. What is unavailable is an error of its own pair.
func (r *Repo) PathDiffs(ctx context.Context, pairs []Pair, paths []string) (out []PathDiff, err error) {
	err = r.withRepair(ctx, func() error {
		c := &pathDiffs{repo: r, paths: slices.Compact(slices.Sorted(slices.Values(paths)))}
		out, err = c.compareAll(ctx, pairs)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("compare %d pairs of commits: %w", len(pairs), err)
	}
	return out, nil
}

// pathDiffs is one call of PathDiffs.
type pathDiffs struct {
	repo  *Repo
	paths []string
	last  renames
}

// renames are those of one comparison.
type renames struct {
	key   string      // the contents of the files that were compared
	pairs [][2]string // old and new path
}

// difference lists the files that differ between two commits in the paths, with the other sides of their renames.
type difference struct {
	changed map[string]change
	renamed [][2]string // old and new path
	pairs   []int       // the indexes of the pairs that differ so
}

// compareAll compares the pairs without renames with one git process, and the others one by one. Of pairs that differ
// in the same contents it compares one.
func (c *pathDiffs) compareAll(ctx context.Context, pairs []Pair) ([]PathDiff, error) {
	out := make([]PathDiff, len(pairs))
	found := map[string]*difference{} // by contents
	for i, p := range pairs {
		d, err := c.look(ctx, p)
		switch {
		case errors.Is(err, ErrAbsent), errors.Is(err, ErrTooLarge):
			out[i].Err = fmt.Errorf("diff of %s and %s: %w", p.From, p.To, err)
			continue
		case err != nil:
			return nil, err
		case len(d.changed) == 0:
			continue
		}
		key := fmt.Sprintf("%s%q", contents(d.changed, slices.Collect(maps.Keys(d.changed))), d.renamed)
		if found[key] == nil {
			found[key] = d
		}
		found[key].pairs = append(found[key].pairs, i)
	}
	var plain []*difference
	var firsts []Pair
	for _, key := range slices.Sorted(maps.Keys(found)) {
		d := found[key]
		first := pairs[d.pairs[0]]
		if len(d.renamed) == 0 {
			plain, firsts = append(plain, d), append(firsts, first)
			continue
		}
		diff, err := c.withRenames(ctx, first, d)
		if err != nil {
			return nil, err
		}
		d.fill(out, diff)
	}
	diffs, err := c.withoutRenames(ctx, firsts)
	for i, diff := range diffs {
		plain[i].fill(out, diff)
	}
	return out, err
}

// fill sets the diff of all pairs that differ so.
func (d *difference) fill(out []PathDiff, diff PathDiff) {
	for _, i := range d.pairs {
		out[i] = diff
	}
}

// contents returns a key of files on both sides.
func contents(changed map[string]change, names []string) string {
	slices.Sort(names)
	var key strings.Builder
	for _, name := range names {
		fmt.Fprintf(&key, "%s\x00%v\x00", name, changed[name])
	}
	return key.String()
}

// look compares the trees of two commits. A file that both have under one name is never renamed.
func (c *pathDiffs) look(ctx context.Context, p Pair) (*difference, error) {
	all, err := c.repo.changesOf(ctx, p.From, p.To)
	if err == nil {
		err = c.repo.ensureSides(ctx, all)
	}
	if err != nil {
		return nil, err
	}
	d := &difference{changed: map[string]change{}}
	for _, name := range c.paths {
		if one := all[name]; one != (change{}) {
			d.changed[name] = one
		}
	}
	d.renamed, err = c.renamed(ctx, p, all, d.changed)
	for _, r := range d.renamed {
		d.changed[r[0]], d.changed[r[1]] = all[r[0]], all[r[1]]
	}
	return d, err
}

// wholeRenames is up to how many added and deleted files the renames of a whole comparison are looked for.
const wholeRenames = 100

// renamed lists the renames that have one of the changed paths on either side. They are those of the comparison of all
// files, since any two files may compete for a third. If too many were added and deleted, which no reviewer compares,
// they are those of the changed paths and their possible other sides alone, as Repo.RevisionDiff finds them.
func (c *pathDiffs) renamed(ctx context.Context, p Pair, all, changed map[string]change) ([][2]string, error) {
	var came, went, moved []string
	for name, one := range all {
		switch {
		case one.came():
			came = append(came, name)
		case one.went():
			went = append(went, name)
		default:
			continue
		}
		if changed[name] == one {
			moved = append(moved, name)
		}
	}
	if len(came) == 0 || len(went) == 0 || len(moved) == 0 {
		return nil, nil
	}
	names, asked := slices.Concat(came, went), []string(nil) // nil is all files
	if len(came)*len(went) > wholeRenames*wholeRenames {
		names = slices.Concat(moved, otherEnds(all, moved, c.repo.opts.MaxRenames))
		asked = names
	}
	key := contents(all, names)
	if key != c.last.key {
		pairs, err := c.repo.renames(ctx, p.From, p.To, asked)
		if err != nil {
			return nil, err
		}
		c.last = renames{key, pairs}
	}
	return slices.DeleteFunc(slices.Clone(c.last.pairs), func(r [2]string) bool {
		return changed[r[0]] == change{} && changed[r[1]] == change{}
	}), nil
}

// withRenames compares the files of a pair, each renamed file with its other side.
func (c *pathDiffs) withRenames(ctx context.Context, p Pair, d *difference) (diff PathDiff, err error) {
	names := maps.Clone(d.changed)
	ask := func(args ...string) {
		var text []byte
		if err == nil {
			text, err = c.repo.git(ctx, nil, slices.Concat(diffArgs, args)...)
		}
		diff.Text = append(diff.Text, text...)
	}
	for _, r := range d.renamed {
		ask(p.From, p.To, "--", r[0], r[1])
		delete(names, r[0])
		delete(names, r[1])
	}
	if len(names) > 0 {
		ask(slices.Concat([]string{"--no-renames", p.From, p.To, "--"}, slices.Sorted(maps.Keys(names)))...)
	}
	if errors.Is(err, ErrTooLarge) {
		return PathDiff{Err: fmt.Errorf("diff of %s and %s: %w", p.From, p.To, err)}, nil
	}
	return diff, err
}

// withoutRenames compares the paths of pairs with one git process, or with more if the diffs are too large together.
func (c *pathDiffs) withoutRenames(ctx context.Context, pairs []Pair) ([]PathDiff, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	var lines []string // one for each pair, which git repeats
	for _, p := range pairs {
		from, to, err := c.repo.roots(ctx, p.From, p.To)
		if err != nil {
			return nil, err
		}
		lines = append(lines, from+" "+to+"\n")
	}
	args := slices.Concat([]string{"diff-tree", "--stdin"}, diffArgs[1:], []string{"--no-renames", "--"}, c.paths)
	text, err := c.repo.git(ctx, strings.NewReader(strings.Join(lines, "")), args...)
	switch {
	case errors.Is(err, ErrTooLarge) && len(pairs) == 1:
		return []PathDiff{{Err: fmt.Errorf("diff of %s and %s: %w", pairs[0].From, pairs[0].To, err)}}, nil
	case errors.Is(err, ErrTooLarge):
		half := len(pairs) / 2
		some, err := c.withoutRenames(ctx, pairs[:half])
		if err != nil {
			return nil, err
		}
		rest, err := c.withoutRenames(ctx, pairs[half:])
		return append(some, rest...), err
	case err != nil:
		return nil, err
	}
	out := make([]PathDiff, len(pairs))
	for i, line := range lines {
		end := len(text)
		if i+1 < len(lines) {
			end = bytes.Index(text, []byte("\n"+lines[i+1])) + 1
		}
		var ok bool
		if out[i].Text, ok = bytes.CutPrefix(text[:end], []byte(line)); !ok {
			return nil, fmt.Errorf("git compared other trees than asked: %w", ErrCorrupt)
		}
		text = text[end:]
	}
	return out, nil
}
