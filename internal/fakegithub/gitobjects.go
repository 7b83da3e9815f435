package fakegithub

import (
	"cmp"
	"crypto/sha1" // git's own hash, not ours to choose
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// treeEntry is an entry of one directory.
type treeEntry struct {
	name, mode, kind, sha string // kind is blob, tree or commit (a submodule)
	size                  int
}

// gitObject is a blob or tree of a repository.
type gitObject struct {
	repo *repoState
	kind string
	sha  string
}

// commitRef is a commit of a repository.
type commitRef struct {
	repo *repoState
	*commit
}

// objects holds a repository's blobs and trees by their ids.
type objects struct {
	blobs map[string][]byte
	trees map[string][]treeEntry
}

func hashObject(kind string, content []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "%s %d\x00", kind, len(content))
	h.Write(content)
	return hex.EncodeToString(h.Sum(nil))
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

// commit resolves HEAD, a branch, a full ref name, or a commit id.
func (r *repoState) commit(rev string) *commit {
	for _, name := range []string{rev, "refs/heads/" + rev, "refs/" + rev} {
		if c := r.history.refs[name]; c != nil {
			return c
		}
	}
	if rev == "HEAD" {
		return r.history.refs["refs/heads/"+r.DefaultBranch]
	}
	return r.commits[rev]
}

// object resolves an expression as "git rev-parse" does: REV, REV:PATH, or the
// id of a blob or tree; nil if there is none.
func (r *repoState) object(expression string) any {
	rev, path, hasPath := strings.Cut(expression, ":")
	if c := r.commit(rev); c != nil {
		if !hasPath {
			return commitRef{r, c}
		}
		if e, ok := r.objects.at(c.treeSHA, path); ok {
			return gitObject{r, e.kind, e.sha}
		}
		return nil
	}
	if _, ok := r.objects.trees[rev]; ok {
		return gitObject{r, "tree", rev}
	}
	if _, ok := r.objects.blobs[rev]; ok {
		return gitObject{r, "blob", rev}
	}
	return nil
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

// compare is the diff of two commits.
func (r *repoState) compare(from, to *commit) (*parsedDiff, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := pair{from, to}
	if d := r.diffs[p]; d != nil {
		return d, nil
	}
	texts, err := r.git.diffs([]pair{p})
	if err != nil {
		return nil, err
	}
	d, err := parseDiff(texts[p])
	if err == nil {
		r.diffs[p] = d
	}
	return d, err
}
