package snapshot

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/go-git/go-git/v5/plumbing/format/index"
	"github.com/prforge/prforge/internal/unidiff"
)

// BaseBranch is the branch of a checkout at the fork point. It is the only reference.
const BaseBranch = "base"

// gitConfig makes git write the exact bytes of objects and compare only a file's time in seconds and its size with
// the index: other fields change when a checkout is moved. Ids in diffs are as long as in diff_patch.
const gitConfig = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	logallrefupdates = false
	abbrev = 11
	autocrlf = false
	checkstat = minimal
	trustctime = false
`

// gitAttributes overrides the .gitattributes of the work tree: git changes no line ends, encodings or large files,
// and hunks have GitHub's headings.
const gitAttributes = "* -text !eol !ident !filter !working-tree-encoding\n" + unidiff.GitHubDrivers

// gitFiles are the files of .git but for the index and the objects.
func (c *checkout) gitFiles() map[string]string {
	return map[string]string{
		".git/HEAD":                     c.record.Head + "\n",
		".git/config":                   gitConfig,
		".git/shallow":                  strings.Join(c.record.Shallow, "\n") + "\n",
		".git/info/attributes":          gitAttributes,
		".git/refs/heads/" + BaseBranch: c.record.Base + "\n",
	}
}

// writeGit writes what .git has besides objects.
func (c *checkout) writeGit() error {
	for name, text := range c.gitFiles() {
		f, err := c.create(name, 0o644)
		if err == nil {
			_, err = f.WriteString(text)
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			return err
		}
	}
	slices.SortFunc(c.entries, func(a, b *index.Entry) int { return strings.Compare(a.Name, b.Name) })
	f, err := c.create(gitIndex, 0o644)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	err = errors.Join(index.NewEncoder(w).Encode(&index.Index{Version: 2, Entries: c.entries}), w.Flush(), f.Close())
	if err != nil {
		return err
	}
	if f, err = c.create(gitPacks+c.pack.name()+".idx", 0o444); err != nil {
		return err
	}
	return errors.Join(c.pack.close(f), c.root.Rename(gitNewPack, gitPacks+c.pack.name()+".pack"))
}

// prove compares the .git of a checkout with the one of the record: its files, a pack of exactly its objects, and
// nothing else. So it has no other reference, log, note, stash, pack, alternate or remote. Any command that writes to
// a checkout breaks it.
func (c *checkout) prove() error {
	texts, packs := c.gitFiles(), []string{}
	left := map[string]bool{gitIndex: true}
	for name := range texts {
		left[name] = true
	}
	err := fs.WalkDir(c.root.FS(), ".git", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil || e.IsDir():
			return err
		case packFile.MatchString(name) && e.Type().IsRegular():
			packs = append(packs, name)
			return nil
		case !left[name] || !e.Type().IsRegular():
			return fmt.Errorf("%s does not belong there", name)
		}
		delete(left, name)
		if text, ok := texts[name]; ok {
			is, err := c.root.ReadFile(name)
			if err == nil && string(is) != text {
				err = fmt.Errorf("%s is not as it was written", name)
			}
			return err
		}
		return nil
	})
	if err != nil {
		return err
	}
	for name := range left {
		return fmt.Errorf("%s is missing", name)
	}
	if len(packs) != 2 || strings.TrimSuffix(packs[0], ".idx") != strings.TrimSuffix(packs[1], ".pack") {
		return fmt.Errorf("the files of packs are %v", packs)
	}
	return c.provePack(packs[0])
}

// packFile is a name of a pack or its index.
var packFile = regexp.MustCompile(`^\.git/objects/pack/pack-[0-9a-f]{40}\.(idx|pack)$`)

// provePack compares the objects that a pack's index names with those of the
// record.
func (c *checkout) provePack(name string) error {
	f, err := c.root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	packed := idxfile.NewMemoryIndex()
	if err := idxfile.NewDecoder(f).Decode(packed); err != nil {
		return err
	}
	commits := c.span.all()
	n, err := packed.Count()
	if err != nil || n != int64(len(commits)+len(c.trees)+len(c.files)) {
		return errors.Join(err, fmt.Errorf("the pack has %d objects", n))
	}
	for _, ids := range []iter.Seq[plumbing.Hash]{slices.Values(commits), maps.Keys(c.trees), maps.Keys(c.files)} {
		for id := range ids {
			if has, err := packed.Contains(id); err != nil || !has {
				return errors.Join(err, fmt.Errorf("the pack lacks %s", id))
			}
		}
	}
	return nil
}
