package contextbuilder

import (
	"fmt"
	"slices"
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

// fill shows more hunks: first all parts that change code, then those that change imports and comments, finally the
// rest.
func (l *diffLayer) fill(limit int) {
	if l.whole && l.showAll(limit) {
		l.set(l.render())
		return
	}
	note := l.size(l.note(true)) // as if its numbers were the longest
	room := func() int { return limit - l.total() - note }
	for _, least := range []worth{worthCode, worthNotes, worthNothing} {
		if l.least = least; least > worthNothing || !l.lacks() {
			l.spread(room)
		}
	}
	for i := 0; i < len(l.files) && !l.any(); i++ { // lines too long for any window
		l.show(l.files[i], room(), byLine)
	}
	for i := 0; i < len(l.beyond) && !l.any(); i++ { // lines too long for any room
		if c := l.beyond[i]; len(c.diff.Hunks) > 0 {
			l.swap(i)
			l.show(l.files[len(l.files)-1], room(), byLine)
		}
	}
	l.set(l.render())
}

// lacks reports whether a meaningful line is not shown.
func (l *diffLayer) lacks() bool {
	return slices.ContainsFunc(l.files, func(f *shownFile) bool {
		for i, h := range f.diff.Hunks {
			for j, line := range h.Lines {
				if line.Kind != unidiff.Context && !f.lines[i][j] && f.worthOf(line) > worthNothing {
					return true
				}
			}
		}
		return false
	})
}

// spread shows more of every file. Production files first get shares by their
// scores, so that one large file does not hide the others; then each takes what is
// left, in order. Only then is a hunk cut inside a definition.
func (l *diffLayer) spread(room func() int) {
	for i, f := range l.files {
		if f.class != production {
			break
		}
		l.show(f, f.size+int(float64(room())*l.claim(i)), byDefinition)
	}
	for _, deepest := range []depth{byDefinition, byWindow} {
		for _, f := range l.files {
			l.show(f, f.size+room(), deepest)
		}
	}
}

// showAll shows every hunk of every file if the section then has at most limit
// tokens, else none. It tries once.
func (l *diffLayer) showAll(limit int) bool {
	l.whole = false
	total := l.total() + l.size(l.named())
	for _, f := range l.files {
		for _, lines := range f.lines {
			for i := range lines {
				lines[i] = true
			}
		}
		f.block = f.render()
		f.size = l.size(f.block)
		if total += f.size; total > limit {
			break
		}
	}
	if total <= limit {
		return true
	}
	for i, f := range l.files {
		l.files[i] = newShownFile(f.change)
	}
	return false
}

// claim is file i's share of the scores of the production files from i on.
func (l *diffLayer) claim(i int) float64 {
	sum := 0.0
	for _, f := range l.files[i:] {
		if f.class == production {
			sum += f.score
		}
	}
	if sum == 0 {
		return 1
	}
	return l.files[i].score / sum
}

// swap replaces the last shown file by one beyond.
func (l *diffLayer) swap(i int) {
	f := newShownFile(l.beyond[i])
	last := len(l.files) - 1
	l.beyond[i], l.files[last] = l.files[last].change, f
}

// show adds lines of a file's hunks, in order, while its block has at most
// limit tokens.
func (l *diffLayer) show(f *shownFile, limit int, deepest depth) {
	if f.size > limit {
		return
	}
	for i := range f.diff.Hunks {
		l.take(f, cut{i, 0, len(f.lines[i])}, whole, deepest, limit)
	}
}

// take shows a part of a hunk, or as many of its worthwhile parts as fit.
func (l *diffLayer) take(f *shownFile, part cut, at, deepest depth, limit int) {
	if f.worth(part) < l.least {
		return
	}
	before := part.mark(f)
	if before == nil {
		return
	}
	if inOnePiece(f.diff.Hunks[part.hunk], f.lines[part.hunk]) && (trues(before) > 0 || l.mayFit(f, part, limit)) {
		text := f.render()
		if size, fits := l.counter.Fits(text, limit); fits {
			f.block, f.size = text, size
			return
		}
	}
	part.restore(f, before)
	for at < deepest {
		at++
		parts := split(f.change, part, at, l.splits)
		if len(parts) < 2 {
			continue
		}
		for _, sub := range parts {
			l.take(f, sub, at, deepest, limit)
		}
		return
	}
}

// mayFit reports whether the block could still have at most limit tokens with a part of which nothing is shown: most
// parts do not fit, and these need no rendering. If the part touches a shown one, the two become one hunk, which may
// have a shorter header.
func (l *diffLayer) mayFit(f *shownFile, part cut, limit int) bool {
	shown := f.lines[part.hunk]
	if part.from > 0 && shown[part.from-1] || part.to < len(shown) && shown[part.to] {
		return true
	}
	least := f.size
	for _, line := range f.diff.Hunks[part.hunk].Lines[part.from:part.to] {
		if line.Kind == unidiff.Context {
			continue // may be shown already
		}
		size, fits := l.counter.Fits(line.Text, limit)
		if least += leastJoined(size); !fits || least > limit {
			return false
		}
	}
	return true
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

func (l *diffLayer) any() bool {
	for _, f := range l.files {
		if f.block != "" {
			return true
		}
	}
	return false
}

func (l *diffLayer) hasMore() bool {
	_, left := l.report()
	return left > 0
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
		says = append(says, fmt.Sprintf("%s of the files above (+%d -%d)", count(partly.hunks, "hunk or part of one", "hunks or parts of them"), partly.added, partly.deleted))
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

// missing counts what is not shown of a file; all of it if asked.
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

// mark shows the lines of the range and returns their former marks; nil if all were already shown.
func (c cut) mark(f *shownFile) []bool {
	lines := f.lines[c.hunk][c.from:c.to]
	if trues(lines) == len(lines) {
		return nil
	}
	before := append([]bool{}, lines...)
	for i := range lines {
		lines[i] = true
	}
	return before
}

func (c cut) restore(f *shownFile, before []bool) { copy(f.lines[c.hunk][c.from:c.to], before) }
