package store

import (
	"fmt"
	"runtime/debug"

	"go.etcd.io/bbolt"
)

// guarded runs fn and turns what bbolt does on a damaged file, a panic or a
// read outside of it, into ErrDamaged.
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
	return guarded(s.path, func() error { return s.db.View(fn) })
}

func (s *Shard) update(fn func(*bbolt.Tx) error) error {
	return guarded(s.path, func() error { return s.db.Update(fn) })
}
