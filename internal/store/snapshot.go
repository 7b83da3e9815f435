package store

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/model"
)

// snapshot is a commit's tree over the shard's blobs. It never changes once
// made.
type snapshot struct {
	shard   *Shard
	commit  string
	entries []model.TreeEntry // by path
	kept    []bool            // beside entries
}

// Snapshot reads the tree that PutTree stored under the key. It is safe for
// concurrent use; its entries are decoded here, once, and each Read checks the
// bytes as Blob does. The error is fs.ErrNotExist where the
// tree was never stored.
func (s *Shard) Snapshot(key string) (model.Snapshot, error) {
	record, err := s.tree(key)
	if err != nil {
		return nil, err
	}
	files, err := s.files(record)
	if err != nil {
		return nil, err
	}
	snap := &snapshot{shard: s, commit: record.Commit, entries: make([]model.TreeEntry, len(files)),
		kept: make([]bool, len(files))}
	for i, f := range files {
		snap.entries[i], snap.kept[i] = f.TreeEntry, f.Kept
	}
	return snap, nil
}

// Commit implements model.Snapshot.
func (s *snapshot) Commit() string { return s.commit }

// Entries implements model.Snapshot. The slice is the caller's own.
func (s *snapshot) Entries() []model.TreeEntry { return slices.Clone(s.entries) }

// Read implements model.Snapshot.
func (s *snapshot) Read(name string) ([]byte, error) {
	i, found := slices.BinarySearchFunc(s.entries, name,
		func(e model.TreeEntry, name string) int { return strings.Compare(e.Path, name) })
	if !found {
		return nil, fmt.Errorf("%s at %s: %w", name, s.commit, fs.ErrNotExist)
	}
	if !s.kept[i] {
		return nil, fmt.Errorf("%s at %s: %w", name, s.commit, model.ErrNotKept)
	}
	data, found, err := s.shard.Blob(s.entries[i].Oid)
	if err != nil {
		return nil, fmt.Errorf("%s at %s: %w", name, s.commit, err)
	}
	if !found {
		return nil, unusable(fmt.Errorf("%s at %s: %w: blob %s is missing", name, s.commit, ErrDamaged, s.entries[i].Oid))
	}
	return data, nil
}
