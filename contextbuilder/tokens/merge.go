package tokens

import (
	"container/heap"
	"math"
)

// noRank marks a part that cannot be merged with the one after it.
const noRank = math.MaxUint32

// merge splits a piece that is no token itself by byte-pair encoding and
// returns the bounds of its parts, from 0 to len(piece). Of all pairs of
// neighbors the one with the lowest rank is merged first, the leftmost of
// equals, until no pair is a token.
func (c *Counter) merge(piece string) []int {
	n := len(piece)
	m := merging{prev: make([]int, n+1), next: make([]int, n+1), rank: make([]uint32, n+1)}
	for i := range n + 1 {
		m.prev[i], m.next[i] = i-1, i+1
	}
	rank := func(i int) uint32 {
		j := m.next[i]
		if i >= n || j >= n {
			return noRank
		}
		if r, ok := c.ranks[piece[i:m.next[j]]]; ok {
			return r
		}
		return noRank
	}
	for i := range n + 1 {
		m.rank[i] = rank(i)
		if m.rank[i] != noRank {
			m.queue = append(m.queue, pair{m.rank[i], i})
		}
	}
	heap.Init(&m.queue)
	for len(m.queue) > 0 {
		best := heap.Pop(&m.queue).(pair)
		i := best.at
		if m.rank[i] != best.rank {
			continue // merged away or changed since it was queued
		}
		j := m.next[i]
		m.rank[j] = noRank
		m.next[i] = m.next[j]
		m.prev[m.next[i]] = i
		for _, k := range [2]int{m.prev[i], i} {
			if k < 0 {
				continue
			}
			if m.rank[k] = rank(k); m.rank[k] != noRank {
				heap.Push(&m.queue, pair{m.rank[k], k})
			}
		}
	}
	bounds := []int{0}
	for i := 0; i < n; i = m.next[i] {
		bounds = append(bounds, m.next[i])
	}
	return bounds
}

// merging is a doubly linked list of parts, each named by its first byte, with
// the rank of each part merged with its successor.
type merging struct {
	prev, next []int
	rank       []uint32
	queue      queue
}

// pair is a part and its successor that could be merged.
type pair struct {
	rank uint32
	at   int
}

// queue is a heap of pairs, by rank, then from left to right.
type queue []pair

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return q[i].rank < q[j].rank || q[i].rank == q[j].rank && q[i].at < q[j].at
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(pair)) }
func (q *queue) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}
