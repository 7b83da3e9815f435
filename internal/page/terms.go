package page

import (
	"encoding/binary"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Terms is an index of texts by what they hold: words, and facts about them.
// With it a page finds texts without reading them. The zero value is empty.
type Terms struct {
	texts int
	lists map[string]*posting
}

// posting are the texts that hold a term: the last of them, and the steps from
// one to the next, from 0, as binary.AppendUvarint writes them.
type posting struct {
	last  int
	steps []byte
}

// The bounds of what one run of letters can add to an index.
const (
	termRunes = 20 // of a term that are kept; a search asks for as many
	termParts = 8  // of one run of letters
)

// Text begins the next text and returns its number, from 1.
func (t *Terms) Text() int {
	t.texts++
	return t.texts
}

// Fact notes a value of the last text. Its name has only letters.
func (t *Terms) Fact(about, value string) { t.add(about + "=" + value) }

// Words notes the words of the last text: runs of letters, digits and low lines,
// in lower case, and what is left of one from where a part of it begins, as in
// read_file and readFile. A word is thus found by its beginning and by that of
// each of its parts.
func (t *Terms) Words(text string) {
	for run := range strings.FieldsFuncSeq(text, func(r rune) bool { return !inWord(r) }) {
		t.run([]rune(run))
	}
}

func inWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

func (t *Terms) run(word []rune) {
	parts := 0
	for i := range word {
		if i > 0 && !begins(word, i) {
			continue
		}
		t.add(strings.ToLower(string(word[i:min(len(word), i+termRunes)])))
		if parts++; parts == termParts {
			return
		}
	}
}

// begins says whether a part of a word begins at a position in it. Where words are
// not set apart by spaces, each letter begins one.
func begins(word []rune, i int) bool {
	before, now := word[i-1], word[i]
	switch {
	case now == '_':
		return false
	case before == '_':
		return true
	case unicode.IsUpper(now):
		return !unicode.IsUpper(before) || i+1 < len(word) && unicode.IsLower(word[i+1])
	}
	return unicode.In(now, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar)
}

func (t *Terms) add(term string) {
	if t.lists == nil {
		t.lists = map[string]*posting{}
	}
	p := t.lists[term]
	if p == nil {
		p = &posting{}
		t.lists[term] = p
	}
	if t.texts > p.last {
		p.steps = binary.AppendUvarint(p.steps, uint64(t.texts-p.last))
		p.last = t.texts
	}
}

// directory says in which block of an index a term is.
type directory struct {
	Texts  int      `json:"texts"`
	Firsts []string `json:"firsts"` // the first term of each block, in the order of code points
}

// Terms writes an index as blocks that a search reads: NAME, which says what is
// in NAME-1, NAME-2, ...
func (w *Writer) Terms(name string, t *Terms) error {
	d := directory{t.texts, []string{}}
	blocks := w.Chunks(name)
	for _, term := range slices.Sorted(maps.Keys(t.lists)) {
		n, err := blocks.put(term, t.lists[term].json())
		if err != nil {
			return err
		}
		if n > len(d.Firsts) {
			d.Firsts = append(d.Firsts, term)
		}
	}
	if err := blocks.Flush(); err != nil {
		return err
	}
	return w.Block(name, d)
}

// json is an array of the steps.
func (p *posting) json() []byte {
	out := []byte{'['}
	for rest := p.steps; len(rest) > 0; {
		step, n := binary.Uvarint(rest)
		rest = rest[n:]
		out = append(strconv.AppendUint(out, step, 10), ',')
	}
	out[len(out)-1] = ']'
	return out
}
