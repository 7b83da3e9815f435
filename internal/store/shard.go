package store

import (
	"crypto/rand"
	"fmt"
	"os"
	"strconv"

	"go.etcd.io/bbolt"
)

// schemaBucket holds the schema version; its name is no kind.
var (
	schemaBucket = []byte("schema")
	schemaKey    = []byte("version")
	identityKey  = []byte("id")
)

// Path is the shard's file.
func (s *Shard) Path() string { return s.path }

// Has reports whether there is such a record, without reading it.
func (s *Shard) Has(kind Kind, key string) (bool, error) {
	found := false
	err := s.view(func(tx *bbolt.Tx) error {
		b := tx.Bucket([]byte(kind))
		found = b != nil && b.Get([]byte(key)) != nil
		return nil
	})
	if err != nil {
		return false, fmt.Errorf("look up %s %q: %w", kind, key, err)
	}
	return found, nil
}

// Keys lists the keys of a kind, sorted by their bytes.
func (s *Shard) Keys(kind Kind) ([]string, error) {
	var keys []string
	err := s.view(func(tx *bbolt.Tx) error {
		b := tx.Bucket([]byte(kind))
		if b == nil {
			return nil
		}
		return b.ForEach(func(k, _ []byte) error {
			keys = append(keys, string(k))
			return nil
		})
	})
	if err != nil {
		return nil, fmt.Errorf("list %s records: %w", kind, err)
	}
	return keys, nil
}

// read gives a record's content; found is false where there is none.
func (s *Shard) read(kind Kind, key string) (format format, content []byte, found bool, err error) {
	err = s.view(func(tx *bbolt.Tx) error {
		b := tx.Bucket([]byte(kind))
		if b == nil {
			return nil
		}
		stored := b.Get([]byte(key))
		if len(stored) == 0 {
			return nil
		}
		found = true
		if format, content, err = s.codec.decode(stored, nil); err != nil {
			return fmt.Errorf("%s: %s %q: %w", s.path, kind, key, err)
		}
		return nil
	})
	return format, content, found, err
}

func writeSchema(tx *bbolt.Tx) error {
	b, err := tx.CreateBucketIfNotExists(schemaBucket)
	if err != nil {
		return err
	}
	return b.Put(schemaKey, []byte(strconv.Itoa(Schema)))
}

// identity is Store.ID; a new one is random.
func (s *Shard) identity() (id string, err error) {
	err = s.update(func(tx *bbolt.Tx) error {
		b := tx.Bucket(schemaBucket)
		if known := b.Get(identityKey); known != nil {
			id = string(known)
			return nil
		}
		id = rand.Text()
		return b.Put(identityKey, []byte(id))
	})
	return id, err
}

// check refuses a shard of a newer schema and one that was cut off, and raises
// one of an older schema to the present one.
func (s *Shard) check() error {
	old := false
	err := s.view(func(tx *bbolt.Tx) error {
		info, err := os.Stat(s.path)
		if err != nil {
			return err
		}
		if info.Size() < tx.Size() {
			return fmt.Errorf("%w: it has %d bytes of %d", ErrDamaged, info.Size(), tx.Size())
		}
		b := tx.Bucket(schemaBucket)
		if b == nil {
			return fmt.Errorf("%w: it has no schema version", ErrDamaged)
		}
		version, err := strconv.Atoi(string(b.Get(schemaKey)))
		if err != nil || version < 1 {
			return fmt.Errorf("%w: schema version %q", ErrDamaged, b.Get(schemaKey))
		}
		if version > Schema {
			return fmt.Errorf("schema %d, this prforge reads up to %d: %w", version, Schema, ErrNewer)
		}
		old = version < Schema
		return nil
	})
	if err != nil || !old {
		return err
	}
	return s.update(writeSchema)
}
