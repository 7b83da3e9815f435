package contextbuilder

import (
	"fmt"
	"strings"

	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/text"
	"github.com/prforge/prforge/internal/unidiff"
)

// diffLayer is layer 2: the whole change, or whole hunks of the best files, split if one does not fit, and one line
// that counts what was left out.
type diffLayer struct {
	measure
	files  []*shownFile // the best files that have hunks
	beyond []*change    // all others
	unread []unreadFile // files of a whole diff that are named instead of shown
	whole  bool         // show everything if it fits
	splits int          // height of the last resort
	least  worth        // minimum worth of a part to be shown now
}

// unreadFile is a file that a whole diff only names.
type unreadFile struct {
	*change
	why string
}

// shownFile is one file of layer 2 with the lines shown of it.
type shownFile struct {
	*change
	lines [][]bool // by hunk and line
	block string   // "" while nothing is shown
	size  int
}

func newDiffLayer(m measure, p *pull, opts Options) *diffLayer {
	l := &diffLayer{measure: m, splits: opts.SplitLines, whole: opts.Whole}
	for _, c := range p.changes {
		why := ""
		if opts.Whole {
			why = c.unread()
		}
		switch {
		case why != "":
			l.unread = append(l.unread, unreadFile{c, why})
		case !opts.Whole && (len(c.diff.Hunks) == 0 || len(l.files) == opts.MaxFiles || c.like != nil):
			l.beyond = append(l.beyond, c)
		default:
			l.files = append(l.files, newShownFile(c))
		}
	}
	l.set(l.render())
	return l
}

// unread says why a whole diff does not show a file; "" if it does.
func (c *change) unread() string {
	f := c.diff
	switch {
	case f.IsBinary:
		return "binary"
	case len(f.Hunks) > 0:
		return pathkind.Unread(c.path, c.content())
	case f.IsRename || f.IsCopy:
		return "the text of " + shownPath(f.OldPath)
	case f.OldMode != f.NewMode && f.OldPath != "" && f.NewPath != "":
		return "only its mode changes"
	}
	return "empty"
}

func newShownFile(c *change) *shownFile {
	f := &shownFile{change: c}
	for _, h := range c.diff.Hunks {
		f.lines = append(f.lines, make([]bool, len(h.Lines)))
	}
	return f
}

// render is the file's block: its header and the hunks shown.
func (f *shownFile) render() string {
	var b strings.Builder
	b.WriteString(f.diff.Names())
	any := false
	for i := range f.diff.Hunks {
		for _, h := range shownHunks(f.change, i, f.lines[i]) {
			b.WriteString(h.String())
			any = true
		}
	}
	if !any {
		return ""
	}
	return block(shownPath(f.path), "diff", text.Valid(b.String()))
}

func (l *diffLayer) total() int {
	n := l.size(section(2, "\n-")) // the heading; "-" takes the place of the blocks
	for _, f := range l.files {
		n += f.size
	}
	return n
}

// report counts hunks: those shown, whole or in part, and those with missing lines.
func (l *diffLayer) report() (shown, left int) {
	for _, f := range l.files {
		for _, lines := range f.lines {
			n := trues(lines)
			if n > 0 {
				shown++
			}
			if n < len(lines) {
				left++
			}
		}
	}
	for _, c := range l.beyond {
		left += len(c.diff.Hunks)
	}
	return shown, left
}

func (l *diffLayer) render() string {
	var b strings.Builder
	b.WriteString("\n")
	for _, f := range l.files {
		b.WriteString(f.block)
	}
	b.WriteString(l.note(false))
	if b.Len() == 1 {
		b.WriteString("The diff has no text: every change is of names, modes or binary files.\n")
	}
	return section(2, b.String())
}

// note is the one line that counts what was left out; "" when nothing was. The
// longest note is the one for nothing shown.
func (l *diffLayer) note(longest bool) string {
	var partly, absent left
	for _, f := range l.files {
		missing := f.missing(longest)
		if f.block == "" || longest {
			absent.add(missing)
		}
		if (f.block != "" || longest) && missing.hunks > 0 {
			partly.add(missing)
		}
	}
	for _, c := range l.beyond {
		if len(c.diff.Hunks) > 0 {
			absent.add(left{files: 1, added: c.diff.AddedLines, deleted: c.diff.DeletedLines})
		}
	}
	var says []string
	if partly.hunks > 0 {
		says = append(says,
			fmt.Sprintf("%s of the files above (+%d -%d)", count(partly.hunks, "hunk or part of one", "hunks or parts of them"),
				partly.added, partly.deleted))
	}
	if absent.files > 0 {
		says = append(says, fmt.Sprintf("%s (+%d -%d)", count(absent.files, "other file"), absent.added, absent.deleted))
	}
	if len(says) == 0 {
		return l.named()
	}
	return l.named() + "Left out: " + strings.Join(says, "; ") + ".\n" + l.alike(longest)
}

// maxUnread is how many of the files not shown are named.
const maxUnread = 50

// named lists the files that a whole diff does not show, with the reason; "" for
// none.
func (l *diffLayer) named() string {
	if len(l.unread) == 0 {
		return ""
	}
	var out strings.Builder
	out.WriteString("Changed but not shown, as generated, copied or without text:\n\n")
	for i, f := range l.unread {
		if i == maxUnread {
			out.WriteString("- " + count(len(l.unread)-i, "more file") + "\n")
			break
		}
		fmt.Fprintf(&out, "- %s (+%d -%d): %s\n", shownPath(f.path), f.diff.AddedLines, f.diff.DeletedLines, f.why)
	}
	return out.String() + "\n"
}

// maxAlike is how many files of one shape the note names.
const maxAlike = 6

// alike names the omitted files that change like a shown one, but for names.
func (l *diffLayer) alike(longest bool) string {
	var out strings.Builder
	for _, f := range l.files {
		if f.block == "" && !longest {
			continue
		}
		var paths []string
		for _, c := range l.beyond {
			if c.like == f.change {
				paths = append(paths, shownPath(c.path))
			}
		}
		if len(paths) == 0 {
			continue
		}
		more := ""
		if len(paths) > maxAlike {
			paths, more = paths[:maxAlike], fmt.Sprintf(" and %d more", len(paths)-maxAlike)
		}
		out.WriteString("Changed as " + shownPath(f.path) + " is, but for names: " + strings.Join(paths, ", ") + more + ".\n")
	}
	return out.String()
}

// left counts what was left out.
type left struct{ files, hunks, added, deleted int }

func (n *left) add(m left) {
	n.files += m.files
	n.hunks += m.hunks
	n.added += m.added
	n.deleted += m.deleted
}

// missing counts what is not shown of a file; everything if all is set.
func (f *shownFile) missing(all bool) left {
	n := left{files: 1}
	for i, h := range f.diff.Hunks {
		some := false
		for j, line := range h.Lines {
			if f.lines[i][j] && !all {
				continue
			}
			switch line.Kind {
			case unidiff.Added:
				n.added++
				some = true
			case unidiff.Deleted:
				n.deleted++
				some = true
			}
		}
		if some {
			n.hunks++
		}
	}
	return n
}

// oldLines is the set of lines of a file of the base that the layer shows.
func (l *diffLayer) oldLines(path string) map[int]bool {
	var set map[int]bool
	for _, f := range l.files {
		if f.diff.OldPath != path {
			continue
		}
		if set == nil {
			set = map[int]bool{}
		}
		for i, h := range f.diff.Hunks {
			for j, line := range h.Lines {
				if f.lines[i][j] && line.Old > 0 {
					set[line.Old] = true
				}
			}
		}
	}
	return set
}
