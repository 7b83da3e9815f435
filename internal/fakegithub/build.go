package fakegithub

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// build makes every repository of a world under root.
func build(w *World, root string) (*site, error) {
	s := &site{world: w, root: root, byName: map[string]*repoState{}, nodes: map[string]any{}}
	errs := make([]error, len(w.Repos))
	s.repos = make([]*repoState, len(w.Repos))
	var wg sync.WaitGroup
	for i, r := range w.Repos {
		wg.Go(func() {
			state, err := buildRepo(r, root)
			if err != nil {
				errs[i] = fmt.Errorf("world repository %s: %w", r.FullName(), err)
			}
			s.repos[i] = state
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	for _, r := range s.repos {
		s.byName[strings.ToLower(r.FullName())] = r
		for _, former := range r.FormerNames {
			s.byName[strings.ToLower(former)] = r
		}
		s.index(r)
	}
	return s, nil
}

func buildRepo(r *Repo, root string) (*repoState, error) {
	s := &repoState{
		Repo: r, git: repository{dir: filepath.Join(root, r.Owner, r.Name+".git")},
		commits: map[string]*commit{}, purged: map[string]*commit{}, byNumber: map[int]*pullState{},
		objects: objects{blobs: map[string][]byte{}, trees: map[string][]treeEntry{}},
	}
	var pulls []*pullHistory
	var err error
	if s.history, pulls, err = makeHistory(r); err != nil {
		return nil, err
	}
	if err = s.git.store(s.history); err != nil {
		return nil, err
	}
	for _, c := range s.history.commits {
		s.commits[c.sha] = c
		c.treeSHA = s.objects.add(c.files)
	}
	for _, ph := range pulls {
		p := &pullState{Pull: ph.pull, pullHistory: ph, repo: s, id: r.ID*100_000 + int64(ph.pull.Number)}
		ph.finish()
		s.pulls = append(s.pulls, p)
		s.byNumber[p.Number] = p
	}
	if s.diffs, err = s.compareAll(); err != nil {
		return nil, err
	}
	if err = s.git.purge(s.history, s.pulls); err != nil {
		return nil, err
	}
	for _, p := range s.pulls {
		if err := p.settle(s.diffs); err != nil {
			return nil, fmt.Errorf("#%d: %w", p.Number, err)
		}
		if p.BaseGone {
			delete(s.history.refs, "refs/heads/"+p.Base)
		}
		if p.IsPurged || p.BaseGone {
			delete(s.history.refs, fmt.Sprintf("refs/pull/%d/head", p.Number))
		}
		if p.IsPurged {
			for _, c := range p.steps {
				delete(s.commits, c.sha)
				s.purged[c.sha] = c
			}
		}
	}
	return s, nil
}

// compareAll makes every diff that the pull requests need: the final one, and
// for each commit talked about its own and the ways to the final one.
func (r *repoState) compareAll() (map[pair]*parsedDiff, error) {
	var pairs []pair
	seen := map[pair]bool{}
	want := func(from, to *commit) {
		if p := (pair{from, to}); !seen[p] {
			seen[p] = true
			pairs = append(pairs, p)
		}
	}
	for _, p := range r.pulls {
		want(p.fork(), p.head())
		for i, c := range p.steps {
			want(p.forks[i], c)
			want(c, p.head())
			want(p.forks[i], p.fork())
		}
	}
	texts, err := r.git.diffs(pairs)
	if err != nil {
		return nil, err
	}
	out := make(map[pair]*parsedDiff, len(texts))
	for p, text := range texts {
		if out[p], err = parseDiff(text); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// settle plays the talk.
func (p *pullState) settle(diffs map[pair]*parsedDiff) error {
	final := diffs[pair{p.fork(), p.head()}]
	p.diff, p.files = final.text, final.files
	p.updated = p.CreatedAt
	if !p.ClosedAt.IsZero() {
		p.updated = p.ClosedAt
	}
	player := &player{pull: p, diffs: diffs, step: len(p.steps) - 1, next: firstID(p)}
	for _, e := range p.Talk {
		if e.Kind == Push {
			player.step--
		}
	}
	times := p.times()
	for i, e := range p.Talk {
		if err := player.play(e, times[i]); err != nil {
			return fmt.Errorf("talk: %s %s %q: %w", e.Kind, e.Path, e.Text, err)
		}
	}
	return nil
}

// firstID is where the ids of what happens in a pull request begin. They are
// over 32 bits, as GitHub's are, and depend on nothing but the pull request.
func firstID(p *pullState) int64 {
	return 3_000_000_000 + p.repo.ID*1_000_000_000 + int64(p.Number)*100_000
}

// index gives every object its node id.
func (s *site) index(r *repoState) {
	s.nodes[nodeID(r)] = r
	for _, p := range r.pulls {
		s.nodes[nodeID(p)] = p
		for _, v := range p.reviews {
			s.nodes[nodeID(v)] = v
		}
		for _, t := range p.threads {
			s.nodes[nodeID(t)] = t
			for _, c := range t.comments {
				s.nodes[nodeID(c)] = c
			}
		}
		for _, c := range p.comments {
			s.nodes[nodeID(c)] = c
		}
	}
}

// purge removes pull requests' commits for good.
func (r repository) purge(h *history, pulls []*pullState) error {
	gone := map[*commit]bool{}
	var refs bytes.Buffer
	for _, p := range pulls {
		if p.IsPurged {
			fmt.Fprintf(&refs, "delete refs/pull/%d/head\n", p.Number)
			for _, c := range p.steps {
				gone[c] = true
			}
		}
		if p.BaseGone {
			fmt.Fprintf(&refs, "delete refs/pull/%d/head\ndelete refs/heads/%s\n", p.Number, p.Base)
			for c := p.merge; c != nil && len(c.parents) > 0; c = c.parents[0] {
				gone[c] = true
			}
			for _, c := range p.steps {
				gone[c] = true
			}
		}
	}
	if len(gone) == 0 {
		return nil
	}
	for _, c := range h.commits {
		if !gone[c] {
			fmt.Fprintf(&refs, "create %s%s %s\n", hiddenRefs, c.sha, c.sha)
		}
	}
	for _, step := range [][]string{{"update-ref", "--stdin"}, {"repack", "-a", "-d", "-q"}, {"prune", "--expire=now"}} {
		if _, err := r.run(refs.Bytes(), step...); err != nil {
			return err
		}
	}
	return nil
}

// Export writes a world as tests over real pull requests want theirs: the bare
// repositories OWNER+NAME/repo, and pulls.jsonl with the merged pull requests whose
// commits git still has, without what was never submitted.
func (w *World) Export(dir string) error {
	s, err := build(w, filepath.Join(dir, "git"))
	if err != nil {
		return err
	}
	var out bytes.Buffer
	lines := json.NewEncoder(&out)
	for _, r := range s.repos {
		mirror := filepath.Join(dir, r.Owner+"+"+r.Name)
		if err := os.Mkdir(mirror, 0o755); err != nil {
			return err
		}
		if err := os.Rename(r.git.dir, filepath.Join(mirror, "repo")); err != nil {
			return fmt.Errorf("export %s: %w", r.FullName(), err)
		}
		for _, p := range r.pulls {
			if !p.isMerged() || p.IsPurged || p.BaseGone {
				continue
			}
			if err := lines.Encode(p.export()); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(filepath.Join(dir, "pulls.jsonl"), out.Bytes(), 0o644)
}

func (p *pullState) export() exported {
	out := exported{
		Repo: p.repo.FullName(), Number: p.Number, Title: p.Title, Body: p.Body, Labels: p.Labels, MergedAt: p.ClosedAt,
		BaseSHA: p.fork().sha, BaseTip: p.baseTip.sha, HeadSHA: p.head().sha, MergeSHA: p.merge.sha,
	}
	for _, t := range p.threads {
		if t.pending() {
			continue
		}
		thread := exportedThread{Path: t.path, Line: t.line, OriginalLine: t.original, Side: t.side, IsOutdated: t.outdated,
			Subject: t.subject}
		for _, c := range t.comments {
			thread.Comments = append(thread.Comments,
				exportedComment{ID: c.id, Body: c.body, DiffHunk: c.hunk, OriginalCommit: c.written.sha})
		}
		out.Threads = append(out.Threads, thread)
	}
	return out
}
