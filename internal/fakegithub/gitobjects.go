package fakegithub

import (
	"cmp" // git's own hash, not ours to choose
	"encoding/hex"
	"slices"
	"strings"
)

// treeEntry is an entry of one directory.
type treeEntry struct {
	name, mode, kind, sha string // kind is blob, tree or commit (a submodule)
	size                  int
}

// objects holds a repository's blobs and trees by their ids.
type objects struct {
	blobs map[string][]byte
	trees map[string][]treeEntry
}

// add stores a tree with everything in it and returns its id.
func (o *objects) add(files map[string]file) string {
	dirs := map[string]map[string]file{}
	var entries []treeEntry
	for path, f := range files {
		if dir, rest, nested := strings.Cut(path, "/"); nested {
			if dirs[dir] == nil {
				dirs[dir] = map[string]file{}
			}
			dirs[dir][rest] = f
			continue
		}
		o.blobs[f.sha] = f.content
		entries = append(entries, treeEntry{path, f.mode, "blob", f.sha, len(f.content)})
	}
	for dir, inner := range dirs {
		entries = append(entries, treeEntry{dir, "40000", "tree", o.add(inner), 0})
	}
	// Git sorts a directory as if its name ended in a slash.
	key := func(e treeEntry) string {
		if e.kind == "tree" {
			return e.name + "/"
		}
		return e.name
	}
	slices.SortFunc(entries, func(a, b treeEntry) int { return cmp.Compare(key(a), key(b)) })
	var raw []byte
	for _, e := range entries {
		raw = append(raw, e.mode+" "+e.name+"\x00"...)
		sum, _ := hex.DecodeString(e.sha) // written by hashObject
		raw = append(raw, sum...)
	}
	sha := hashObject("tree", raw)
	o.trees[sha] = entries
	return sha
}

// walk lists a tree: its own entries, or with recursive everything below it,
// paths joined, directories before what is in them.
func (o *objects) walk(sha string, recursive bool) []treeEntry {
	var out []treeEntry
	var visit func(sha, prefix string)
	visit = func(sha, prefix string) {
		for _, e := range o.trees[sha] {
			child := e.sha
			e.name = prefix + e.name
			out = append(out, e)
			if recursive && e.kind == "tree" {
				visit(child, e.name+"/")
			}
		}
	}
	visit(sha, "")
	return out
}

// at finds the entry of a path in a tree; the empty path is the tree itself.
func (o *objects) at(tree, path string) (treeEntry, bool) {
	here := treeEntry{kind: "tree", sha: tree}
	for name := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if name == "" {
			continue
		}
		i := slices.IndexFunc(o.trees[here.sha], func(e treeEntry) bool { return e.name == name })
		if here.kind != "tree" || i < 0 {
			return treeEntry{}, false
		}
		here = o.trees[here.sha][i]
	}
	return here, true
}

// mergeBase is the newest commit that both contain, nil if there is none. It
// is enough for the histories made here, which have no criss-cross merges.
func mergeBase(a, b *commit) *commit {
	reached := func(from *commit) map[*commit]bool {
		seen := map[*commit]bool{}
		stack := []*commit{from}
		for len(stack) > 0 {
			c := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if !seen[c] {
				seen[c] = true
				stack = append(stack, c.parents...)
			}
		}
		return seen
	}
	mine := reached(a)
	var best *commit
	for c := range reached(b) {
		if mine[c] && (best == nil || c.mark > best.mark) {
			best = c
		}
	}
	return best
}
