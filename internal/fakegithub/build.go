package fakegithub

import (
	"errors"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// site is a built world: what the endpoints answer from.
type site struct {
	world  *World
	root   string // folder of the bare repositories, OWNER/NAME.git
	repos  []*repoState
	byName map[string]*repoState // lower case, former names too
	nodes  map[string]any        // by GraphQL node id
}

// repoState is a repository with its history.
type repoState struct {
	*Repo
	git      repository
	history  *history
	commits  map[string]*commit // by sha
	purged   map[string]*commit // by sha
	pulls    []*pullState       // by number
	byNumber map[int]*pullState
	objects  objects
	taken    atomic.Bool // a TakenDown repository is gone from now on

	mu    sync.Mutex
	diffs map[pair]*parsedDiff // made so far
}

// pullState is a pull request with all that its history decided.
type pullState struct {
	*Pull
	*pullHistory
	repo     *repoState
	id       int64
	updated  time.Time
	diff     string
	files    []changedFile
	reviews  []*reviewState
	threads  []*threadState
	comments []*issueComment
	dismiss  []*dismissal
	pushes   []*forcePush
}

// reviewState is a review.
type reviewState struct {
	pull      *pullState
	id        int64
	author    string
	state     string // as it is now
	was       string // before it was dismissed
	body      string
	at        time.Time
	commit    *commit
	minimized string
	threads   []*threadState // started in it
	reply     *commentState  // the reply it carries, nil if none
}

// threadState is a review thread with its position in the final diff.
type threadState struct {
	pull                    *pullState
	id                      int64
	path                    string
	side                    string // LEFT or RIGHT
	subject                 string // LINE or FILE
	line, start             *int   // nil when outdated, or for a file
	original, originalStart *int
	outdated                bool
	resolvedBy              string
	comments                []*commentState
}

// commentState is a comment of a thread.
type commentState struct {
	thread    *threadState
	review    *reviewState
	id        int64
	author    string
	body      string
	at        time.Time
	edited    bool
	liked     []string // logins of who reacted with a thumb up
	minimized string
	hunk      string
	written   *commit // the head when it was written
	replyTo   *commentState
}

// issueComment is a comment of the conversation.
type issueComment struct {
	pull      *pullState
	id        int64
	author    string
	body      string
	at        time.Time
	edited    bool
	minimized string
}

// dismissal is the event of a review's dismissal.
type dismissal struct {
	review *reviewState
	id     int64
	actor  string
	at     time.Time
	body   string
}

// actor is an account as an author of something.
type actor struct {
	login string
	kind  string // GraphQL type
	id    int64
}

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

// repo finds a repository by its present name or a former one.
func (s *site) repo(owner, name string) *repoState {
	return s.byName[strings.ToLower(owner+"/"+name)]
}

// actor is nil for a deleted account.
func (s *site) actor(login string) *actor {
	kind := s.world.accountType(login)
	if kind == "" {
		return nil
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(strings.ToLower(login))) // never fails
	return &actor{login: login, kind: kind, id: int64(h.Sum32() % 200_000_000)}
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

// nodeID is the opaque global id of an object.
func nodeID(x any) string {
	switch x := x.(type) {
	case *repoState:
		return fmt.Sprintf("R_%d", x.ID)
	case *pullState:
		return fmt.Sprintf("PR_%d", x.id)
	case *reviewState:
		return fmt.Sprintf("PRR_%d", x.id)
	case *threadState:
		return fmt.Sprintf("PRRT_%d", x.id)
	case *commentState:
		return fmt.Sprintf("PRRC_%d", x.id)
	case *issueComment:
		return fmt.Sprintf("IC_%d", x.id)
	case *dismissal:
		return fmt.Sprintf("RDE_%d", x.id)
	case *forcePush:
		return fmt.Sprintf("HRFPE_%d", x.id)
	case *actor:
		return fmt.Sprintf("U_%d", x.id)
	}
	return ""
}
