package store

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/digest"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/text"
)

// treeRecord is a Tree record.
type treeRecord struct {
	Commit  string   `json:"commit"`
	Folders []folder `json:"folders"`
}

// PutTree stores the whole tree of a commit: every file, stored or not, in any order. It writes one record for each
// folder that no other tree shares. Snapshot finds it by the key: two pull requests that begin at the same commit
// store different files, so each has its own tree.
func PutTree(w Writer, key, commit string, files []File) error {
	byFolder := map[string][]listed{}
	for _, f := range files {
		dir, name := path.Split(f.Path)
		entry := listed{Mode: f.Mode, Oid: f.Oid, Size: f.Size, Kept: f.Kept}
		entry.Name, entry.Bytes = text.SplitJSON(name)
		byFolder[strings.TrimSuffix(dir, "/")] = append(byFolder[strings.TrimSuffix(dir, "/")], entry)
	}
	record := treeRecord{Commit: commit, Folders: []folder{}}
	for dir, entries := range byFolder {
		slices.SortFunc(entries, func(a, b listed) int { return strings.Compare(a.name(), b.name()) })
		content, err := marshal(entries)
		if err != nil {
			return fmt.Errorf("store tree of %s: %w", commit, err)
		}
		f := folder{Listing: digest.Bytes(content)}
		f.Path, f.Bytes = text.SplitJSON(dir)
		record.Folders = append(record.Folders, f)
		known, err := w.Has(Listing, f.Listing)
		if err == nil && !known { // most are, and compressing them again would be the slowest step
			err = w.put(Listing, f.Listing, formatJSON, content)
		}
		if err != nil {
			return err
		}
	}
	slices.SortFunc(record.Folders, func(a, b folder) int { return strings.Compare(a.path(), b.path()) })
	return Put(w, Tree, key, record)
}

// TreeCommit is the commit whose tree was stored under the key; the second result is false if there is none.
func (s *Shard) TreeCommit(key string) (string, bool, error) {
	record, found, err := Get[treeRecord](s, Tree, key)
	return record.Commit, found, err
}

// Files lists a tree by path. The error is fs.ErrNotExist where none was
// stored under the key.
func (s *Shard) Files(key string) ([]File, error) {
	record, err := s.tree(key)
	if err != nil {
		return nil, err
	}
	return s.files(record)
}

func (s *Shard) tree(key string) (treeRecord, error) {
	record, found, err := Get[treeRecord](s, Tree, key)
	if err == nil && !found {
		err = fmt.Errorf("tree %q in %s: %w", key, s.path, fs.ErrNotExist)
	}
	return record, err
}

func (s *Shard) files(record treeRecord) ([]File, error) {
	var files []File
	for _, dir := range record.Folders {
		entries, err := s.listing(dir.Listing)
		if err != nil {
			return nil, fmt.Errorf("folder %q of commit %s: %w", dir.path(), record.Commit, err)
		}
		under := dir.path()
		if under != "" {
			under += "/"
		}
		for _, e := range entries {
			files = append(files, File{
				TreeEntry: model.TreeEntry{Path: under + e.name(), Mode: e.Mode, Oid: e.Oid, Size: e.Size},
				Kept:      e.Kept,
			})
		}
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// listing gives the files of a folder, which must not be changed.
func (s *Shard) listing(key string) ([]listed, error) {
	if entries, ok := s.listings.Get(key); ok {
		return entries, nil
	}
	entries, found, err := Get[[]listed](s, Listing, key)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, unusable(fmt.Errorf("%s: %w: listing %s is missing", s.path, ErrDamaged, key))
	}
	s.listings.Put(key, entries, len(entries))
	return entries, nil
}

// Records lists the keys, by kind, of every record that the snapshot of the key reads. An export must keep them.
func (s *Shard) Records(key string) (map[Kind][]string, error) {
	record, err := s.tree(key)
	if err != nil {
		return nil, err
	}
	files, err := s.files(record)
	if err != nil {
		return nil, err
	}
	keys := map[Kind][]string{Tree: {key}}
	for _, dir := range record.Folders {
		keys[Listing] = append(keys[Listing], dir.Listing)
	}
	for _, f := range files {
		if f.Kept {
			keys[Blob] = append(keys[Blob], f.Oid)
		}
	}
	return keys, nil
}
