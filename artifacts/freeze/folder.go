package freeze

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/card"
	"golang.org/x/sync/errgroup"
)

// folder writes the files of a dataset and records their digests. Several goroutines may use it, each with its own
// files.
type folder struct {
	dir    string
	marked bool // the card says that the dataset is not for publication

	mu    sync.Mutex
	files map[string]artifacts.FileInfo
	made  map[string]bool // folders, absolute
	idle  []*bufio.Writer // of files closed before
}

func newFolder(dir string) (*folder, error) {
	f := &folder{dir: dir, files: map[string]artifacts.FileInfo{}, made: map[string]bool{}}
	return f, f.mkdir(dir)
}

func (f *folder) mkdir(dir string) error {
	if f.made[dir] {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for d := dir; len(d) >= len(f.dir); d = filepath.Dir(d) {
		f.made[d] = true
	}
	return nil
}

// create opens a new file at a slash path; Close notes its digest.
func (f *folder) create(path string) (*file, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, twice := f.files[path]; twice {
		return nil, fmt.Errorf("%s is written twice", path)
	}
	full := filepath.Join(f.dir, filepath.FromSlash(path))
	if err := f.mkdir(filepath.Dir(full)); err != nil {
		return nil, err
	}
	disk, err := os.OpenFile(full, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	o := &file{folder: f, path: path, disk: disk, sum: sha256.New()}
	o.Writer = f.buffered(io.MultiWriter(disk, o.sum))
	return o, nil
}

// buffered returns a writer of a closed file, or a new one.
func (f *folder) buffered(w io.Writer) *bufio.Writer {
	n := len(f.idle)
	if n == 0 {
		return bufio.NewWriterSize(w, 64<<10)
	}
	out := f.idle[n-1]
	f.idle = f.idle[:n-1]
	out.Reset(w)
	return out
}

// write puts a whole file.
func (f *folder) write(path string, data []byte) error {
	if f.marked && path == artifacts.FileCard {
		data = card.Marked(data)
	}
	o, err := f.create(path)
	if err != nil {
		return err
	}
	if _, err := o.Write(data); err != nil {
		o.Abandon()
		return err
	}
	return o.Close()
}

// writeJSON writes a value in its canonical form.
func (f *folder) writeJSON(path string, v any) error {
	b, err := artifacts.Canonical(v)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.write(path, b)
}

// syncers is how many files are synced at once: a file system commits those that wait together in one operation.
const syncers = 32

// sync makes every file durable, then every folder.
func (f *folder) sync() error {
	var files errgroup.Group
	files.SetLimit(syncers)
	for path := range f.files {
		files.Go(func() error { return syncPath(filepath.Join(f.dir, filepath.FromSlash(path))) })
	}
	if err := files.Wait(); err != nil {
		return err
	}
	for dir := range f.made {
		if err := syncPath(dir); err != nil {
			return err
		}
	}
	return nil
}

func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// file is an open file.
type file struct {
	*bufio.Writer
	folder *folder
	path   string
	disk   *os.File
	sum    hash.Hash
}

// Abandon closes the file after an error that the caller reports.
func (o *file) Abandon() { _ = o.disk.Close() }

// Close flushes the file and records the digest.
func (o *file) Close() error {
	err := o.Flush()
	var size int64
	if err == nil {
		var info os.FileInfo
		if info, err = o.disk.Stat(); err == nil {
			size = info.Size()
		}
	}
	if e := o.disk.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("%s: %w", o.path, err)
	}
	o.folder.mu.Lock()
	defer o.folder.mu.Unlock()
	o.folder.idle = append(o.folder.idle, o.Writer)
	o.folder.files[o.path] = artifacts.FileInfo{SHA256: hex.EncodeToString(o.sum.Sum(nil)), Bytes: size}
	return nil
}
