package store_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// source is n bytes that compress about as well as code does.
func source(n, seed int) []byte {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "func name%d(value int) error { return check(value, %d) }\n", (i*seed)%977, i^seed)
	}
	return []byte(b.String())
}

func benchShard(b *testing.B) *store.Shard {
	s, err := store.Open(b.TempDir(), store.DefaultOptions())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	sh, err := s.Shard(dask)
	if err != nil {
		b.Fatal(err)
	}
	return sh
}

// BenchmarkPutBlobs writes a thousand files of 8 KB in batches of a hundred.
func BenchmarkPutBlobs(b *testing.B) {
	sh := benchShard(b)
	b.SetBytes(1000 * 8 << 10)
	for round := 0; b.Loop(); round++ {
		for part := range 10 {
			err := sh.Batch(func(batch *store.Batch) error {
				for i := range 100 {
					data := source(8<<10, round*1000+part*100+i+1)
					if err := store.PutBlob(batch, store.BlobID(data), data); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkExport(b *testing.B) {
	sh := benchShard(b)
	err := sh.Batch(func(batch *store.Batch) error {
		for i := range 1000 {
			data := source(8<<10, i+1)
			if err := store.PutBlob(batch, store.BlobID(data), data); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(1000 * 8 << 10)
	for b.Loop() {
		if err := sh.Export(b.Context(), io.Discard, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSnapshot opens a tree of 5,000 files.
func BenchmarkSnapshot(b *testing.B) {
	sh := benchShard(b)
	var files []store.File
	for i := range 5000 {
		path := fmt.Sprintf("pkg%d/sub%d/file%d.py", i%20, i%200, i)
		files = append(files, store.File{TreeEntry: model.TreeEntry{Path: path, Mode: 0o100644, Oid: store.BlobID([]byte(path)), Size: 1}})
	}
	if err := store.PutTree(sh, "1", "commit", files); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := sh.Snapshot("1"); err != nil {
			b.Fatal(err)
		}
	}
}
