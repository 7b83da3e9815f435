// Package tokens counts text in tokens of OpenAI's o200k_base, exactly.
//
// The vocabulary is the one that github.com/tiktoken-go/tokenizer embeds. Its
// splitter is not used: v0.10.0 cuts a run of blank lines in two, and v0.7.0,
// which does not, needs quadratic time on a long run of one character. The
// splitter here is written by hand after the encoding's published pattern and
// takes linear time; merging takes O(n log n) of the longest piece.
package tokens

import (
	"fmt"
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

// Name is the encoding's name, as written in the manifest.
const Name = "o200k_base"

// Counter counts tokens. It is read-only once made, so that any number of
// goroutines may share one.
type Counter struct {
	ranks *vocabulary // a token's id is its merge rank too
	// least is, for each byte, 1 / the length of the longest token that has
	// it: the part of a token that the byte takes at the least.
	least [256]float64
	idle  *sync.Pool // of *merging
}

// NewCounter returns the counter. The first call loads the vocabulary, which
// takes some tens of milliseconds and about 20 MB.
func NewCounter() (*Counter, error) { return counter() }

var counter = sync.OnceValues(func() (*Counter, error) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return nil, fmt.Errorf("loading the vocabulary of %s: %w", Name, err)
	}
	c := &Counter{ranks: newVocabulary(), idle: &sync.Pool{New: func() any { return new(merging) }}}
	for b := range c.least {
		c.least[b] = 1
	}
	for id := range uint(vocabularySize) {
		piece, err := codec.Decode([]uint{id})
		if err != nil {
			return nil, fmt.Errorf("loading token %d of %s: %w", id, Name, err)
		}
		c.ranks.add(piece)
		for i := range len(piece) {
			c.least[piece[i]] = min(c.least[piece[i]], 1/float64(len(piece)))
		}
	}
	return c, nil
})

// Count is the number of tokens of text. Names of special tokens count as
// plain text. The text must be valid UTF-8; see text.Valid.
func (c *Counter) Count(text string) int {
	n, _ := c.Fits(text, len(text))
	return n
}

// Fits reports whether text has at most limit tokens and, if so, how many. A
// text that is far too long costs one pass over its bytes. The conditions are
// those of Count.
func (c *Counter) Fits(text string, limit int) (n int, fits bool) {
	if c.atLeast(text) > limit {
		return 0, false
	}
	for len(text) > 0 && n <= limit {
		size := nextPiece(text)
		if _, ok := c.ranks.id(text[:size]); ok {
			n++
		} else {
			m := c.idle.Get().(*merging)
			m.split(text[:size], c.ranks)
			n += m.parts(size)
			c.idle.Put(m)
		}
		text = text[size:]
	}
	if n > limit {
		return 0, false
	}
	return n, true
}

// atLeast is a lower bound of text's tokens: the bytes of one token add at most one.
func (c *Counter) atLeast(text string) int {
	sum := 0.0
	for i := range len(text) {
		sum += c.least[text[i]]
	}
	return int(sum * (1 - 1e-9)) // the factor outweighs what adding rounds off
}

// Encode is the list of token ids of text, under the conditions of Count.
func (c *Counter) Encode(text string) []uint32 {
	var ids []uint32
	for len(text) > 0 {
		piece := text[:nextPiece(text)]
		if id, ok := c.ranks.id(piece); ok {
			ids = append(ids, id)
		} else {
			var m merging
			m.split(piece, c.ranks)
			for i := int32(0); int(i) < len(piece); i = m.next[i] {
				id, _ := c.ranks.id(piece[i:m.next[i]])
				ids = append(ids, id)
			}
		}
		text = text[len(piece):]
	}
	return ids
}
