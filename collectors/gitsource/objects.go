package gitsource

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// objects reads git objects through go-git. Its storage is used as it is,
// without a go-git Repository around it. The lock is needed: go-git's storage
// is not safe for concurrent use, even for reading. LargeObjectThreshold stays
// unset (it gives wrong bytes) and so does KeepDescriptors.
type objects struct {
	mu         sync.Mutex
	storage    *filesystem.Storage
	cacheBytes int
}

// reset forgets the packs that were seen, after new ones came.
func (o *objects) reset() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.storage = nil
}

func (o *objects) close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.storage == nil {
		return nil
	}
	err := o.storage.Close()
	o.storage = nil
	return err
}

// read gives an object's type and bytes. It looks at the size first, because
// go-git inflates the whole object. A panic on a damaged pack is an error.
func (o *objects) read(dir, oid string, limit int64) (kind string, data []byte, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("go-git: %v", p)
		}
	}()
	if o.storage == nil {
		o.storage = filesystem.NewStorage(osfs.New(dir), cache.NewObjectLRU(cache.FileSize(o.cacheBytes)))
	}
	hash := plumbing.NewHash(oid)
	size, err := o.storage.EncodedObjectSize(hash)
	if err != nil {
		return "", nil, err
	}
	if size > limit {
		return "", nil, &sizeError{oid: oid, size: size}
	}
	object, err := o.storage.EncodedObject(plumbing.AnyObject, hash)
	if err != nil {
		return "", nil, err
	}
	reader, err := object.Reader()
	if err != nil {
		return "", nil, err
	}
	defer reader.Close()
	data, err = io.ReadAll(io.LimitReader(reader, limit+1))
	return object.Type().String(), data, err
}

// sizeError is an object over the limit, with its size.
type sizeError struct {
	oid  string
	size int64
}

func (e *sizeError) Error() string { return fmt.Sprintf("object %s has %d bytes", e.oid, e.size) }

func (e *sizeError) Unwrap() error { return ErrTooLarge }

// object gives an object of the type wanted, its bytes checked against its id.
// Where go-git does not give them right, git is asked; where git does not
// either, the repository is damaged. The error is ErrTooLarge above the limit
// and ErrAbsent where the object is not here.
func (r *Repo) object(ctx context.Context, oid, kind string, limit int64) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	got, data, err := r.objects.read(r.dir, oid, limit)
	if err == nil && got == kind && objectID(kind, data) == oid {
		return data, nil
	}
	if errors.Is(err, ErrTooLarge) {
		return nil, err
	}
	if data, err = r.catFile(ctx, oid, kind, limit); err != nil {
		if gone, askErr := r.lacking(ctx, []string{oid}); errors.Is(err, ErrAbsent) && askErr == nil && len(gone) == 0 {
			return nil, fmt.Errorf("%s %s: %w: it was here before", kind, oid, ErrCorrupt)
		}
		return nil, err
	}
	if objectID(kind, data) != oid {
		return nil, fmt.Errorf("%s %s: %w: its bytes have another id", kind, oid, ErrCorrupt)
	}
	return data, nil
}

// catFile reads an object by the git binary.
func (r *Repo) catFile(ctx context.Context, oid, kind string, limit int64) ([]byte, error) {
	out, err := r.git(ctx, strings.NewReader(oid+"\n"), "cat-file", "--batch-check=%(objecttype) %(objectsize)")
	if err != nil {
		return nil, err
	}
	got, size, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	n, err := strconv.ParseInt(size, 10, 64)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s %s: %w", kind, oid, ErrAbsent)
	case got != kind:
		return nil, fmt.Errorf("object %s is a %s, not a %s", oid, got, kind)
	case n > limit:
		return nil, &sizeError{oid: oid, size: n}
	}
	return r.git(ctx, nil, "cat-file", kind, oid)
}

// objectID is the git object id of bytes of a type.
func objectID(kind string, data []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "%s %d\x00", kind, len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// maxCommit and maxTreeObject bound the two types of objects that hold no
// files.
const (
	maxCommit     = 8 << 20
	maxTreeObject = 64 << 20
)

// commitInfo is what is needed of a commit.
type commitInfo struct {
	tree    string
	parents []string
}

// commit reads a commit's tree and parents.
func (r *Repo) commit(ctx context.Context, oid string) (commitInfo, error) {
	data, err := r.object(ctx, oid, "commit", maxCommit)
	if err != nil {
		return commitInfo{}, err
	}
	var c commitInfo
	for line := range bytes.Lines(data) {
		key, value, _ := strings.Cut(strings.TrimSuffix(string(line), "\n"), " ")
		switch key {
		case "tree":
			c.tree = value
		case "parent":
			c.parents = append(c.parents, value)
		default:
			return c, nil
		}
	}
	return c, nil
}

// rootTree is the id of a commit's tree.
func (r *Repo) rootTree(ctx context.Context, commit string) (string, error) {
	c, err := r.commit(ctx, commit)
	return c.tree, err
}
