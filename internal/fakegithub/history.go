package fakegithub

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// commit is a commit of a history that is being made; sha and treeSHA are
// known once git has stored it.
type commit struct {
	mark    int
	sha     string
	treeSHA string
	parents []*commit
	files   map[string]file
	message string
	author  string
	date    time.Time
}

// history is a repository's commits and where its branches were at any time.
type history struct {
	repo     *Repo
	commits  []*commit // parents first
	refs     map[string]*commit
	refNames []string // in the order of their first commit
	byCommit map[*commit]string
	tips     map[string][]*commit // branch -> its successive tips
}

// pullHistory is where a pull request's commits lie.
type pullHistory struct {
	pull    *Pull
	steps   []*commit // one a step
	forks   []*commit // by step: what its diff is against
	live    []int     // indices of the steps that the head still contains
	baseTip *commit   // tip of the base branch before the merge
	merge   *commit   // nil if not merged
	pushed  []time.Time
}

// head is the last commit.
func (ph *pullHistory) head() *commit { return ph.steps[len(ph.steps)-1] }

// fork is the commit that the final diff is against.
func (ph *pullHistory) fork() *commit { return ph.forks[len(ph.forks)-1] }

// moment is one thing that happens to a repository.
type moment struct {
	at   time.Time
	pull *pullHistory
	step int // index of the step pushed; -1 for the end of the pull request
}

// makeHistory plays a repository's pull requests in the order of time.
func makeHistory(r *Repo) (*history, []*pullHistory, error) {
	h := &history{repo: r, refs: map[string]*commit{}, byCommit: map[*commit]string{}, tips: map[string][]*commit{}}
	if r.IsEmpty {
		return h, nil, nil
	}
	files, err := applyAll(map[string]file{}, r.Files)
	if err != nil {
		return nil, nil, err
	}
	root := h.add("refs/heads/"+r.DefaultBranch, &commit{files: files, message: "Initial commit", author: r.Owner,
		date: r.CreatedAt})
	h.tips[r.DefaultBranch] = []*commit{root}
	for _, b := range r.Branches {
		h.setRef("refs/heads/"+b, root)
		h.tips[b] = []*commit{root}
	}
	var pulls []*pullHistory
	var moments []moment
	for _, p := range r.Pulls {
		ph := &pullHistory{pull: p}
		pulls = append(pulls, ph)
		m, err := ph.moments()
		if err != nil {
			return nil, nil, fmt.Errorf("#%d: %w", p.Number, err)
		}
		moments = append(moments, m...)
	}
	slices.SortStableFunc(moments, func(a, b moment) int { return a.at.Compare(b.at) })
	for _, m := range moments {
		if m.step >= 0 {
			err = h.push(m.pull, m.step, m.at)
		} else if err = h.end(m.pull); err == nil {
			m.pull.finish()
		}
		if err != nil {
			return nil, nil, fmt.Errorf("#%d: %w", m.pull.pull.Number, err)
		}
	}
	return h, pulls, nil
}

func (h *history) setRef(name string, c *commit) {
	if h.refs[name] == nil {
		h.refNames = append(h.refNames, name)
	}
	h.refs[name] = c
}

// add appends a commit and moves a ref to it.
func (h *history) add(ref string, c *commit) *commit {
	c.mark = len(h.commits) + 1
	h.commits = append(h.commits, c)
	h.byCommit[c] = ref
	h.setRef(ref, c)
	return c
}

func (h *history) tip(branch string) (*commit, error) {
	tips := h.tips[branch]
	if len(tips) == 0 {
		return nil, fmt.Errorf("the repository has no branch %q", branch)
	}
	return tips[len(tips)-1], nil
}

func (p *Pull) base(r *Repo) string { return cmp.Or(p.Base, r.DefaultBranch) }

// times returns the moment of each event of the talk: they are spread evenly
// over the life of the pull request.
func (p *Pull) times() []time.Time {
	end := p.ClosedAt
	if end.IsZero() {
		end = p.CreatedAt.Add(10 * 24 * time.Hour)
	}
	slot := end.Sub(p.CreatedAt) / time.Duration(len(p.Talk)+1)
	out := make([]time.Time, len(p.Talk))
	for i := range out {
		out[i] = p.CreatedAt.Add(time.Duration(i+1) * slot).Truncate(time.Second)
	}
	return out
}

