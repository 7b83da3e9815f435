package snapshot

import (
	"context"
	"io"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// Stat describes a record's snapshot. It is a line of the index.
type Stat struct {
	Repository string `json:"repository"` // OWNER/NAME
	File       string `json:"file"`       // slash path; "" where there is a problem
	Record
	Commits  int   `json:"commits"`         // of the pull request
	Boundary int   `json:"boundary"`        // commits of the base branch
	Trees    int   `json:"trees"`           //
	Files    int   `json:"files"`           // different ones, of all commits
	Bytes    int64 `json:"bytes"`           // of all objects, unpacked
	Work     Work  `json:"work_tree"`       // of the revision
	Later    []Age `json:"later,omitempty"` // commits with a date after the revision's, by id
}

// Work is the size of a work tree.
type Work struct {
	Files int   `json:"files"` // symbolic links and submodules included
	Bytes int64 `json:"bytes"`
}

// Age is a commit dated later than a revision that descends from it: a clock was wrong, or the date was set. The
// dates are in UTC, "" without one.
type Age struct {
	Commit    string `json:"commit"`
	Author    string `json:"author"`
	Committer string `json:"committer"`
}

// Stats covers all records, in their order. Call it after Files.
func (r *Reader) Stats() []Stat {
	known := map[plumbing.Hash]int64{}
	out := make([]Stat, len(r.header.Records))
	for i, record := range r.header.Records {
		out[i] = Stat{Repository: r.header.Repository, Record: record}
		if s, ok := r.spans[record.TaskID]; ok {
			r.measure(&out[i], s, known)
		}
	}
	return out
}

// measure fills in a record's figures. known has the sizes of work trees from earlier calls.
func (r *Reader) measure(out *Stat, s span, known map[plumbing.Hash]int64) {
	trees, files := r.graph.needs(s.all())
	out.Commits, out.Boundary, out.Trees, out.Files = len(s.own), len(s.boundary), len(trees), len(files)
	for id := range files {
		out.Bytes += r.sizes[id]
	}
	for id := range trees {
		out.Bytes += int64(len(r.graph.trees[id].raw))
	}
	head := r.graph.commits[plumbing.NewHash(out.Head)]
	for _, id := range s.all() {
		c := r.graph.commits[id]
		out.Bytes += int64(len(c.raw))
		if c.author.After(head.committer) || c.committer.After(head.committer) {
			out.Later = append(out.Later, Age{id.String(), date(c.author), date(c.committer)})
		}
	}
	out.Work = Work{Files: len(r.graph.workTree(head.tree)), Bytes: r.graph.bytesOf(head.tree, r.sizes, known)}
}

func date(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// Contents describes a file.
type Contents struct {
	Stats   []Stat
	Objects int   // different ones, of all records
	Bytes   int64 // of these, unpacked
}

// Check reads a whole file. The error is ErrDamaged if Plan.Write did not write it: a wrong id, an object that no
// record needs, or a missing one.
func Check(ctx context.Context, file io.Reader, l Limits) (Contents, error) {
	r, err := NewReader(file, l)
	if err != nil {
		return Contents{}, err
	}
	defer r.Close()
	if err := r.Files(ctx, func(string, int64, io.Reader) error { return nil }); err != nil {
		return Contents{}, err
	}
	return Contents{r.Stats(), len(r.order.all()), l.MaxBytes - r.left}, nil
}
