package scoring

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// GroundTruth is one ground-truth comment with its position in the record's diff.
type GroundTruth struct {
	CommentID int64
	Path      string // in the diff
	Side      model.Side
	Line      *int // nil without a position
	InDiff    bool // the line is an added or a deleted one
	Body      string
}

// References finds the code of the base commit that a comment may mean. The import graph implements it.
type References interface {
	// FilesNamed lists the files that a name means: a path or the end of one
	// ("app/base.py"), a symbol that is defined at the level of its file or as a
	// member ("parse_args", "Server.Close"), or a dotted name of a module
	// ("celery.app.base"). Order does not matter; none if it means nothing.
	FilesNamed(name string) []string
	// Defined lists the first and last line of each definition that a file has
	// under a name.
	Defined(path, name string) [][2]int
	// Neighbor reports the changed file that imports the path or is imported by it,
	// and which of the two ("imports": the changed file imports the path;
	// "imported by"); false if none is.
	Neighbor(path string, changed []string) (via, because string, ok bool)
}

// The reasons for a comment's class.
const (
	becauseChangedLine = "changed_line"
	becauseContextLine = "context_line"
	becauseNoPosition  = "no_position"
	becauseDefinition  = "definition: "
	becauseNamed       = "names: "
)

// GradeDifficulty gives the difficulty of spec section 7: that of the hardest
// comment, with the class of each and the evidence for the latent ones.
//
//   - latent when it names a path, or a symbol defined at the level of its file
//     or as a member, that resolves to exactly one file outside the diff which
//     imports or is imported by a changed file;
//   - else contextual when it is on a line that the diff does not change, nor one beside it, or
//     names a definition of the same file outside the hunks, or calls one as a member;
//   - else direct. A comment without a position is direct.
//
// Comments may come in any order; the results come in theirs.
func GradeDifficulty(repo model.RepoRef, comments []GroundTruth, diff *unidiff.Diff, refs References) (model.Difficulty,
	[]model.CommentDifficulty, []model.Reference) {
	hardest := model.Type1
	classes := make([]model.CommentDifficulty, 0, len(comments))
	var all []model.Reference
	changed := diff.Paths()
	defined := newDefinitions(diff)
	for _, c := range comments {
		grade := model.CommentDifficulty{CommentID: c.CommentID, Class: model.Direct, Because: becauseChangedLine}
		references := namedOutside(repo, c, diff, changed, defined, refs)
		all = append(all, references...)
		name := namedInFile(repo, c, diff, defined, refs)
		switch {
		case len(references) > 0:
			grade.Class, grade.Because = model.Latent, becauseNamed+references[0].Path
		case c.Line != nil && !c.InDiff && !besideChange(diff, c):
			grade.Class, grade.Because = model.Contextual, becauseContextLine
		case name != "":
			grade.Class, grade.Because = model.Contextual, becauseDefinition+name
		case c.Line == nil:
			grade.Because = becauseNoPosition
		}
		classes = append(classes, grade)
		hardest = max(hardest, grade.Class.Difficulty())
	}
	return hardest, classes, all
}

// besideChange reports whether an added or deleted line stands directly before or after the line of a comment: GitHub
// allows a comment on either, and its writer means the change.
func besideChange(diff *unidiff.Diff, c GroundTruth) bool {
	lines := hunkOf(diff, c)
	i := slices.IndexFunc(lines, func(l unidiff.Line) bool { return number(l, c.Side) == *c.Line })
	return i > 0 && lines[i-1].Kind != unidiff.Context || 0 <= i && i+1 < len(lines) && lines[i+1].Kind != unidiff.Context
}

// hunkOf is the lines of the hunk that a comment is on; nil if it is on none.
func hunkOf(diff *unidiff.Diff, c GroundTruth) []unidiff.Line {
	file := diff.Lookup(c.Path)
	if file == nil || c.Line == nil {
		return nil
	}
	for _, h := range file.Hunks {
		if slices.ContainsFunc(h.Lines, func(l unidiff.Line) bool { return number(l, c.Side) == *c.Line }) {
			return h.Lines
		}
	}
	return nil
}

// namedInFile is the first name in a comment of a definition that its own file
// has outside the hunks; "" if there is none.
func namedInFile(repo model.RepoRef, c GroundTruth, diff *unidiff.Diff, defined definitions, refs References) string {
	file := diff.Lookup(c.Path)
	if file == nil || file.OldPath == "" {
		return ""
	}
	hunk := hunkOf(diff, c)
	for _, name := range namesIn(c.Body, repo) {
		if strings.Contains(name, "/") || defined.has(name) {
			continue
		}
		found := refs.Defined(file.OldPath, name)
		if _, member, dotted := strings.Cut(name, "."); dotted && len(found) == 0 && len(member) >= minName &&
			!defined.has(member) && !called(hunk, member) {
			found = refs.Defined(file.OldPath, member) // "node.Component()": of what, the file knows
		}
		if slices.ContainsFunc(found, func(lines [2]int) bool { return !shownInHunks(file, lines) }) {
			return name
		}
	}
	return ""
}

// called reports whether some line of a hunk calls a name.
func called(hunk []unidiff.Line, name string) bool {
	return slices.ContainsFunc(hunk, func(l unidiff.Line) bool { return strings.Contains(l.Text, name+"(") })
}

// shownInHunks reports whether the hunks of a file show the first line of a
// definition of its old version.
func shownInHunks(file *unidiff.File, lines [2]int) bool {
	for _, h := range file.Hunks {
		for _, l := range h.Lines {
			if l.Old == lines[0] && l.Kind != unidiff.Added {
				return true
			}
		}
	}
	return false
}

// namedOutside lists the files outside the diff that a comment names.
func namedOutside(repo model.RepoRef, c GroundTruth, diff *unidiff.Diff, changed []string, defined definitions,
	refs References) []model.Reference {
	var references []model.Reference
	seen := make(map[string]bool)
	for _, name := range namesIn(c.Body, repo) {
		if defined.has(name) || !strings.ContainsAny(name, "./") && inHunk(diff, c, name) {
			continue
		}
		paths := refs.FilesNamed(name)
		if len(paths) != 1 || seen[paths[0]] || diff.Lookup(paths[0]) != nil {
			continue
		}
		if via, why, ok := refs.Neighbor(paths[0], changed); ok {
			seen[paths[0]] = true
			references = append(references, model.Reference{CommentID: c.CommentID, Named: name, Path: paths[0], Via: via,
				Because: why})
		}
	}
	return references
}

// inHunk reports whether a word occurs in the hunk of a comment: it then means what the change shows.
func inHunk(diff *unidiff.Diff, c GroundTruth, word string) bool {
	return slices.ContainsFunc(hunkOf(diff, c), func(l unidiff.Line) bool {
		return slices.Contains(strings.FieldsFunc(l.Text, notWord), word)
	})
}

func notWord(r rune) bool { return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// definitions are the names that a diff itself defines. A comment that uses one of them means the diff, whatever else
// has that name.
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