// moments lists the pull request's pushes and its end. Steps without a push of
// their own in the talk were there when it was opened.
func (ph *pullHistory) moments() ([]moment, error) {
	p := ph.pull
	var pushes []time.Time
	times := p.times()
	for i, e := range p.Talk {
		if e.Kind == Push {
			pushes = append(pushes, times[i])
		}
	}
	first := len(p.Steps) - len(pushes)
	if first < 1 {
		return nil, fmt.Errorf("%d steps and %d pushes: there must be a step more", len(p.Steps), len(pushes))
	}
	for range first {
		ph.pushed = append(ph.pushed, p.CreatedAt)
	}
	ph.pushed = append(ph.pushed, pushes...)
	var out []moment
	for i, at := range ph.pushed {
		out = append(out, moment{at: at, pull: ph, step: i})
	}
	if p.Method != StillOpen {
		if !p.ClosedAt.After(p.CreatedAt) {
			return nil, fmt.Errorf("closed %s is not after created %s", p.ClosedAt.Format(time.RFC3339),
				p.CreatedAt.Format(time.RFC3339))
		}
		out = append(out, moment{at: p.ClosedAt, pull: ph, step: -1})
	}
	return out, nil
}

// push makes the commit of a step.
func (h *history) push(ph *pullHistory, i int, at time.Time) error {
	p, step := ph.pull, ph.pull.Steps[i]
	tip, err := h.tip(p.base(h.repo))
	if err != nil {
		return err
	}
	ref := fmt.Sprintf("refs/pull/%d/head", p.Number)
	c := &commit{message: cmp.Or(step.Message, p.Title), author: p.Author, date: at}
	fork := tip
	switch {
	case i == 0 || step.Force:
		ph.live = nil
		c.parents, c.files = []*commit{tip}, tip.files
	case step.MergeBase:
		c.parents = []*commit{ph.steps[i-1], tip}
		c.message = cmp.Or(step.Message, fmt.Sprintf("Merge branch '%s' into %s", p.base(h.repo), p.headRef()))
		if c.files, err = ph.replay(tip.files); err != nil {
			return fmt.Errorf("step %d merges the base: %w", i+1, err)
		}
	default:
		fork = ph.forks[i-1]
		c.parents, c.files = []*commit{ph.steps[i-1]}, ph.steps[i-1].files
	}
	if c.files, err = applyAll(c.files, step.Edits); err != nil {
		return fmt.Errorf("step %d: %w", i+1, err)
	}
	ph.steps, ph.forks, ph.live = append(ph.steps, h.add(ref, c)), append(ph.forks, fork), append(ph.live, i)
	return nil
}

// replay applies the live steps to another tree, as a three-way merge would.
func (ph *pullHistory) replay(files map[string]file) (map[string]file, error) {
	var err error
	for _, i := range ph.live {
		if files, err = applyAll(files, ph.pull.Steps[i].Edits); err != nil {
			return nil, fmt.Errorf("step %d again: %w", i+1, err)
		}
	}
	return files, nil
}

// end merges or closes a pull request.
func (h *history) end(ph *pullHistory) error {
	p := ph.pull
	branch := p.base(h.repo)
	tip, err := h.tip(branch)
	if err != nil {
		return err
	}
	ph.baseTip = tip
	if !p.isMerged() {
		return nil
	}
	ref := "refs/heads/" + branch
	files, err := ph.replay(tip.files)
	if err != nil {
		return fmt.Errorf("merge: %w", err)
	}
	title := fmt.Sprintf("%s (#%d)", p.Title, p.Number)
	switch p.Method {
	case MergeCommit:
		message := fmt.Sprintf("Merge pull request #%d from %s/%s\n\n%s", p.Number, p.Author, p.headRef(), p.Title)
		ph.merge = h.add(ref, &commit{files: files, parents: []*commit{tip, ph.head()}, message: message, author: p.ClosedBy,
			date: p.ClosedAt})
	case Squash:
		ph.merge = h.add(ref, &commit{files: files, parents: []*commit{tip}, message: title, author: p.Author,
			date: p.ClosedAt})
	case Rebase:
		on := tip
		for _, i := range ph.live {
			if files, err = applyAll(on.files, p.Steps[i].Edits); err != nil {
				return fmt.Errorf("rebase: %w", err)
			}
			on = h.add(ref, &commit{files: files, parents: []*commit{on}, message: ph.steps[i].message, author: p.Author,
				date: p.ClosedAt})
		}
		ph.merge = on
	}
	h.tips[branch] = append(h.tips[branch], ph.merge)
	return nil
}

// finish settles what only the end of the world knows.
func (ph *pullHistory) finish() {
	if ph.baseTip == nil {
		ph.baseTip = ph.fork()
	}
}

func (p *Pull) headRef() string {
	return cmp.Or(p.HeadRef, fmt.Sprintf("change-%d", p.Number))
}
