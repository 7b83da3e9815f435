package snapshot

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/go-git/go-git/v5/plumbing"
)

// Spool is a file of snapshots as a Source of others: of fewer records, or of the same again. It unpacks its files
// into a temporary file.
type Spool struct {
	header  Header
	graph   *graph
	files   *os.File
	extents map[string]extent // of files, by id
}

// extent is a part of the temporary file.
type extent struct{ offset, size int64 }

// NewSpool unpacks a file of snapshots, and checks it as Check does. Close the
// spool.
func NewSpool(ctx context.Context, file io.Reader, l Limits) (*Spool, error) {
	r, err := NewReader(file, l)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	s := &Spool{header: r.header, graph: r.graph, extents: map[string]extent{}}
	if s.files, err = os.CreateTemp("", "prforge-snapshot-"); err != nil {
		return nil, err
	}
	var end int64
	err = r.Files(ctx, func(id string, size int64, body io.Reader) error {
		s.extents[id] = extent{end, size}
		end += size
		_, err := io.Copy(s.files, body)
		return err
	})
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Close removes the temporary file.
func (s *Spool) Close() {
	s.files.Close()
	os.Remove(s.files.Name())
}

// Record is the file's record of a revision and its fork point, of any task; nil if there is none.
func (s *Spool) Record(head, base string) *Record {
	for _, r := range s.header.Records {
		if r.Head == head && r.Base == base {
			return &r
		}
	}
	return nil
}

// Need implements Source.
func (s *Spool) Need(ctx context.Context, kind string, ids []string) (map[string]int64, error) {
	sizes := map[string]int64{}
	for _, id := range ids {
		if is, size, body := s.object(id); body != nil && is == kind {
			sizes[id] = size
		}
	}
	return sizes, ctx.Err()
}

// Objects implements Source.
func (s *Spool) Objects(ctx context.Context, ids []string,
	each func(id, kind string, size int64, body io.Reader) error) error {
	for _, id := range ids {
		kind, size, body := s.object(id)
		if body == nil {
			return fmt.Errorf("object %s is not there", id)
		}
		err := ctx.Err()
		if err == nil {
			err = each(id, kind, size, body)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// object finds an object; the body is nil if there is none.
func (s *Spool) object(id string) (kind string, size int64, body io.Reader) {
	if e, ok := s.extents[id]; ok {
		return kindFile, e.size, io.NewSectionReader(s.files, e.offset, e.size)
	}
	if c := s.graph.commits[plumbing.NewHash(id)]; c != nil {
		return kindCommit, int64(len(c.raw)), bytes.NewReader(c.raw)
	}
	if t := s.graph.trees[plumbing.NewHash(id)]; t != nil {
		return kindTree, int64(len(t.raw)), bytes.NewReader(t.raw)
	}
	return "", 0, nil
}
