package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Plan is the contents of a file.
type Plan struct {
	Header Header
	order  layout
	source Source
	limits Limits
}

// NewPlan decides what belongs into a repository's file: for each record without a problem, everything from its
// revision to the ends of its history. A record with unavailable or unsafe objects gets its problem. It asks the
// source for all objects of a kind at once: the trees of all records, and then the files.
func NewPlan(ctx context.Context, repository string, records []Record, from Source, l Limits) (*Plan, error) {
	records = slices.Clone(records)
	slices.SortFunc(records, func(a, b Record) int { return strings.Compare(a.TaskID, b.TaskID) })
	p := &planner{graph: newGraph(l), source: from, records: records, spans: make([]span, len(records)),
		absent: map[plumbing.Hash]bool{}}
	err := p.loadCommits(ctx)
	if err == nil {
		err = p.loadTrees(ctx)
	}
	if err == nil {
		err = p.needFiles(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("snapshots of %s: %w", repository, err)
	}
	var commits []plumbing.Hash
	for i := range p.good() {
		commits = append(commits, p.spans[i].all()...)
	}
	header := Header{Schema: Schema, Repository: repository, Records: p.records}
	return &Plan{Header: header, order: p.graph.layout(sortedIDs(commits)), source: from, limits: l}, nil
}

// planner makes a Plan.
type planner struct {
	graph   *graph
	source  Source
	records []Record
	spans   []span // of the records
	held    int64  // bytes of commits and trees
	absent  map[plumbing.Hash]bool
}

// good yields the indexes of the records without a problem.
func (p *planner) good() func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i, r := range p.records {
			if r.Problem == "" && !yield(i) {
				return
			}
		}
	}
}

// reject notes why a record has no snapshot.
func (p *planner) reject(i int, problem Problem, format string, args ...any) {
	r := &p.records[i]
	r.Problem, r.Detail, r.Shallow = problem, fmt.Sprintf(format, args...), nil
}

// loadCommits walks the histories of all records side by side.
func (p *planner) loadCommits(ctx context.Context) error {
	return p.load(ctx, CommitAbsent, kindCommit, func(i int) []plumbing.Hash {
		s, problem, detail := p.graph.span(p.records[i])
		if problem != "" {
			p.reject(i, problem, "%s", detail)
			return nil
		}
		p.spans[i] = s
		return s.missing
	})
}

// loadTrees reads and checks the trees of all commits, level by level.
func (p *planner) loadTrees(ctx context.Context) error {
	err := p.load(ctx, ObjectsAbsent, kindTree,
		func(i int) []plumbing.Hash { return p.graph.missingTrees(p.spans[i].all()) })
	for i := range p.good() {
		if problem, detail := p.graph.check(p.spans[i]); problem != "" {
			p.reject(i, problem, "%s", detail)
		}
	}
	return err
}

// load reads commits or trees until no record misses any. It rejects a record whose objects are unavailable or exceed
// the limits.
func (p *planner) load(ctx context.Context, problem Problem, kind string, missing func(i int) []plumbing.Hash) error {
	for {
		wanted := map[plumbing.Hash]bool{}
		for i := range p.good() {
			for _, id := range missing(i) {
				if p.absent[id] {
					p.reject(i, problem, "%s %s is not available", kind, id)
					break
				}
				wanted[id] = true
			}
		}
		if len(wanted) == 0 {
			return nil
		}
		err := p.read(ctx, kind, wanted)
		if errors.Is(err, errHeld) {
			for i := range p.good() {
				if len(missing(i)) > 0 {
					p.reject(i, TooLarge, "the repository's records have more than %d bytes of commits and trees",
						p.graph.limits.MaxHeld)
				}
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// errHeld says that commits and trees exceed the memory limit.
var errHeld = errors.New("too many commits and trees")

// read brings objects into the graph, or notes that they are absent.
func (p *planner) read(ctx context.Context, kind string, wanted map[plumbing.Hash]bool) error {
	names := names(wanted)
	sizes, err := p.source.Need(ctx, kind, names)
	if err != nil {
		return err
	}
	here := names[:0]
	for _, name := range names {
		size, ok := sizes[name]
		if !ok {
			p.absent[plumbing.NewHash(name)] = true
			continue
		}
		if p.held += size; p.held > p.graph.limits.MaxHeld {
			return errHeld
		}
		here = append(here, name)
	}
	return p.source.Objects(ctx, here, func(name, is string, size int64, body io.Reader) error {
		if is != kind || size != sizes[name] {
			return fmt.Errorf("object %s: %w: a %s of %d bytes, not a %s of %d", name, ErrDamaged, is, size, kind, sizes[name])
		}
		raw := make([]byte, size)
		if _, err := io.ReadFull(body, raw); err != nil {
			return err
		}
		id, err := p.graph.add(kind, raw)
		if err == nil && id.String() != name {
			err = fmt.Errorf("object %s: %w: its bytes have another id", name, ErrDamaged)
		}
		return err
	})
}

// names are ids in hexadecimal, sorted.
func names(ids map[plumbing.Hash]bool) []string {
	list := make([]string, 0, len(ids))
	for id := range ids {
		list = append(list, id.String())
	}
	slices.Sort(list)
	return list
}

// needFiles fetches the files of all records.
func (p *planner) needFiles(ctx context.Context) error {
	wanted, files := map[plumbing.Hash]bool{}, make([]map[plumbing.Hash]bool, len(p.records))
	for i := range p.good() {
		_, files[i] = p.graph.needs(p.spans[i].all())
		for id := range files[i] {
			wanted[id] = true
		}
	}
	found, err := p.source.Need(ctx, kindFile, names(wanted))
	if err != nil {
		return err
	}
	sizes, known := make(map[plumbing.Hash]int64, len(found)), map[plumbing.Hash]int64{}
	for name, size := range found {
		sizes[plumbing.NewHash(name)] = size
	}
	for i := range p.good() {
		p.checkFiles(i, names(files[i]), found)
	}
	for i := range p.good() {
		for _, id := range p.spans[i].all() {
			if p.graph.bytesOf(p.graph.commits[id].tree, sizes, known) > p.graph.limits.MaxTree {
				p.reject(i, TooLarge, "commit %s has files of more than %d bytes together", id, p.graph.limits.MaxTree)
				break
			}
		}
	}
	return nil
}

// checkFiles rejects a record with a file that is unavailable or too large.
func (p *planner) checkFiles(i int, files []string, sizes map[string]int64) {
	for _, name := range files {
		size, ok := sizes[name]
		if !ok {
			p.reject(i, ObjectsAbsent, "file %s is not available", name)
			return
		}
		if size > p.graph.limits.MaxObject {
			p.reject(i, TooLarge, "file %s has %d bytes", name, size)
			return
		}
	}
}
