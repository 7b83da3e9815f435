package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// ErrNoTask says that a file has no such record, or no snapshot of it.
var ErrNoTask = errors.New("there is no snapshot")

// Checkout writes a record's work tree and its .git to a new or empty folder: whole or not at all. HEAD is the
// revision, detached; the branch BaseBranch is the fork point; git can find nothing else. Files have the bytes of the
// objects, whatever attributes say. Two checkouts of a record have the same bytes and times.
func Checkout(ctx context.Context, file io.Reader, taskID, dir string, l Limits) (*Stat, error) {
	r, err := NewReader(file, l)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	record, span, err := r.record(taskID)
	if err != nil {
		return nil, err
	}
	fresh, err := makeBeside(dir)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(fresh) // nothing is left to remove after the rename
	root, err := os.OpenRoot(fresh)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if err := newCheckout(r, record, span, root).write(ctx); err != nil {
		return nil, fmt.Errorf("check out %s: %w", taskID, err)
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) { // an empty one
		return nil, err
	}
	if err := os.Rename(fresh, dir); err != nil {
		return nil, err
	}
	i := slices.IndexFunc(r.header.Records, func(r Record) bool { return r.TaskID == taskID })
	return &r.Stats()[i], nil
}

// record finds a record that has a snapshot. The error is ErrNoTask, and why.
func (r *Reader) record(taskID string) (Record, span, error) {
	for _, record := range r.header.Records {
		if record.TaskID != taskID {
			continue
		}
		if record.Problem != "" {
			return record, span{}, fmt.Errorf("%w of %s: %s: %s", ErrNoTask, taskID, record.Problem, record.Detail)
		}
		return record, r.spans[taskID], nil
	}
	return Record{}, span{}, fmt.Errorf("%w of %s", ErrNoTask, taskID)
}

// makeBeside makes the folder that will be renamed to dir, which must be empty or missing.
func makeBeside(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if len(entries) > 0 {
		return "", fmt.Errorf("%s is not empty: %w", dir, fs.ErrExist)
	}
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	fresh, err := os.MkdirTemp(parent, ".prforge-checkout-")
	if err == nil {
		err = os.Chmod(fresh, 0o755)
	}
	return fresh, err
}

func (c *checkout) write(ctx context.Context) error {
	defer c.leave()
	if err := c.begin(); err != nil {
		return err
	}
	defer c.pack.file.Close()
	if err := c.r.Files(ctx, c.file); err != nil {
		return err
	}
	for _, l := range c.links {
		if err := c.link(l); err != nil {
			return err
		}
	}
	if err := c.writeGit(); err != nil {
		return err
	}
	return c.prove()
}
