package snapshot

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// graph holds commits and trees, which determine the objects that a record needs.
type graph struct {
	limits  Limits
	commits map[plumbing.Hash]*commit
	trees   map[plumbing.Hash]*tree
	shapes  map[plumbing.Hash]shape // of trees, as far as they were asked for
}

func newGraph(l Limits) *graph {
	return &graph{limits: l, commits: map[plumbing.Hash]*commit{}, trees: map[plumbing.Hash]*tree{},
		shapes: map[plumbing.Hash]shape{}}
}

// add keeps a commit or a tree and gives its id.
func (g *graph) add(kind string, raw []byte) (id plumbing.Hash, err error) {
	id = plumbing.ComputeHash(kinds[kind], raw)
	if kind == kindCommit {
		g.commits[id], err = parseCommit(raw)
	} else {
		g.trees[id], err = parseTree(raw)
	}
	if err != nil {
		return id, fmt.Errorf("object %s: %w: %w", id, ErrDamaged, err)
	}
	return id, nil
}

// span is a record's part of history, each list by id.
type span struct {
	own      []plumbing.Hash // commits of the pull request
	boundary []plumbing.Hash // commits of the base branch, whose parents are left out
	missing  []plumbing.Hash // commits that are not in the graph
}

// all are the commits that are here, by id.
func (s span) all() []plumbing.Hash { return sortedIDs(slices.Concat(s.own, s.boundary)) }

func sortedIDs(ids []plumbing.Hash) []plumbing.Hash {
	slices.SortFunc(ids, compareIDs)
	return slices.Compact(ids)
}

func compareIDs(a, b plumbing.Hash) int { return bytes.Compare(a[:], b[:]) }

// span walks from a record's revision to the ends of its history. It reports too many commits or, if none is missing,
// other ends than the record says.
func (g *graph) span(r Record) (s span, problem Problem, detail string) {
	ends, met := map[plumbing.Hash]bool{}, map[plumbing.Hash]bool{}
	for _, id := range r.Shallow {
		ends[plumbing.NewHash(id)] = true
	}
	for left := []plumbing.Hash{plumbing.NewHash(r.Head)}; len(left) > 0; {
		id := left[len(left)-1]
		left = left[:len(left)-1]
		if met[id] {
			continue
		}
		if met[id] = true; len(met) > g.limits.MaxCommits {
			return s, TooManyCommits, fmt.Sprintf("more than %d commits", g.limits.MaxCommits)
		}
		switch c := g.commits[id]; {
		case c == nil:
			s.missing = append(s.missing, id)
		case ends[id]:
			s.boundary = append(s.boundary, id)
		default:
			s.own = append(s.own, id)
			left = append(left, c.parents...)
		}
	}
	for _, list := range [][]plumbing.Hash{s.own, s.boundary, s.missing} {
		slices.SortFunc(list, compareIDs)
	}
	fits := len(s.own) > 0 && len(s.boundary) == len(r.Shallow) && slices.Contains(s.boundary, plumbing.NewHash(r.Base))
	if len(s.missing) == 0 && !fits {
		return s, NoForkPoint, fmt.Sprintf("the history of %s does not end at %s and its like", r.Head, r.Base)
	}
	return s, "", ""
}

// missingTrees lists the known trees of commits that are not in the graph.
func (g *graph) missingTrees(commits []plumbing.Hash) []plumbing.Hash {
	var missing []plumbing.Hash
	trees, _ := g.needs(commits)
	for id := range trees {
		if g.trees[id] == nil {
			missing = append(missing, id)
		}
	}
	return sortedIDs(missing)
}

// needs returns the trees and files of commits, each once, as far as their trees are in the graph.
func (g *graph) needs(commits []plumbing.Hash) (trees, files map[plumbing.Hash]bool) {
	trees, files = map[plumbing.Hash]bool{}, map[plumbing.Hash]bool{}
	var left []plumbing.Hash
	for _, id := range commits {
		left = append(left, g.commits[id].tree)
	}
	for len(left) > 0 {
		id := left[len(left)-1]
		left = left[:len(left)-1]
		if trees[id] {
			continue
		}
		trees[id] = true
		if g.trees[id] == nil {
			continue
		}
		for _, e := range g.trees[id].entries {
			switch {
			case e.mode == filemode.Dir:
				left = append(left, e.id)
			case e.isFile():
				files[e.id] = true
			}
		}
	}
	return trees, files
}

