// Package memo keeps what is costly to make and is asked for again, within a
// bound on memory.
package memo

import "sync"

// Memo keeps values by key. A full one starts over: what is asked for most is
// soon back, and no order of use has to be kept. It is safe for concurrent use;
// so must its values be.
type Memo[V any] struct {
	limit int

	mu    sync.Mutex
	byKey map[string]V
	used  int
}

// New makes a memo for values whose total cost is at most limit, in the unit of Put.
func New[V any](limit int) *Memo[V] { return &Memo[V]{limit: limit} }

// Get gives the value of a key.
func (m *Memo[V]) Get(key string) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.byKey[key]
	return v, ok
}

// Put stores a value and drops others if there is no room. It does not store a value that costs more than the limit.
func (m *Memo[V]) Put(key string, v V, cost int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.byKey[key]; ok || cost > m.limit {
		return
	}
	if m.byKey == nil || m.used+cost > m.limit {
		m.byKey, m.used = map[string]V{}, 0
	}
	m.byKey[key] = v
	m.used += cost
}

// Drop forgets everything.
func (m *Memo[V]) Drop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.byKey, m.used = nil, 0
}
