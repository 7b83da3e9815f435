package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/prforge/prforge/internal/memo"
	"github.com/prforge/prforge/internal/model"
)

// Options are the store's limits.
type Options struct {
	// MaxRecord is the largest content of one record in bytes, before
	// compression; at most 1 GiB.
	MaxRecord int
	// LockWait is how long Open waits for another run to release the lock.
	LockWait time.Duration
	// MaxOpen is how many unused shards stay open: a run over hundreds of repositories returns to each of them now
	// and then.
	MaxOpen int
	// MaxListed is how many decoded directory entries each shard caches, about 150 bytes each.
	MaxListed int
	// Answers is the name of the file of model answers.
	Answers string
}

// DefaultOptions returns limits for anything that GitHub serves: no diff and no useful source file is near 64 MiB.
func DefaultOptions() Options {
	return Options{MaxRecord: 64 << 20, LockWait: 200 * time.Millisecond, MaxOpen: 16, MaxListed: 100_000,
		Answers: "answers.db"}
}

// Store is a folder of shards. It is safe for concurrent use by one process. The lock that bbolt holds on the shard
// of model answers locks the whole store. Every other shard's name has a plus sign, so no repository's shard can have
// the same name.
type Store struct {
	dir     string
	opts    Options
	codec   *codec
	answers *Shard
	lock    fs.FileInfo // of the file that answers has open; nil before it was opened
	id      string

	mu     sync.Mutex
	shards map[string]*Shard
	files  []*Shard // whose file was opened, oldest first
}

// Open opens the store in dir, creating the folder where it is missing. It
// fails with ErrLocked when another run has it open and with ErrNewer when a
// newer prforge wrote it.
func Open(dir string, opts Options) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the store's folder: %w", err)
	}
	codec, err := newCodec(opts.MaxRecord)
	if err != nil {
		return nil, err
	}
	s := &Store{dir: dir, opts: opts, codec: codec, shards: map[string]*Shard{}}
	if s.answers, err = s.open(opts.Answers); err != nil {
		return nil, err
	}
	if s.lock, err = os.Stat(s.answers.path); err == nil {
		s.id, err = s.answers.identity()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", dir, err), s.Close())
	}
	return s, nil
}

// ID is the store's name, chosen when it was made. Files beside the store carry it, so that a new store at the same
// path shares nothing with a run that still uses the old one.
func (s *Store) ID() string { return s.id }

// InUse is ErrReplaced unless the store's folder is the one that was opened. The
// lock is on an open file, so a folder that was removed or replaced leaves this
// run with a lock that keeps nobody out.
func (s *Store) InUse() error {
	if s.lock == nil {
		return nil
	}
	now, err := os.Stat(filepath.Join(s.dir, s.opts.Answers))
	if err == nil && os.SameFile(now, s.lock) {
		return nil
	}
	return unusable(fmt.Errorf("%s: %w", s.dir, ErrReplaced))
}

// Answers is the shard of model and embedding answers, which belong to no
// repository.
func (s *Store) Answers() *Shard { return s.answers }

// Shard opens the shard of a repository, creating an empty one if there is none. The same repository always returns
// the same *Shard.
func (s *Store) Shard(ref model.RepoRef) (*Shard, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := ref.FileName() + ".db"
	if shard, ok := s.shards[name]; ok {
		return shard, nil
	}
	shard, err := s.open(name)
	if err != nil {
		return nil, unusable(err)
	}
	s.shards[name] = shard
	s.opened(shard)
	return shard, nil
}

// opened notes that a shard's file was opened, and releases the others where
// there are too many. The caller holds s.mu.
func (s *Store) opened(shard *Shard) {
	if len(s.files) >= s.opts.MaxOpen {
		s.files = slices.DeleteFunc(s.files, func(f *Shard) bool { return f.Release() == nil && !f.isOpen() })
	}
	s.files = append(s.files, shard)
}

// Close closes every shard and releases the lock.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, shard := range s.shards {
		errs = append(errs, shard.Release())
	}
	clear(s.shards)
	errs = append(errs, s.answers.Release())
	s.codec.close()
	return errors.Join(errs...)
}

// open opens a shard's file, making it first where it is missing.
func (s *Store) open(name string) (*Shard, error) {
	path := filepath.Join(s.dir, name)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := s.create(path); err != nil {
			return nil, fmt.Errorf("create %s: %w", path, err)
		}
	}
	db, err := s.openFile(path)
	if err != nil {
		return nil, err
	}
	shard := &Shard{path: path, db: db, codec: s.codec, max: s.opts.MaxRecord, open: s.openFile, opened: s.reopened,
		inUse:    s.InUse,
		listings: memo.New[[]listed](s.opts.MaxListed)}
	if err := shard.check(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), db.Close())
	}
	return shard, nil
}

// create makes an empty shard under another name and renames it, so that a
// shard on disk is always whole.
func (s *Store) create(path string) error {
	fresh := path + ".new"
	if err := os.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	db, err := s.openFile(fresh)
	if err != nil {
		return err
	}
	if err := errors.Join(db.Update(writeSchema), db.Close()); err != nil {
		return err
	}
	return os.Rename(fresh, path)
}

// reopened notes that a released shard's file was opened again.
func (s *Store) reopened(shard *Shard) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened(shard)
}

// openFile opens a shard's file in the store's own folder.
func (s *Store) openFile(path string) (*bbolt.DB, error) {
	if err := s.InUse(); err != nil {
		return nil, err
	}
	var db *bbolt.DB
	err := guarded(path, func() (err error) {
		db, err = bbolt.Open(path, 0o600, &bbolt.Options{Timeout: s.opts.LockWait, FreelistType: bbolt.FreelistMapType})
		return err
	})
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, fmt.Errorf("open %s: %w", path, ErrLocked)
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrChecksum),
		errors.Is(err, bolterrors.ErrVersionMismatch):
		return nil, fmt.Errorf("open %s: %w: %w", path, ErrDamaged, err)
	case err != nil:
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	if err := s.InUse(); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}
