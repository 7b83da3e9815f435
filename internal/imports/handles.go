package imports

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// Handle is a set of words that a file must all hold to be tied to another in one way.
type Handle struct {
	Mentions []Mention
	Dir      string // it lies in this directory; "" for any
	Under    string // it lies in this directory or below; "" for any
}

// NewHandle is a handle of words that all have the given occurrence.
func NewHandle(as Occurrence, words ...string) Handle {
	h := Handle{Mentions: make([]Mention, len(words))}
	for i, word := range words {
		h.Mentions[i] = MentionOf(word, as)
	}
	return h
}

// TextHandle is a handle of a text: its last word has the given occurrence, its
// other words may occur in any way.
func TextHandle(as Occurrence, text string) Handle {
	h := NewHandle(0, splitWords(text)...)
	if n := len(h.Mentions); n > 0 {
		h.Mentions[n-1] |= Mention(as)
	}
	return h
}

// EachHandle is a handle of each of some words.
func EachHandle(as Occurrence, words []string) []Handle {
	out := make([]Handle, len(words))
	for i, word := range words {
		out[i] = NewHandle(as, word)
	}
	return out
}

// heldBy reports whether a file with these words has the handle.
func (h Handle) heldBy(f *Source, w Words) bool {
	if h.Dir != "" && h.Dir != f.Dir || h.Under != "" && !strings.HasPrefix(f.Path, h.Under+"/") {
		return false
	}
	return !slices.ContainsFunc(h.Mentions, func(m Mention) bool { return !w.Has(m) })
}

func (h Handle) compare(to Handle) int {
	return cmp.Or(slices.Compare(h.Mentions, to.Mentions), strings.Compare(h.Dir, to.Dir),
		strings.Compare(h.Under, to.Under))
}

// question is a set of handles. One pass over a file's words finds all handles that
// the file has, so the cost does not depend on their number.
type question struct {
	handles []Handle // each once, ordered by their first mention
	first   Words    // the words of those; none for a handle that any file has
}

func newQuestion(handles []Handle) question {
	q := question{handles: slices.Clone(handles)}
	slices.SortFunc(q.handles, Handle.compare)
	q.handles = slices.CompactFunc(q.handles, func(a, b Handle) bool { return a.compare(b) == 0 })
	q.first = make(Words, len(q.handles))
	for i, h := range q.handles {
		if len(h.Mentions) > 0 {
			q.first[i] = h.Mentions[0].word()
		}
	}
	return q
}

// find is the index of a handle of the question.
func (q question) find(h Handle) int {
	i, _ := slices.BinarySearchFunc(q.handles, h, Handle.compare)
	return i
}

// heldBy yields the indexes of the handles that a file with these words has.
func (q question) heldBy(f *Source, w Words) iter.Seq[int] {
	return func(yield func(int) bool) {
		rest := w
		for i := 0; i < len(q.handles); {
			if len(q.handles[i].Mentions) > 0 {
				rest = rest[seek(rest, q.first[i]):]
				if len(rest) == 0 {
					return
				}
				if next := rest[0] &^ occurrences; next != q.first[i] {
					i += seek(q.first[i:], next)
					continue
				}
			}
			if q.handles[i].heldBy(f, w) && !yield(i) {
				return
			}
			i++
		}
	}
}

// seek is the index of the first word that is not before the given one. It searches
// in growing steps, because that word is usually near.
func seek(w Words, word uint32) int {
	n := 1
	for n <= len(w) && w[n-1] < word {
		n *= 2
	}
	i, _ := slices.BinarySearch(w[n/2:min(n, len(w))], word)
	return n/2 + i
}
