package imports

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// handle is a way in which a file may be tied to another: it holds all of these.
type handle struct {
	mentions []mention
	dir      string // it lies in this directory; "" for any
	under    string // it lies in this directory or below; "" for any
}

func newHandle(as occurrence, words ...string) handle {
	h := handle{mentions: make([]mention, len(words))}
	for i, word := range words {
		h.mentions[i] = mentionOf(word, as)
	}
	return h
}

// textHandle is a handle of a text: it ends as asked, and the file has its other
// words.
func textHandle(as occurrence, text string) handle {
	h := newHandle(0, splitWords(text)...)
	if n := len(h.mentions); n > 0 {
		h.mentions[n-1] |= mention(as)
	}
	return h
}

// eachHandle is a handle of each of some words.
func eachHandle(as occurrence, words []string) []handle {
	out := make([]handle, len(words))
	for i, word := range words {
		out[i] = newHandle(as, word)
	}
	return out
}

// heldBy reports whether a file with these words may be tied so.
func (h handle) heldBy(f *sourceFile, w words) bool {
	if h.dir != "" && h.dir != f.dir || h.under != "" && !strings.HasPrefix(f.path, h.under+"/") {
		return false
	}
	return !slices.ContainsFunc(h.mentions, func(m mention) bool { return !w.has(m) })
}

func (h handle) compare(to handle) int {
	return cmp.Or(slices.Compare(h.mentions, to.mentions), strings.Compare(h.dir, to.dir), strings.Compare(h.under, to.under))
}

// question is a set of handles that files are asked for. The words of a file are
// gone through once for all of them, so that it costs no more than the file has
// words, however many handles there are.
type question struct {
	handles []handle // each once, ordered by their first mention
	first   words    // the words of those; none for a handle that any file has
}

func newQuestion(handles []handle) question {
	q := question{handles: slices.Clone(handles)}
	slices.SortFunc(q.handles, handle.compare)
	q.handles = slices.CompactFunc(q.handles, func(a, b handle) bool { return a.compare(b) == 0 })
	q.first = make(words, len(q.handles))
	for i, h := range q.handles {
		if len(h.mentions) > 0 {
			q.first[i] = h.mentions[0].word()
		}
	}
	return q
}

// find is the place of a handle of the question.
func (q question) find(h handle) int {
	i, _ := slices.BinarySearchFunc(q.handles, h, handle.compare)
	return i
}

// heldBy goes through the places of the handles that a file with these words has.
func (q question) heldBy(f *sourceFile, w words) iter.Seq[int] {
	return func(yield func(int) bool) {
		rest := w
		for i := 0; i < len(q.handles); {
			if len(q.handles[i].mentions) > 0 {
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

// seek is the place of the first word that is not before the given one, which is
// looked for in growing steps: it is near more often than not.
func seek(w words, word uint32) int {
	n := 1
	for n <= len(w) && w[n-1] < word {
		n *= 2
	}
	i, _ := slices.BinarySearch(w[n/2:min(n, len(w))], word)
	return n/2 + i
}
