package tokens

import "math"

// noRank marks a part that cannot be merged with the next one.
const noRank = math.MaxUint32

// merging splits a piece that is not itself a token by byte-pair encoding. It is a doubly linked list of parts, each
// named by its first byte, with the rank of each part merged with its successor. It can be reused for another piece.
type merging struct {
	prev, next []int32
	rank       []uint32
	queue      queue
}

// split merges neighbors: of all pairs the one with the lowest rank first, the
// leftmost of equals, until no pair is a token. Then next leads from 0 through
// the parts' bounds to len(piece).
func (m *merging) split(piece string, ranks *vocabulary) {
	n := int32(len(piece))
	m.prev, m.next, m.rank, m.queue = m.prev[:0], m.next[:0], m.rank[:0], m.queue[:0]
	for i := range n + 1 {
		m.prev, m.next = append(m.prev, i-1), append(m.next, i+1)
	}
	rank := func(i int32) uint32 {
		if j := m.next[i]; i < n && j < n {
			if r, ok := ranks.id(piece[i:m.next[j]]); ok {
				return r
			}
		}
		return noRank
	}
	for i := range n + 1 {
		m.rank = append(m.rank, rank(i))
		if m.rank[i] != noRank {
			m.queue.add(pair(m.rank[i], i))
		}
	}
	for len(m.queue) > 0 {
		best, i := m.queue.take()
		if m.rank[i] != best {
			continue // merged away or changed since it was queued
		}
		j := m.next[i]
		m.rank[j] = noRank
		m.next[i] = m.next[j]
		m.prev[m.next[i]] = i
		for _, k := range [2]int32{m.prev[i], i} {
			if k < 0 {
				continue
			}
			if m.rank[k] = rank(k); m.rank[k] != noRank {
				m.queue.add(pair(m.rank[k], k))
			}
		}
	}
}

// parts is how many parts split left of a piece of n bytes.
func (m *merging) parts(n int) (count int) {
	for i := int32(0); int(i) < n; i = m.next[i] {
		count++
	}
	return count
}

// queue is a binary heap of pairs, each a part and its successor: the rank in the
// upper half and the part's place in the lower one, so that the least number is
// the pair to merge first. container/heap would box every one.
type queue []uint64

func pair(rank uint32, at int32) uint64 { return uint64(rank)<<32 | uint64(at) }

// add puts a pair in.
func (q *queue) add(p uint64) {
	h := append(*q, p)
	i := len(h) - 1
	for ; i > 0 && h[(i-1)/2] > p; i = (i - 1) / 2 {
		h[i] = h[(i-1)/2]
	}
	h[i] = p
	*q = h
}

// take removes and returns the least pair.
func (q *queue) take() (rank uint32, at int32) {
	h := *q
	least, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	i := 0
	for child := 1; child < len(h); child = 2*i + 1 {
		if child+1 < len(h) && h[child+1] < h[child] {
			child++
		}
		if h[child] >= last {
			break
		}
		h[i] = h[child]
		i = child
	}
	if len(h) > 0 {
		h[i] = last
	}
	*q = h
	return uint32(least >> 32), int32(uint32(least))
}
