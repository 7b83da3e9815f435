package github

import "sync"

// growAfter is the number of good pages after which a shrunken page grows.
const growAfter = 2

// pager is a page size that halves on a timeout and doubles back after good
// pages. It is shared by all requests of a kind, because what makes GitHub slow
// is seldom one repository. Safe for concurrent use.
type pager struct {
	mu        sync.Mutex
	max, size int
	good      int
}

func newPager(size int) *pager { return &pager{max: size, size: size} }

// now is the present size, at least 1.
func (p *pager) now() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.size
}

// shrink halves the size after a page of n items failed and reports whether a
// smaller page than n can be asked for.
func (p *pager) shrink(n int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.good = 0
	if half := max(1, n/2); half < p.size {
		p.size = half
	}
	return n > 1
}

// grow notes a good page.
func (p *pager) grow() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.size == p.max {
		return
	}
	if p.good++; p.good >= growAfter {
		p.good, p.size = 0, min(p.max, 2*p.size)
	}
}
