package imports

import (
	"container/list"
	"sync"
	"unsafe"

	"golang.org/x/sync/singleflight"

	"github.com/prforge/prforge/internal/syntax"
)

// Cache holds facts about blobs, by object id, within a bound on memory. It is safe for many goroutines and for the
// graphs of many snapshots and repositories: a blob's facts do not depend on its path.
type Cache struct {
	maxBytes int64
	flight   singleflight.Group

	mu     sync.Mutex
	parsed Parsed
	used   int64
	order  *list.List // of *cached, most recently used first
	byKey  map[string]*list.Element
}

// cached is one entry: the words of a blob or its parsed file.
type cached struct {
	key   string
	size  int64
	words Words
	pkg   string // the package clause, as far as it shows without parsing
	file  *syntax.File
}

// Parsed is how many files were parsed, and their bytes. A file that is parsed again
// after it was dropped counts twice.
type Parsed struct {
	Files int   `json:"files"`
	Bytes int64 `json:"bytes"`
}

// Parsed is what was parsed for the cache so far.
func (c *Cache) Parsed() Parsed {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.parsed
}

func (c *Cache) countParsed(bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.parsed.Files++
	c.parsed.Bytes += int64(bytes)
}

// NewCache makes a cache of about maxBytes of facts; the least recently used go
// first.
func NewCache(maxBytes int64) *Cache {
	return &Cache{maxBytes: maxBytes, order: list.New(), byKey: map[string]*list.Element{}}
}

// Clear forgets everything that is kept.
func (c *Cache) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.order.Init()
	clear(c.byKey)
	c.used = 0
}

// get returns the entry of a key. If there is none, load makes it, once for all
// goroutines that wait for it. An entry whose load fails is not kept.
func (c *Cache) get(key string, load func() (cached, error)) (cached, error) {
	if e, ok := c.find(key); ok {
		return e, nil
	}
	v, err, _ := c.flight.Do(key, func() (any, error) {
		if e, ok := c.find(key); ok {
			return e, nil
		}
		e, err := load()
		if err != nil {
			return cached{}, err
		}
		e.key = key
		c.put(e)
		return e, nil
	})
	return v.(cached), err
}

func (c *Cache) find(key string) (cached, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.byKey[key]
	if !ok {
		return cached{}, false
	}
	c.order.MoveToFront(at)
	return *at.Value.(*cached), true
}

func (c *Cache) put(e cached) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byKey[e.key]; ok {
		return
	}
	c.byKey[e.key] = c.order.PushFront(&e)
	c.used += e.size
	for c.used > c.maxBytes && c.order.Len() > 1 {
		last := c.order.Back()
		old := last.Value.(*cached)
		c.order.Remove(last)
		delete(c.byKey, old.key)
		c.used -= old.size
	}
}

// entryCost is what an entry costs beside its contents: list and map.
const entryCost = 256

// fileCost estimates the memory of a parsed file. Names are interned per file;
// counting each at its use errs on the safe side.
func fileCost(f *syntax.File) int64 {
	n := int64(entryCost) + int64(unsafe.Sizeof(*f))
	n += int64(len(f.Definitions)) * int64(unsafe.Sizeof(syntax.Definition{}))
	n += int64(len(f.Calls)) * int64(unsafe.Sizeof(syntax.Call{}))
	n += int64(len(f.Locals)) * int64(unsafe.Sizeof(syntax.Local{}))
	n += int64(len(f.Uses)) * int64(unsafe.Sizeof(syntax.Use{}))
	n += int64(len(f.Imports)) * int64(unsafe.Sizeof(syntax.Import{}))
	for i := range f.Definitions {
		n += int64(len(f.Definitions[i].Signature) + len(f.Definitions[i].Qualified))
	}
	return n
}
