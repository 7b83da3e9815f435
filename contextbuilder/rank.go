package contextbuilder

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/unidiff"
)

// rank orders the changes for layer 2 (spec section 9): by class, within it by
// the weighted score, then by path. The production file with the most changed
// lines of code comes first whatever its score, and a file that changes as a
// better one does, but for names, comes after all others of its class.
func rank(changes []*change, w Weights) {
	slices.SortStableFunc(changes, func(a, b *change) int {
		return cmp.Or(cmp.Compare(a.class, b.class), strings.Compare(a.path, b.path))
	})
	for from := 0; from < len(changes); {
		to := from + 1
		for to < len(changes) && changes[to].class == changes[from].class {
			to++
		}
		rankClass(changes[from:to], w)
		from = to
	}
}

// rankClass orders the changes of one class, which come ordered by path.
func rankClass(changes []*change, w Weights) {
	lines, comments, functions := make([]float64, len(changes)), make([]float64, len(changes)),
		make([]float64, len(changes))
	for i, c := range changes {
		lines[i] = float64(c.diff.AddedLines + c.diff.DeletedLines)
		comments[i] = commentDensity(c)
		functions[i] = float64(functionChanges(c))
	}
	normalize(lines)
	normalize(comments)
	normalize(functions)
	for i, c := range changes {
		c.score = w.ChangedLines*lines[i] + w.CommentDensity*comments[i] + w.FunctionChanges*functions[i]
	}
	principal := principalOf(changes)
	slices.SortStableFunc(changes, func(a, b *change) int {
		if a == principal || b == principal {
			return cmp.Compare(boolRank(a == principal), boolRank(b == principal))
		}
		return cmp.Compare(b.score, a.score)
	})
	first := map[string]*change{}
	for _, c := range changes {
		if shape := shapeOf(c.diff); shape != "" && first[shape] == nil {
			first[shape] = c
		} else if shape != "" {
			c.like = first[shape]
		}
	}
	slices.SortStableFunc(changes,
		func(a, b *change) int { return cmp.Compare(boolRank(a.like == nil), boolRank(b.like == nil)) })
}

// boolRank sorts true first.
func boolRank(first bool) int {
	if first {
		return 0
	}
	return 1
}

// principalOf is the production file with the most changed lines of code, which
// neither blank lines nor comments are; nil if none has any.
func principalOf(changes []*change) *change {
	var best *change
	most := 0
	for _, c := range changes {
		if n := codeLines(c); c.class == production && n > most {
			best, most = c, n
		}
	}
	return best
}

// codeLines counts the changed lines that are neither blank nor comments.
func codeLines(c *change) int {
	n := 0
	for _, h := range c.diff.Hunks {
		for _, l := range h.Lines {
			if text := strings.TrimSpace(l.Text); l.Kind != unidiff.Context && text != "" && !isComment(c.language, text) {
				n++
			}
		}
	}
	return n
}

// minShape is how many changed lines two files must share to be called alike: an import that many files gain says
// nothing about the rest.
const minShape = 3

// shapeOf is the changed lines of a file with every word replaced by its order of first occurrence; "" for too few
// lines. Files of one shape change alike but for names.
func shapeOf(f *unidiff.File) string {
	var b strings.Builder
	order := map[string]int{}
	n := 0
	for _, h := range f.Hunks {
		for _, l := range h.Lines {
			if l.Kind == unidiff.Context {
				continue
			}
			n++
			b.WriteByte(byte('0' + l.Kind))
			word := -1
			for i, r := range l.Text + "\n" {
				switch {
				case isWord(r) && word < 0:
					word = i
				case !isWord(r):
					if word >= 0 {
						name := l.Text[word:i]
						if _, ok := order[name]; !ok {
							order[name] = len(order)
						}
						b.WriteString("w" + itoa(order[name]))
						word = -1
					}
					b.WriteRune(r)
				}
			}
		}
	}
	if n < minShape {
		return ""
	}
	return b.String()
}

// normalize divides by the greatest value, so that it becomes 1.
func normalize(values []float64) {
	if greatest := slices.Max(append(values, 0)); greatest > 0 {
		for i := range values {
			values[i] /= greatest
		}
	}
}

// commentDensity is the share of comments among the lines that the hunks show
// of the new file, or of the old one if it is deleted: comments in the source,
// not those of a review.
func commentDensity(c *change) float64 {
	skip := unidiff.Deleted
	if c.diff.NewPath == "" {
		skip = unidiff.Added
	}
	comments, all := 0, 0
	for _, h := range c.diff.Hunks {
		for _, l := range h.Lines {
			text := strings.TrimSpace(l.Text)
			if l.Kind == skip || text == "" {
				continue
			}
			all++
			if isComment(c.language, text) {
				comments++
			}
		}
	}
	if all == 0 {
		return 0
	}
	return float64(comments) / float64(all)
}

// functionChanges counts the definitions that changed lines lie in, on both
// sides; without a grammar, the hunks.
func functionChanges(c *change) int {
	if c.was == nil && c.is == nil {
		return len(c.diff.Hunks)
	}
	names := map[string]bool{}
	for _, h := range c.diff.Hunks {
		for _, l := range h.Lines {
			if name := c.definitionAt(l); l.Kind != unidiff.Context && name != "" {
				names[name] = true
			}
		}
	}
	return len(names)
}