// check names the fault in the trees of a record's commits.
func (g *graph) check(s span) (problem Problem, detail string) {
	for _, id := range s.all() {
		shape := g.shape(g.commits[id].tree, 0)
		switch {
		case shape.problem != "":
			return shape.problem, fmt.Sprintf("commit %s: %s", id, shape.detail)
		case shape.files > g.limits.MaxFiles:
			return TooLarge, fmt.Sprintf("commit %s has more than %d files and folders", id, g.limits.MaxFiles)
		case shape.path > g.limits.MaxPath:
			return TooLarge, fmt.Sprintf("commit %s has a path of more than %d bytes", id, g.limits.MaxPath)
		}
	}
	return "", ""
}

// shape describes the work tree of a tree.
type shape struct {
	files   int64 // and folders, which cost as much
	path    int   // bytes of the longest path
	problem Problem
	detail  string
}

// shape counts without entering a tree twice: ten trees of a few hundred bytes can
// make more files than any disk holds.
func (g *graph) shape(id plumbing.Hash, depth int) shape {
	if known, ok := g.shapes[id]; ok {
		return known
	}
	t := g.trees[id]
	switch {
	case t == nil:
		return shape{problem: ObjectsAbsent, detail: "tree " + id.String()}
	case t.unsafe != "":
		return shape{problem: UnsafePath, detail: t.unsafe}
	case depth > g.limits.MaxDepth:
		return shape{problem: TooLarge, detail: fmt.Sprintf("more than %d folders in each other", g.limits.MaxDepth)}
	}
	var s shape
	for _, e := range t.entries {
		var below shape
		if e.mode == filemode.Dir {
			if below = g.shape(e.id, depth+1); below.problem != "" {
				return below
			}
		}
		s.files = min(s.files+below.files+1, math.MaxInt32)
		s.path = max(s.path, len(e.name)+len("/")+below.path)
	}
	g.shapes[id] = s
	return s
}

// bytesOf adds up the files of a work tree of a tree.
func (g *graph) bytesOf(id plumbing.Hash, sizes map[plumbing.Hash]int64, known map[plumbing.Hash]int64) int64 {
	if n, ok := known[id]; ok {
		return n
	}
	var sum int64
	for _, e := range g.trees[id].entries {
		n := sizes[e.id]
		if e.mode == filemode.Dir {
			n = g.bytesOf(e.id, sizes, known)
		}
		sum = min(sum+n, math.MaxInt64/2)
	}
	known[id] = sum
	return sum
}

// layout is the order in which objects are written.
type layout struct{ commits, trees, files []plumbing.Hash }

// all are the objects in their order.
func (l layout) all() []plumbing.Hash { return slices.Concat(l.commits, l.trees, l.files) }

// layout sorts the objects of commits, which are sorted. Their trees must have passed check.
func (g *graph) layout(commits []plumbing.Hash) layout {
	trees, files := map[plumbing.Hash]string{}, map[plumbing.Hash]string{}
	var enter func(id plumbing.Hash, path string)
	enter = func(id plumbing.Hash, path string) {
		if _, met := trees[id]; met {
			return
		}
		trees[id] = path
		for _, e := range g.trees[id].entries {
			full := strings.TrimPrefix(path+"/"+e.name, "/")
			if e.mode == filemode.Dir {
				enter(e.id, full)
			} else if _, met := files[e.id]; !met && e.isFile() {
				files[e.id] = full
			}
		}
	}
	for _, id := range commits {
		enter(g.commits[id].tree, "")
	}
	return layout{commits: commits, trees: byPath(trees), files: byPath(files)}
}

// byPath sorts objects by their path, then by id.
func byPath(paths map[plumbing.Hash]string) []plumbing.Hash {
	ids := make([]plumbing.Hash, 0, len(paths))
	for id := range paths {
		ids = append(ids, id)
	}
	slices.SortFunc(ids,
		func(a, b plumbing.Hash) int { return cmp.Or(strings.Compare(paths[a], paths[b]), compareIDs(a, b)) })
	return ids
}

// workFile is a file, a symbolic link or a submodule of a work tree.
type workFile struct {
	path string
	entry
}

// workTree lists the entries of a work tree, in the order of its trees.
func (g *graph) workTree(root plumbing.Hash) []workFile {
	var list []workFile
	var enter func(id plumbing.Hash, path string)
	enter = func(id plumbing.Hash, path string) {
		for _, e := range g.trees[id].entries {
			full := strings.TrimPrefix(path+"/"+e.name, "/")
			if e.mode == filemode.Dir {
				enter(e.id, full)
			} else {
				list = append(list, workFile{full, e})
			}
		}
	}
	enter(root, "")
	return list
}
