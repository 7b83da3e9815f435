package filters

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/prforge/prforge/filters/substance"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/unidiff"
	"github.com/prforge/prforge/internal/verdict"
)

// The added lines that filter 7 counts.
const (
	CountAll        = "all"
	CountProduction = "production" // of files that are neither tests, documentation, generated, vendored nor lock files
)

// How filter 7 treats a change of comments alone.
const (
	CommentsAreDocumentation = "documentation" // rejected as a change of documentation is
	CommentsAreCode          = "code"
)

// diffParseable is filter 7.
type diffParseable struct {
	maxAdded int
	count    string // which added lines count
	comments string // what a change of comments is
}

func (diffParseable) ID() string { return verdict.FilterDiffParseable }

// Check requires a complete, readable diff of bounded size. GitHub's counts reveal a truncated diff. They apply only
// to GitHub's diff, because git may pair renames differently.
func (f diffParseable) Check(c *model.Candidate) verdict.Verdict {
	if c.Diff == nil {
		return verdict.Undetermined(verdict.DiffMissing, "no diff was collected")
	}
	if c.Diff.Text == "" {
		return verdict.Reject(verdict.DiffEmpty, "the diff is empty")
	}
	if c.ParseError != nil {
		return verdict.Reject(verdict.DiffUnparseable, "the diff cannot be parsed",
			verdict.Evidence{What: "parser", Found: c.ParseError.Error()})
	}
	d := c.Parsed
	if d == nil || len(d.Files) == 0 {
		return verdict.Reject(verdict.DiffEmpty, "the diff names no file")
	}
	if c.Diff.Source == model.DiffFromREST {
		if v := cutOff(c.Pull, d); v != nil {
			return *v
		}
	}
	if f.comments == CommentsAreDocumentation && onlyComments(d) {
		return verdict.Reject(verdict.OnlyCommentsChanged, "only comments and documentation changed",
			verdict.Evidence{What: "path", Found: d.Files[0].Path()})
	}
	all := verdict.Evidence{What: "added lines", Found: strconv.Itoa(d.AddedLines)}
	production := verdict.Evidence{What: "added lines of production files", Found: strconv.Itoa(addedProduction(d))}
	counted, what := &all, "lines are added"
	if f.count == CountProduction {
		counted, what = &production, "lines are added to production files"
	}
	counted.Limit = strconv.Itoa(f.maxAdded)
	if n, _ := strconv.Atoi(counted.Found); n > f.maxAdded {
		return verdict.Reject(verdict.DiffTooLarge, fmt.Sprintf("%d %s, at most %d are allowed", n, what, f.maxAdded), all,
			production)
	}
	return verdict.Pass(all, production)
}

// onlyComments reports whether a diff changes only comments and documentation. Filter 4, which finds documentation,
// uses paths alone.
func onlyComments(d *unidiff.Diff) bool {
	return !slices.ContainsFunc(d.Files, func(f *unidiff.File) bool {
		return !pathkind.IsDocumentation(f.Path()) && !substance.OnlyComments(f)
	})
}

// addedProduction counts the added lines of handwritten production code.
func addedProduction(d *unidiff.Diff) int {
	n := 0
	for _, f := range d.Files {
		if pathkind.IsProduct(f.Path()) {
			n += f.AddedLines
		}
	}
	return n
}

// cutOff compares the diff with GitHub's counts of the pull request.
func cutOff(p *model.PullRequest, d *unidiff.Diff) *verdict.Verdict {
	if len(d.Files) >= p.ChangedFiles && d.AddedLines >= p.Additions && d.DeletedLines >= p.Deletions {
		return nil
	}
	v := verdict.Undetermined(verdict.DiffCutOff, "the diff holds less than GitHub counts",
		countEvidence("files", len(d.Files), p.ChangedFiles),
		countEvidence("added lines", d.AddedLines, p.Additions),
		countEvidence("deleted lines", d.DeletedLines, p.Deletions))
	return &v
}
