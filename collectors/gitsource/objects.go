package gitsource

import (
	"bufio"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// sizeError is an object over the limit, with its size.
type sizeError struct {
	oid  string
	size int64
}

func (e *sizeError) Error() string { return fmt.Sprintf("object %s has %d bytes", e.oid, e.size) }

func (e *sizeError) Unwrap() error { return ErrTooLarge }

// object returns an object of the wanted type and checks its bytes against its id. The error is ErrTooLarge above the
// limit and ErrAbsent if the object is missing.
func (r *Repo) object(ctx context.Context, oid, kind string, limit int64) (data []byte, err error) {
	var fault error // of the object, not of the answer
	err = r.read.ask(ctx, []string{oid}, func(_, says string, out *bufio.Reader) error {
		if says == saysMissing {
			fault = ErrAbsent
			return nil
		}
		got, size, err := parseSays(says)
		if err != nil {
			return err
		}
		switch {
		case got != kind:
			fault = fmt.Errorf("object %s is a %s, not a %s", oid, got, kind)
		case size > limit:
			fault = &sizeError{oid: oid, size: size}
		default:
			data = make([]byte, size)
			_, err = io.ReadFull(out, data)
			size = 0
		}
		if err == nil {
			_, err = io.CopyN(io.Discard, out, size+int64(len("\n")))
		}
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case errors.Is(fault, ErrAbsent):
		if gone, err := r.lacking(ctx, []string{oid}); err == nil && len(gone) == 0 {
			return nil, fmt.Errorf("%s %s: %w: it was here before", kind, oid, ErrCorrupt)
		}
		return nil, fmt.Errorf("%s %s: %w", kind, oid, ErrAbsent)
	case fault != nil:
		return nil, fault
	case objectID(kind, data) != oid:
		return nil, fmt.Errorf("%s %s: %w: its bytes have another id", kind, oid, ErrCorrupt)
	}
	return data, nil
}

// lacking lists the objects that are not here, in the order given.
func (r *Repo) lacking(ctx context.Context, oids []string) ([]string, error) {
	if len(oids) == 0 {
		return nil, ctx.Err()
	}
	var lacking []string
	err := r.present.ask(ctx, oids, func(oid, says string, _ *bufio.Reader) error {
		if says == saysMissing {
			lacking = append(lacking, oid)
		}
		return nil
	})
	return lacking, err
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

// commitInfo holds the needed parts of a commit.
type commitInfo struct {
	tree    string
	parents []string
	made    time.Time // by the committer's clock
}

// commit reads a commit.
func (r *Repo) commit(ctx context.Context, oid string) (commitInfo, error) {
	data, err := r.object(ctx, oid, "commit", maxCommit)
	if err != nil {
		return commitInfo{}, err
	}
	var c object.Commit
	if err := c.Decode(undecoded(plumbing.CommitObject, data)); err != nil {
		return commitInfo{}, fmt.Errorf("commit %s: %w", oid, err)
	}
	info := commitInfo{tree: c.TreeHash.String(), made: c.Committer.When}
	for _, parent := range c.ParentHashes {
		info.parents = append(info.parents, parent.String())
	}
	return info, nil
}

// undecoded is an object as go-git decodes it.
func undecoded(kind plumbing.ObjectType, data []byte) plumbing.EncodedObject {
	o := &plumbing.MemoryObject{}
	o.SetType(kind)
	_, _ = o.Write(data) // to memory
	return o
}

// rootTree is the id of a commit's tree.
func (r *Repo) rootTree(ctx context.Context, commit string) (string, error) {
	c, err := r.commit(ctx, commit)
	return c.tree, err
}
