package fakegithub

import (
	"bytes"
	"path"
	"strconv"
	"strings"
)

// blobTextLimit is where GitHub cuts Blob.text.
const blobTextLimit = 512_000

// gitTypes are commits, trees and blobs.
func gitTypes() map[string]fields {
	obj := fields{
		"id":             {get: func(c *call) (any, error) { return "G_" + oidOf(c.obj), nil }},
		"oid":            {get: func(c *call) (any, error) { return oidOf(c.obj), nil }},
		"abbreviatedOid": {get: func(c *call) (any, error) { return oidOf(c.obj)[:7], nil }},
	}
	with := func(more fields) fields {
		for name, f := range obj {
			more[name] = f
		}
		return more
	}
	return map[string]fields{
		"GitObject": obj,
		"Commit": with(fields{
			"message":         scalar(func(c commitRef) any { return c.message }),
			"messageHeadline": scalar(func(c commitRef) any { line, _, _ := strings.Cut(c.message, "\n"); return line }),
			"committedDate":   scalar(func(c commitRef) any { return stamp(c.date) }),
			"authoredDate":    scalar(func(c commitRef) any { return stamp(c.date) }),
			"author":          object("GitActor", func(_ *call, c commitRef) any { return c.who() }),
			"committer":       object("GitActor", func(_ *call, c commitRef) any { return c.who() }),
			"parents": connection("Commit", func(_ *call, c commitRef) []any {
				var out []any
				for _, p := range c.parents {
					out = append(out, commitRef{c.repo, p})
				}
				return out
			}),
			"tree": object("Tree", func(_ *call, c commitRef) any { return gitObject{c.repo, "tree", c.treeSHA} }),
			"associatedPullRequests": connection("PullRequest", func(_ *call, c commitRef) []any {
				var out []any
				for _, p := range c.repo.pulls {
					if p.merge == c.commit {
						out = append(out, p)
					}
				}
				return out
			}),
		}),
		"GitActor": keyed("name", "email", "date"),
		"Tree": with(fields{
			"entries": {typ: "TreeEntry", list: true, get: func(c *call) (any, error) {
				t := c.obj.(gitObject)
				var out []any
				for _, e := range t.repo.objects.walk(t.sha, false) {
					out = append(out, namedEntry{t.repo, e})
				}
				return out, nil
			}},
		}),
		"TreeEntry": {
			"name": scalar(func(e namedEntry) any { return e.name }), "path": scalar(func(e namedEntry) any { return e.name }),
			"type": scalar(func(e namedEntry) any { return e.kind }), "oid": scalar(func(e namedEntry) any { return e.sha }),
			"size":      scalar(func(e namedEntry) any { return e.size }),
			"extension": scalar(func(e namedEntry) any { return path.Ext(e.name) }),
			"mode": scalar(func(e namedEntry) any {
				mode, _ := strconv.ParseInt(e.mode, 8, 64) // git's own modes
				return mode
			}),
			"isGenerated": fixed(false),
			"object":      object("GitObject", func(_ *call, e namedEntry) any { return gitObject{e.repo, e.kind, e.sha} }),
		},
		"Blob": with(fields{
			"byteSize":    scalar(func(b gitObject) any { return len(b.bytes()) }),
			"isBinary":    scalar(func(b gitObject) any { return b.binary() }),
			"isTruncated": scalar(func(b gitObject) any { return len(b.bytes()) > blobTextLimit }),
			"text": scalar(func(b gitObject) any {
				if b.binary() {
					return nil
				}
				data := b.bytes()
				return string(data[:min(len(data), blobTextLimit)])
			}),
		}),
	}
}

// namedEntry is an entry of a tree of a repository.
type namedEntry struct {
	repo *repoState
	treeEntry
}

func oidOf(x any) string {
	if c, ok := x.(commitRef); ok {
		return c.sha
	}
	return x.(gitObject).sha
}

func (b gitObject) bytes() []byte { return b.repo.objects.blobs[b.sha] }

func (b gitObject) binary() bool {
	data := b.bytes()
	return bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0
}

// who is the author of a commit, who is its committer too.
func (c commitRef) who() any {
	return map[string]any{"name": c.author, "email": c.author + "@example.invalid", "date": stamp(c.date)}
}
