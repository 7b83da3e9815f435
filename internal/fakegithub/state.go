package fakegithub

import (
	"fmt"
	"hash/fnv"
	"slices"
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

// forcePush is a push that took commits out of the head's history.
type forcePush struct {
	pull          *pullState
	id            int64
	at            time.Time
	before, after *commit
}

// commitRef is a commit of a repository.
type commitRef struct {
	repo *repoState
	*commit
}

// gitObject is a blob or tree of a repository.
type gitObject struct {
	repo *repoState
	kind string
	sha  string
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

// blocked reports whether a repository is taken down by now.
func (r *repoState) blocked() bool {
	return r.Access == Blocked || r.Access == TakenDown && r.taken.Load()
}

// readable reports whether the token may read it now.
func (r *repoState) readable() bool { return r.Access != Hidden && !r.blocked() }

// association is the author's standing towards the repository.
func (r *repoState) association(login string) string {
	switch {
	case login == "" || login == "ghost":
		return "NONE"
	case slices.ContainsFunc(r.pulls, func(p *pullState) bool { return p.ClosedBy == login }):
		return "MEMBER"
	}
	return "CONTRIBUTOR"
}

// state is OPEN, CLOSED or MERGED.
func (p *pullState) state() string {
	switch {
	case p.isMerged():
		return "MERGED"
	case p.Method == NotMerged:
		return "CLOSED"
	}
	return "OPEN"
}

// url is the pull request's page.
func (p *pullState) url() string {
	return fmt.Sprintf("https://github.com/%s/pull/%d", p.repo.FullName(), p.Number)
}

// pending reports whether the thread's review was never submitted.
func (t *threadState) pending() bool { return t.comments[0].review.state == "PENDING" }

// commit is one end of the push, nil where GitHub no longer has it.
func (f *forcePush) commit(c *commit) any {
	if f.pull.repo.commits[c.sha] == nil {
		return nil
	}
	return commitRef{f.pull.repo, c}
}
