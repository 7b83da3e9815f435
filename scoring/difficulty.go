package scoring

import (
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// GroundTruth is what the annotation file says of one ground-truth comment.
type GroundTruth struct {
	CommentID int64
	Path      string // the annotation's file
	InDiff    bool   // is_in_diff
	Body      string
}

// References answers which files of the base commit a comment may speak of. It
// is the import graph, seen from here.
type References interface {
	// Resolve lists the files that a name stands for: a path or the end of one
	// ("app/base.py"), a symbol ("parse_args", "Server.Close") or a dotted name
	// ("celery.app.base"). Order does not matter; none if it stands for nothing.
	Resolve(name string) []string
	// Tie reports the changed file that imports the path or is imported by it,
	// and which of the two ("imports": the changed file imports the path;
	// "imported by"); false if none is.
	Tie(path string, changed []string) (via, because string, ok bool)
}

// anchoredOutside is Tie.Because of a comment anchored outside the diff.
const anchoredOutside = "anchored"

// GradeDifficulty gives the difficulty of spec section 7 with the evidence for
// the third type:
//
//   - Type3_Latent_Candidate when a comment is anchored on a file that is not in
//     the diff, or names a path or symbol that resolves to exactly one file,
//     outside the diff, which imports or is imported by a changed file;
//   - else Type2_Contextual when a comment is not in the diff;
//   - else Type1_Direct.
//
// Comments may come in any order; the evidence comes in theirs.
func GradeDifficulty(repo model.RepoRef, comments []GroundTruth, diff *unidiff.Diff, refs References) (model.Difficulty, []model.Tie) {
	var because []model.Tie
	allInDiff := true
	changed := diff.Paths()
	defined := newDefinitions(diff)
	for _, c := range comments {
		allInDiff = allInDiff && c.InDiff
		if c.Path != "" && diff.Lookup(c.Path) == nil {
			because = append(because, model.Tie{CommentID: c.CommentID, Path: c.Path, Because: anchoredOutside})
			continue
		}
		because = append(because, namedOutside(repo, c, diff, changed, defined, refs)...)
	}
	switch {
	case len(because) > 0:
		return model.Type3, because
	case !allInDiff:
		return model.Type2, nil
	}
	return model.Type1, nil
}

// namedOutside lists the files outside the diff that a comment names.
func namedOutside(repo model.RepoRef, c GroundTruth, diff *unidiff.Diff, changed []string, defined definitions, refs References) []model.Tie {
	var ties []model.Tie
	seen := make(map[string]bool)
	for _, name := range Names(c.Body, repo) {
		if defined.has(name) {
			continue
		}
		paths := refs.Resolve(name)
		if len(paths) != 1 || seen[paths[0]] || diff.Lookup(paths[0]) != nil {
			continue
		}
		if via, why, ok := refs.Tie(paths[0], changed); ok {
			seen[paths[0]] = true
			ties = append(ties, model.Tie{CommentID: c.CommentID, Named: name, Path: paths[0], Via: via, Because: why})
		}
	}
	return ties
}

// definitions are the names that a diff itself defines. A comment that speaks
// of one of them speaks of the diff, whatever else has that name.
type definitions map[string]bool

var definition = regexp.MustCompile(`\b(?:def|class|func(?:\s*\([^()]{0,100}\))?|function\*?|interface|type|struct|enum|record|trait|fn|const|let|var|val)\s+([A-Za-z_$][\w$]*)` +
	`|^\s*(?:(?:public|private|protected|static|final|abstract|async|export|default|readonly|override|synchronized)\s+)+(?:[\w$<>\[\],.?]+\s+){0,4}([A-Za-z_$][\w$]*)\s*[(=;{]` +
	`|^\s*([A-Za-z_$][\w$]*)\s*(?::[^=]{0,80})?(?::=|=)[^=]`)

func newDefinitions(diff *unidiff.Diff) definitions {
	d := make(definitions)
	for _, f := range diff.Files {
		for _, h := range f.Hunks {
			for _, l := range h.Lines {
				for _, m := range definition.FindAllStringSubmatch(l.Text[:min(len(l.Text), maxText)], -1) {
					for _, name := range m[1:] {
						d[name] = true
					}
				}
			}
		}
	}
	return d
}

func (d definitions) has(name string) bool {
	if strings.Contains(name, "/") {
		return false
	}
	parts := strings.Split(name, ".")
	return d[parts[len(parts)-1]] || d[name]
}

// uniqueNames drops repetitions, keeping the first.
func uniqueNames(names []string) []string {
	var out []string
	for _, n := range names {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out[:min(len(out), maxNames)]
}
