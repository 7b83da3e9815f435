// Package unidiff is the only parser of unified diffs: files, hunks and the line numbers of both sides. It is based
// on go-gitdiff.
package unidiff

// GitHubDrivers are the attributes by which git finds the enclosing function for hunk headers as GitHub does: with its
// drivers for Python and Java only.
const GitHubDrivers = "*.py diff=python\n*.java diff=java\n"

// Kind is the kind of a line in a hunk.
type Kind byte

// The three kinds of lines.
const (
	Context Kind = ' '
	Added   Kind = '+'
	Deleted Kind = '-'
)

// Line is one line of a hunk. Text has no marker and no line feed; a carriage
// return stays. Old and New are the 1-based numbers on either side, 0 on the
// side that does not have the line.
type Line struct {
	Kind      Kind
	Text      string
	Old, New  int
	NoNewline bool // followed by "\ No newline at end of file"
}

// Hunk is one hunk of a file.
type Hunk struct {
	OldStart, OldLines int
	NewStart, NewLines int
	Section            string // the text after the second @@
	Lines              []Line
}

// File is one file of a diff. OldPath is "" for an added file, NewPath "" for a
// deleted one.
type File struct {
	OldPath, NewPath           string
	OldOid, NewOid             string // as abbreviated in the index line; "" if there is none
	OldMode, NewMode           uint32 // 0 if not stated
	IsRename, IsCopy, IsBinary bool
	Header                     string // the lines from "diff --git" to before the first hunk, verbatim
	Hunks                      []Hunk
	AddedLines, DeletedLines   int
}

// Path is the name a reader knows the file by: the new path, or the old one of
// a deleted file.
func (f *File) Path() string {
	if f.NewPath != "" {
		return f.NewPath
	}
	return f.OldPath
}

// Diff is a parsed unified diff, files in the order of the text.
type Diff struct {
	Files                    []*File
	AddedLines, DeletedLines int
}
