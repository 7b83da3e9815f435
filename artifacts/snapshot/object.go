package snapshot

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// The kinds of objects, as git names them.
const (
	kindCommit = "commit"
	kindTree   = "tree"
	kindFile   = "blob"
)

var kinds = map[string]plumbing.ObjectType{kindCommit: plumbing.CommitObject, kindTree: plumbing.TreeObject,
	kindFile: plumbing.BlobObject}

// newHasher computes the id of an object. Like git, it detects bytes forged to have another object's id.
func newHasher(kind string, size int64) plumbing.Hasher { return plumbing.NewHasher(kinds[kind], size) }

// commit holds the needed parts of a commit, and its bytes.
type commit struct {
	raw       []byte
	tree      plumbing.Hash
	parents   []plumbing.Hash
	author    time.Time // zero where the commit has none that can be read
	committer time.Time
}

// tree is a folder, and its bytes.
type tree struct {
	raw     []byte
	entries []entry
	unsafe  string // what is wrong with a name; "" for nothing
}

// entry is one line of a folder.
type entry struct {
	name string
	mode filemode.FileMode
	id   plumbing.Hash
}

// isFile reports whether the entry has bytes of its own: a file or a symbolic link, not a folder or a submodule.
func (e entry) isFile() bool { return e.mode != filemode.Dir && e.mode != filemode.Submodule }

func parseCommit(raw []byte) (*commit, error) {
	var c object.Commit
	if err := c.Decode(memory(plumbing.CommitObject, raw)); err != nil {
		return nil, err
	}
	return &commit{raw: raw, tree: c.TreeHash, parents: c.ParentHashes, author: c.Author.When,
		committer: c.Committer.When}, nil
}

func parseTree(raw []byte) (*tree, error) {
	var decoded object.Tree
	if err := decoded.Decode(memory(plumbing.TreeObject, raw)); err != nil {
		return nil, err
	}
	t := &tree{raw: raw, entries: make([]entry, len(decoded.Entries))}
	seen := make(map[string]bool, len(decoded.Entries))
	for i, e := range decoded.Entries {
		t.entries[i] = entry{name: e.Name, mode: e.Mode, id: e.Hash}
		if problem := unsafeName(t.entries[i]); problem != "" && t.unsafe == "" {
			t.unsafe = problem
		}
		if seen[e.Name] && t.unsafe == "" {
			t.unsafe = fmt.Sprintf("two entries named %q", e.Name)
		}
		seen[e.Name] = true
	}
	return t, nil
}

func memory(kind plumbing.ObjectType, raw []byte) plumbing.EncodedObject {
	o := &plumbing.MemoryObject{}
	o.SetType(kind)
	_, _ = o.Write(raw) // to memory
	return o
}

// maxName is the longest name that file systems take, in bytes.
const maxName = 255

// unsafeName names the fault of an entry's name, by the rules of `git fsck --strict`: it is not the name of one file,
// or some file system takes it for .git.
func unsafeName(e entry) string {
	switch {
	case e.name == "." || e.name == ".." || strings.ContainsAny(e.name, "/\x00"):
		return fmt.Sprintf("the name %q", e.name)
	case len(e.name) > maxName:
		return fmt.Sprintf("a name of %d bytes", len(e.name))
	case e.mode == filemode.Symlink && isDotName(e.name, "gitmodules", "gitmod~1"):
		return "a symbolic link in place of .gitmodules"
	}
	for part := range strings.SplitSeq(e.name, `\`) { // NTFS takes it for a folder's end
		if isDotName(part, "git", "git~1") {
			return fmt.Sprintf("the name %q, which some file system takes for .git", e.name)
		}
	}
	return ""
}

// isDotName reports whether NTFS or HFS+ takes a name for "." and a given rest: in any case, followed by dots, spaces
// or a stream, by its short name, or with invisible characters.
func isDotName(name, after, short string) bool {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
			return -1
		}
		return unicode.ToLower(r)
	}, name)
	name, _, _ = strings.Cut(name, ":")
	name = strings.TrimRight(name, " .")
	return name == "."+after || name == short
}
