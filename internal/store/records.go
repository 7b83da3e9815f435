package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"go.etcd.io/bbolt"
)

// Writer takes records: a Shard commits each at once, a Batch commits them together.
type Writer interface {
	put(kind Kind, key string, f format, content []byte) error
	drop(kind Kind, key string) error
	// Has reports whether the shard has the record. It does not see what a Batch put before the commit.
	Has(kind Kind, key string) (bool, error)
}

// Put stores a value as JSON and replaces the key's former value. It fails with ErrNotText if a string is not UTF-8
// and with ErrTooLarge above Options.MaxRecord.
func Put[T any](w Writer, kind Kind, key string, value T) error {
	content, err := marshal(value)
	if err != nil {
		return fmt.Errorf("store %s %q: %w", kind, key, err)
	}
	return w.put(kind, key, formatJSON, content)
}

// Get reads a value that Put stored. The second result is false if there is none. The error is ErrDamaged if the
// record is not what was written.
func Get[T any](s *Shard, kind Kind, key string) (T, bool, error) {
	var value T
	f, content, found, err := s.read(kind, key)
	if err != nil || !found {
		return value, found, err
	}
	if f != formatJSON {
		return value, true, fmt.Errorf("%s: %s %q is not JSON", s.path, kind, key)
	}
	if err := json.Unmarshal(content, &value); err != nil {
		return value, true, unusable(fmt.Errorf("%s: %s %q: %w: %w", s.path, kind, key, ErrDamaged, err))
	}
	return value, true, nil
}

// Delete removes a record; a missing one is no error.
func Delete(w Writer, kind Kind, key string) error { return w.drop(kind, key) }

// Batch gathers writes that are committed in one transaction. It is not safe
// for concurrent use and holds what was put, compressed, until the commit.
type Batch struct {
	shard  *Shard
	writes []write
	size   int
}

type write struct {
	kind   Kind
	key    string
	record []byte // nil deletes
}

// Batch runs fn and commits what it put, all of it or nothing.
func (s *Shard) Batch(fn func(*Batch) error) error {
	b := &Batch{shard: s}
	if err := fn(b); err != nil {
		return err
	}
	return s.commit(b.writes)
}

func (b *Batch) put(kind Kind, key string, f format, content []byte) error {
	w, err := b.shard.prepare(kind, key, f, content)
	if err != nil {
		return err
	}
	b.writes = append(b.writes, w)
	b.size += len(w.record)
	return nil
}

// Has implements Writer.
func (b *Batch) Has(kind Kind, key string) (bool, error) { return b.shard.Has(kind, key) }

func (b *Batch) drop(kind Kind, key string) error {
	b.writes = append(b.writes, write{kind: kind, key: key})
	return nil
}

func (s *Shard) put(kind Kind, key string, f format, content []byte) error {
	w, err := s.prepare(kind, key, f, content)
	if err != nil {
		return err
	}
	return s.commit([]write{w})
}

func (s *Shard) drop(kind Kind, key string) error {
	return s.commit([]write{{kind: kind, key: key}})
}

// prepare checks and compresses a record, outside of any transaction.
func (s *Shard) prepare(kind Kind, key string, f format, content []byte) (write, error) {
	switch {
	case !kind.known():
		return write{}, fmt.Errorf("store %q: unknown kind %q", key, kind)
	case key == "" || len(key) > bbolt.MaxKeySize:
		return write{}, fmt.Errorf("store %s: a key of %d bytes", kind, len(key))
	case !utf8.ValidString(key):
		return write{}, fmt.Errorf("store %s %q: key: %w", kind, key, ErrNotText)
	case len(content) > s.max:
		return write{}, fmt.Errorf("store %s %q: %d bytes: %w", kind, key, len(content), ErrTooLarge)
	}
	return write{kind: kind, key: key, record: s.codec.encode(f, content)}, nil
}

// commit writes in one transaction.
func (s *Shard) commit(writes []write) error {
	if len(writes) == 0 {
		return nil
	}
	err := s.update(func(tx *bbolt.Tx) error {
		for _, w := range writes {
			b, err := tx.CreateBucketIfNotExists([]byte(w.kind))
			if err != nil {
				return err
			}
			switch {
			case w.record == nil:
				err = b.Delete([]byte(w.key))
			case !bytes.Equal(b.Get([]byte(w.key)), w.record): // trees share listings, commits share blobs
				err = b.Put([]byte(w.key), w.record)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("write %s: %w", s.path, err)
	}
	return nil
}
