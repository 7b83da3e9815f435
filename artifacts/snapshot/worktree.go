package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/index"
)

// The other files of .git: the list of the work tree, and the objects. The pack's name is its checksum.
const (
	gitIndex   = ".git/index"
	gitPacks   = ".git/objects/pack/"
	gitNewPack = gitPacks + "new.pack"
)

// checkout is a checkout in progress.
type checkout struct {
	r      *Reader
	record Record
	span   span
	root   *os.Root
	when   time.Time // of every file
	folder string    // the one that was written to last
	in     *os.Root  // is that folder; nil for none

	trees, files map[plumbing.Hash]bool       // that .git has
	shown        map[plumbing.Hash][]workFile // files that the work tree has
	pack         *packWriter
	entries      []*index.Entry
	links        []link // made last, so that nothing is written through one
}

// link is a symbolic link to be made.
type link struct {
	workFile
	target string
}

func newCheckout(r *Reader, record Record, s span, root *os.Root) *checkout {
	trees, files := r.graph.needs(s.all())
	head := r.graph.commits[plumbing.NewHash(record.Head)]
	seconds := min(max(head.committer.Unix(), 1), math.MaxInt32) // what every file system and git's index can hold
	return &checkout{
		r: r, record: record, span: s, root: root, when: time.Unix(seconds, 0), trees: trees, files: files,
		shown: map[plumbing.Hash][]workFile{},
	}
}

// begin packs commits and trees, notes the path of each file, and makes the folders of submodules, which stay empty.
func (c *checkout) begin() error {
	commits, order := c.span.all(), c.r.order.trees
	f, err := c.create(gitNewPack, 0o444)
	if err != nil {
		return err
	}
	if c.pack, err = newPackWriter(f, len(commits)+len(c.trees)+len(c.files)); err != nil {
		return err
	}
	for _, id := range commits {
		raw := c.r.graph.commits[id].raw
		if err := c.pack.add(id, kindCommit, int64(len(raw)), bytes.NewReader(raw)); err != nil {
			return err
		}
	}
	for _, id := range order {
		if !c.trees[id] {
			continue
		}
		raw := c.r.graph.trees[id].raw
		if err := c.pack.add(id, kindTree, int64(len(raw)), bytes.NewReader(raw)); err != nil {
			return err
		}
	}
	for _, f := range c.r.graph.workTree(c.r.graph.commits[plumbing.NewHash(c.record.Head)].tree) {
		if f.mode != filemode.Submodule {
			c.shown[f.id] = append(c.shown[f.id], f)
			continue
		}
		if err := c.root.MkdirAll(filepath.FromSlash(f.path), 0o755); err != nil {
			return err
		}
		c.entries = append(c.entries, &index.Entry{Name: f.path, Hash: f.id, Mode: filemode.Submodule})
	}
	return nil
}

// enter makes a file's folder and returns it open for writing. It closes the one before.
func (c *checkout) enter(name string) (*os.Root, error) {
	folder := path.Dir(name)
	if c.in != nil && c.folder == folder {
		return c.in, nil
	}
	c.leave()
	if err := c.root.MkdirAll(filepath.FromSlash(folder), 0o755); err != nil {
		return nil, err
	}
	in, err := c.root.OpenRoot(filepath.FromSlash(folder))
	c.folder, c.in = folder, in
	return in, err
}

func (c *checkout) leave() {
	if c.in != nil {
		c.in.Close()
		c.in = nil
	}
}

// create makes a new file. If the name already exists, the file system treats two names as one.
func (c *checkout) create(name string, mode os.FileMode) (*os.File, error) {
	in, err := c.enter(name)
	if err != nil {
		return nil, err
	}
	f, err := in.OpenFile(path.Base(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("this file system does not tell %q from another name: %w", name, err)
	}
	return f, err
}

// maxTarget is the longest target of a symbolic link, in bytes.
const maxTarget = 4095

// file writes one file of the snapshot: its object, and its copies in the work tree. It is also called for files of
// other records.
func (c *checkout) file(name string, size int64, body io.Reader) error {
	id := plumbing.NewHash(name)
	if !c.files[id] {
		return nil
	}
	var target strings.Builder
	var also []io.Writer
	var files []workFile
	for _, f := range c.shown[id] {
		if f.mode != filemode.Symlink {
			files = append(files, f)
			continue
		}
		if size > maxTarget {
			return fmt.Errorf("the symbolic link %q points to a name of %d bytes", f.path, size)
		}
		also = []io.Writer{&target}
	}
	if len(files) > 0 {
		first, err := c.create(files[0].path, permissions(files[0]))
		if err != nil {
			return err
		}
		defer first.Close()
		also = append(also, first)
	}
	if err := c.pack.add(id, kindFile, size, io.TeeReader(body, io.MultiWriter(also...))); err != nil {
		return err
	}
	for i, f := range files {
		if err := c.finish(files[0], f, i > 0); err != nil {
			return err
		}
		c.entries = append(c.entries, &index.Entry{Name: f.path, Hash: id, Mode: indexMode(f.mode), Size: uint32(size),
			ModifiedAt: c.when})
	}
	for _, f := range c.shown[id] {
		if f.mode == filemode.Symlink {
			c.links = append(c.links, link{f, target.String()})
		}
	}
	return nil
}

// finish writes a file that the work tree has at another path already, unless it is
// there, and sets its time.
func (c *checkout) finish(first, f workFile, copied bool) error {
	if copied {
		in, err := c.root.Open(filepath.FromSlash(first.path))
		if err != nil {
			return err
		}
		defer in.Close()
		out, err := c.create(f.path, permissions(f))
		if err != nil {
			return err
		}
		_, err = io.Copy(out, in)
		if err = errors.Join(err, out.Close()); err != nil {
			return err
		}
	}
	in, err := c.enter(f.path)
	if err != nil {
		return err
	}
	return in.Chtimes(path.Base(f.path), c.when, c.when)
}

func permissions(f workFile) os.FileMode {
	if f.mode == filemode.Executable {
		return 0o755
	}
	return 0o644
}

// indexMode is a mode in the form of git's index, which has none of the old ones.
func indexMode(m filemode.FileMode) filemode.FileMode {
	if m == filemode.Deprecated {
		return filemode.Regular
	}
	return m
}

// link makes a symbolic link. Its target does not matter: nothing is opened through it.
func (c *checkout) link(l link) error {
	in, err := c.enter(l.path)
	if err != nil {
		return err
	}
	if err := in.Symlink(l.target, path.Base(l.path)); err != nil {
		return err
	}
	info, err := in.Lstat(path.Base(l.path))
	if err != nil {
		return err
	}
	c.entries = append(c.entries, &index.Entry{
		Name: l.path, Hash: l.id, Mode: filemode.Symlink, Size: uint32(len(l.target)),
		ModifiedAt: time.Unix(info.ModTime().Unix(), 0),
	})
	return nil
}
