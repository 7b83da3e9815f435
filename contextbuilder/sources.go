package contextbuilder

import (
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/syntax"
)

// sources reads files of the base commit, each once.
type sources struct {
	base  model.Snapshot
	graph *imports.Graph
	files map[string]*source
}

// get is a parsed file of the base; nil if it cannot be read or has no grammar.
func (s *sources) get(path string) *source {
	if found, ok := s.files[path]; ok {
		return found
	}
	s.files[path] = nil
	if file, ok := s.graph.File(path); ok {
		if data, err := s.base.Read(path); err == nil {
			s.files[path] = newSource(path, file, syntax.Normalize(data))
		}
	}
	return s.files[path]
}

// headSnapshot is the base with the change applied. It is there to tell what
// the added lines call; no text of a context comes from it.
type headSnapshot struct {
	model.Snapshot
	entries []model.TreeEntry
	heads   map[string][]byte
}

// newHead lays the changes over the base.
func newHead(base model.Snapshot, changes []*change) *headSnapshot {
	s := &headSnapshot{Snapshot: base, heads: map[string][]byte{}}
	gone := map[string]bool{}
	for _, c := range changes {
		if c.diff.NewPath == "" || c.diff.IsRename {
			gone[c.diff.OldPath] = true
		}
		if c.head != nil {
			s.heads[c.diff.NewPath] = c.head
		}
	}
	for _, e := range base.Entries() {
		if _, changed := s.heads[e.Path]; !changed && !gone[e.Path] {
			s.entries = append(s.entries, e)
		}
	}
	for path, text := range s.heads {
		sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text))
		s.entries = append(s.entries, model.TreeEntry{Path: path, Mode: 0o100644, Oid: hex.EncodeToString(sum[:]), Size: int64(len(text))})
	}
	slices.SortFunc(s.entries, func(a, b model.TreeEntry) int { return strings.Compare(a.Path, b.Path) })
	return s
}

// Entries lists the files after the change.
func (s *headSnapshot) Entries() []model.TreeEntry { return s.entries }

// Read reads a file after the change.
func (s *headSnapshot) Read(path string) ([]byte, error) {
	if text, ok := s.heads[path]; ok {
		return text, nil
	}
	if _, ok := slices.BinarySearchFunc(s.entries, path, func(e model.TreeEntry, p string) int { return cmp.Compare(e.Path, p) }); !ok {
		return nil, fs.ErrNotExist
	}
	return s.Snapshot.Read(path)
}
