package store

import (
	"fmt"
	"runtime/debug"
	"sync"

	"go.etcd.io/bbolt"

	"github.com/prforge/prforge/internal/memo"
)

// guarded runs fn and turns bbolt's panics and reads out of bounds on a damaged file into ErrDamaged.
func guarded(path string, fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: %w: %v", path, ErrDamaged, p)
		}
	}()
	return fn()
}

func (s *Shard) view(fn func(*bbolt.Tx) error) error {
	return s.use(func(db *bbolt.DB) error { return db.View(fn) })
}

func (s *Shard) update(fn func(*bbolt.Tx) error) error {
	return s.use(func(db *bbolt.DB) error {
		if err := s.inUse(); err != nil {
			return err
		}
		return db.Update(fn)
	})
}

// use runs fn on the shard's file, opened again where it was released. Its errors
// are ErrState.
func (s *Shard) use(fn func(*bbolt.DB) error) error { return unusable(s.onFile(fn)) }

func (s *Shard) onFile(fn func(*bbolt.DB) error) error {
	s.mu.RLock()
	for s.db == nil {
		s.mu.RUnlock()
		if err := s.reopen(); err != nil {
			return err
		}
		s.mu.RLock()
	}
	defer s.mu.RUnlock()
	return guarded(s.path, func() error { return fn(s.db) })
}

func (s *Shard) reopen() error {
	s.mu.Lock()
	if s.db != nil {
		s.mu.Unlock()
		return nil
	}
	db, err := s.open(s.path)
	s.db = db
	s.mu.Unlock()
	if err == nil {
		s.opened(s)
	}
	return err
}

// isOpen reports whether the shard's file is open; one in use counts as open.
func (s *Shard) isOpen() bool {
	if !s.mu.TryRLock() {
		return true
	}
	defer s.mu.RUnlock()
	return s.db != nil
}

// Release closes the shard's file until it is used again, so that a run over
// hundreds of repositories holds no more files in memory than it works on. A
// shard that is in use stays open.
func (s *Shard) Release() error {
	if !s.mu.TryLock() {
		return nil
	}
	defer s.mu.Unlock()
	if s.db == nil {
		return nil
	}
	s.listings.Drop()
	err := s.db.Close()
	s.db = nil
	return err
}

// Shard holds the records of one repository. It is safe for concurrent use: reads run beside each other and beside
// one write.
type Shard struct {
	path  string
	codec *codec
	max   int
	open  func(path string) (*bbolt.DB, error)
	// opened is called when the file is opened again.
	opened func(*Shard)
	// inUse is Store.InUse.
	inUse func() error
	// listings are decoded folders, by key; trees share most of them.
	listings *memo.Memo[[]listed]

	mu sync.RWMutex
	db *bbolt.DB // nil while released
}
