package contextbuilder

import (
	"slices"

	"github.com/prforge/prforge/internal/unidiff"
)

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
