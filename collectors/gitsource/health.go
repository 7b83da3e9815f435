package gitsource

import (
	"bytes"
	"context"
	"crypto/sha1"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// check asks a separate git process whether the repository has its whole history, and checks the packs. An older
// prforge made shallow repositories, in which git gives wrong answers without an error.
func (r *Repo) check(ctx context.Context) error {
	out, err := r.git(ctx, nil, "rev-parse", "--is-shallow-repository")
	if err != nil {
		return err
	}
	if strings.TrimSpace(string(out)) != "false" {
		return fmt.Errorf("%w: its history is cut off", ErrCorrupt)
	}
	return checkPacks(r.dir)
}

// checkPacks checks every pack and its index against the checksums at their end. Git checks them only when it reads,
// takes some damage for missing objects, and discards a good pack if a bad one of the same name exists.
func checkPacks(dir string) error {
	packs, err := filepath.Glob(filepath.Join(dir, "objects", "pack", "*.pack"))
	if err != nil {
		return err
	}
	indexes, err := filepath.Glob(filepath.Join(dir, "objects", "pack", "*.idx"))
	if err != nil {
		return err
	}
	if len(packs) != len(indexes) {
		return fmt.Errorf("%w: %d packs, %d indexes", ErrCorrupt, len(packs), len(indexes))
	}
	for _, pack := range packs {
		_, sum, err := trailer(pack)
		if err != nil {
			return err
		}
		named, _, err := trailer(strings.TrimSuffix(pack, ".pack") + ".idx")
		if err != nil {
			return err
		}
		if !bytes.Equal(named, sum) {
			return fmt.Errorf("%w: %s has the index of another pack", ErrCorrupt, pack)
		}
	}
	return nil
}

// trailer returns the last two checksums of a file (an index has its pack's, then its own) after it checks the last
// one against the rest of the file.
func trailer(name string) (before, last []byte, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	body := info.Size() - sha1.Size
	if body < sha1.Size {
		return nil, nil, fmt.Errorf("%w: %s has %d bytes", ErrCorrupt, name, info.Size())
	}
	h := sha1.New()
	if _, err := io.CopyN(h, f, body); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	sums := make([]byte, 2*sha1.Size)
	if _, err := f.ReadAt(sums, body-sha1.Size); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	before, last = sums[:sha1.Size], sums[sha1.Size:]
	if !bytes.Equal(h.Sum(nil), last) {
		return nil, nil, fmt.Errorf("%w: %s has another checksum", ErrCorrupt, name)
	}
	return before, last, nil
}
