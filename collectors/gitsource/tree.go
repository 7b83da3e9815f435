package gitsource

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/prforge/prforge/internal/model"
)

// nodes returns the entries of a tree, which must not be changed. It fetches a tree that did not come with its root.
func (r *Repo) nodes(ctx context.Context, oid string) ([]node, error) {
	if list, ok := r.trees.Get(oid); ok {
		return list, ctx.Err()
	}
	list, err := r.readTree(ctx, oid)
	if err == nil {
		r.trees.Put(oid, list, len(list))
	}
	return list, err
}

func (r *Repo) readTree(ctx context.Context, oid string) ([]node, error) {
	data, err := r.object(ctx, oid, "tree", maxTreeObject)
	if errors.Is(err, ErrAbsent) {
		missing, fetchErr := r.ensure(ctx, wantObjects, []string{oid})
		if fetchErr != nil || len(missing) > 0 {
			return nil, errors.Join(err, fetchErr)
		}
		data, err = r.object(ctx, oid, "tree", maxTreeObject)
	}
	if err != nil {
		return nil, err
	}
	var tree object.Tree
	if err := tree.Decode(undecoded(plumbing.TreeObject, data)); err != nil {
		return nil, fmt.Errorf("tree %s: %w", oid, err)
	}
	list := make([]node, len(tree.Entries))
	for i, e := range tree.Entries {
		list[i] = node{name: e.Name, mode: uint32(e.Mode), oid: e.Hash.String()}
	}
	return list, nil
}

// listTree gives every file of a tree, sizes unknown, in the order of git. The
// tree must be here. A tree of more than Options.MaxTree entries is ErrTooLarge.
func (r *Repo) listTree(ctx context.Context, root string) ([]model.TreeEntry, error) {
	var files []model.TreeEntry
	seen := 0
	var walk func(dir, oid string, depth int) error
	walk = func(dir, oid string, depth int) error {
		list, err := r.nodes(ctx, oid)
		if err != nil {
			return err
		}
		if seen += len(list); seen > r.opts.MaxTree || depth > maxDepth {
			return fmt.Errorf("tree of more than %d entries or %d folders deep: %w", r.opts.MaxTree, maxDepth, ErrTooLarge)
		}
		for _, n := range list {
			name := n.name
			if dir != "" {
				name = dir + "/" + name
			}
			if n.mode == modeTree {
				if err := walk(name, n.oid, depth+1); err != nil {
					return err
				}
				continue
			}
			files = append(files, model.TreeEntry{Path: name, Mode: n.mode, Oid: n.oid, Size: -1})
		}
		return nil
	}
	return files, walk("", root, 0)
}

// listFiles is listTree for those of some paths that are files.
func (r *Repo) listFiles(ctx context.Context, root string, paths []string) ([]model.TreeEntry, error) {
	var files []model.TreeEntry
	for _, p := range slices.Compact(slices.Sorted(slices.Values(paths))) { // the order of git
		n, err := r.at(ctx, root, p)
		if err != nil {
			return nil, err
		}
		if n.oid != "" {
			files = append(files, model.TreeEntry{Path: p, Mode: n.mode, Oid: n.oid, Size: -1})
		}
	}
	return files, nil
}

// changes lists the paths that differ between two local trees. It skips folders that are equal on both sides.
func (r *Repo) changes(ctx context.Context, oldRoot, newRoot string) (map[string]change, error) {
	found := map[string]change{}
	seen := 0
	var compare func(dir string, a, b node, depth int) error
	compare = func(dir string, a, b node, depth int) error {
		left, err := r.children(ctx, a)
		if err != nil {
			return err
		}
		right, err := r.children(ctx, b)
		if err != nil {
			return err
		}
		if seen += len(left) + len(right); seen > 2*r.opts.MaxTree || depth > maxDepth {
			return fmt.Errorf("more than %d entries to compare or %d folders deep: %w", 2*r.opts.MaxTree, maxDepth, ErrTooLarge)
		}
		names := maps.Clone(left)
		maps.Copy(names, right)
		for name := range names {
			was, is := left[name], right[name]
			if was == is {
				continue
			}
			full := path.Join(dir, name)
			if c := (change{old: was.file(), new: is.file()}); c != (change{}) {
				found[full] = c
			}
			if was.mode == modeTree || is.mode == modeTree {
				if err := compare(full, was, is, depth+1); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return found, compare("", node{mode: modeTree, oid: oldRoot}, node{mode: modeTree, oid: newRoot}, 0)
}

// children are a folder's entries by name; a file has none.
func (r *Repo) children(ctx context.Context, n node) (map[string]node, error) {
	if n.mode != modeTree {
		return map[string]node{}, nil
	}
	list, err := r.nodes(ctx, n.oid)
	byName := make(map[string]node, len(list))
	for _, n := range list {
		byName[n.name] = n
	}
	return byName, err
}

// at returns a tree's entry at a path; the zero value if it has no such file.
func (r *Repo) at(ctx context.Context, root, name string) (node, error) {
	here := node{mode: modeTree, oid: root}
	for part := range strings.SplitSeq(name, "/") {
		below, err := r.children(ctx, here)
		if err != nil {
			return node{}, err
		}
		here = below[part]
	}
	return here.file(), nil
}
