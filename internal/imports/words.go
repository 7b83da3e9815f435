package imports

import (
	"bytes"
	"iter"
	"math/bits"
	"slices"

	"github.com/prforge/prforge/internal/syntax"
)

// Words are the identifiers in a blob, sorted: the hash of each, with its occurrences in the lowest bits. They show
// cheaply that a file cannot mention a name; a hit may be a collision or a comment, so the parsed file decides.
type Words []uint32

// Occurrence is how a word occurs in a blob, at least once.
type Occurrence uint32

const (
	// Bare words occur where a name may be defined: anywhere in a script
	// (exports.name = ...), elsewhere not right behind a dot.
	Bare Occurrence = 1 << iota
	// Declared words follow a keyword that declares a type.
	Declared
	// Imported words occur where an import may name a module or a part of it. For Python that
	// is a statement with "import" or "from", and behind a dot; for the others the
	// end of a quoted text, but for an extension.
	Imported
	// Bound words occur in one of Python's statements with "import" or "from".
	Bound
	// Renamed words come before the "as" of one of Python's imports.
	Renamed
	// Called words come before a bracket, or a comment that may hide one. Where a call needs no bracket all words do.
	Called

	occurrences = 1<<iota - 1
)

// Mention is a word to look for, and how it has to occur.
type Mention uint32

// MentionOf is a mention of one word.
func MentionOf(word string, as Occurrence) Mention {
	return Mention(hashWord(word)&^occurrences | uint32(as))
}

// PairOf is a mention of two words that a dot joins.
func PairOf(a, b string) Mention {
	return Mention(pairHash(hashWord(a), hashWord(b))&^occurrences | uint32(Imported))
}

// Has reports whether the word may be in the blob as the mention says.
func (w Words) Has(m Mention) bool {
	i, _ := slices.BinarySearch(w, m.word())
	return i < len(w) && m.isAt(w[i])
}

// Occurring yields the words with the given occurrence.
func (w Words) Occurring(as Occurrence) iter.Seq[Mention] {
	return func(yield func(Mention) bool) {
		for _, word := range w {
			if word&uint32(as) != 0 && !yield(Mention(word&^occurrences)) {
				return
			}
		}
	}
}

// isAt reports whether a word of a blob is the one looked for and occurs so.
func (m Mention) isAt(w uint32) bool { return (w^uint32(m))&^occurrences == 0 && uint32(m)&^w == 0 }

// word is what is looked for, without how it occurs.
func (m Mention) word() uint32 { return uint32(m) &^ occurrences }

// FNV-1a of 32 bits.
const (
	fnvOffset = 2166136261
	fnvPrime  = 16777619
)

func hashWord(s string) uint32 {
	h := uint32(fnvOffset)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(s[i])) * fnvPrime
	}
	return h
}

// isWordByte: letters, digits, underscore, dollar, and every byte of a character
// outside ASCII.
func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '$' || c >= 0x80
}

// DotsWord is the word for a string of dots and slashes alone, such as a script's
// import of its own directory; no identifier is equal to it.
const DotsWord = "."

// WildcardWord is the word for Python's "import *".
const WildcardWord = "*"

// WildcardImport is a mention of Python's "import *".
var WildcardImport = MentionOf(WildcardWord, Imported)

// endsDots reports whether a text is of dots and slashes alone, up to the quote that
// closes it.
func endsDots(text []byte, quote byte) bool {
	rest := bytes.TrimLeft(text, "./")
	return len(rest) > 0 && rest[0] == quote && text[0] == '.'
}

// The hashes of words that say something of the next one.
var (
	importHash = hashWord("import")
	fromHash   = hashWord("from")
	asHash     = hashWord("as")
	selfHash   = hashWord("self")
	blankHash  = hashWord("_")
)

// scanner collects the words of a source.
type scanner struct {
	src    []byte
	family *syntax.Family
	out    Words    // each word once
	places []uint32 // hash table: 1 + the index in out of a word; 0 where there is none
	// Inside is set in one of Python's statements that import, from its keyword to
	// the end of the line on which all its parentheses are closed; comment is set
	// behind a hash in it.
	inside, comment bool
	depth           int    // of parentheses
	last            int    // index in out of the last word that is in no comment
	before          uint32 // hash of the word before, which ends at end
	end             int
	typed           bool
	typeHashes      []uint32 // of the words that declare types
}

// wordsOf collects the words of a source.
func wordsOf(src []byte, family *syntax.Family) Words {
	s := scanner{src: src, family: family}
	for _, word := range family.TypeWords {
		s.typeHashes = append(s.typeHashes, hashWord(word))
	}
	s.makeRoom(len(src) / 32)
	for i := 0; i < len(src); {
		if isWordByte(src[i]) {
			i = s.word(i)
		} else {
			s.mark(i)
			i++
		}
	}
	slices.Sort(s.out)
	return slices.Clone(s.out)
}

// makeRoom prepares for at least n different words.
func (s *scanner) makeRoom(n int) {
	const least = 64
	s.places = make([]uint32, 2<<bits.Len(uint(max(n, least))))
	for i, w := range s.out {
		s.places[s.find(w&^occurrences)] = uint32(i + 1)
	}
}

// find is where in places a word is, or may be put.
func (s *scanner) find(word uint32) int {
	for i := int(word/(occurrences+1)) & (len(s.places) - 1); ; i = (i + 1) & (len(s.places) - 1) {
		if at := s.places[i]; at == 0 || s.out[at-1]&^occurrences == word {
			return i
		}
	}
}

// add adds a word and returns its index in out.
func (s *scanner) add(word uint32, as Occurrence) int {
	i := s.find(word)
	if s.places[i] == 0 {
		if 2*len(s.out) >= len(s.places) {
			s.makeRoom(len(s.places))
			i = s.find(word)
		}
		s.out = append(s.out, word)
		s.places[i] = uint32(len(s.out))
	}
	at := int(s.places[i]) - 1
	s.out[at] |= uint32(as)
	return at
}

func (s *scanner) hasStatements() bool { return s.family.ImportStatements }

// word adds the word at i and returns its end.
func (s *scanner) word(i int) int {
	start, h := i, uint32(fnvOffset)
	for ; i < len(s.src) && isWordByte(s.src[i]); i++ {
		h = (h ^ uint32(s.src[i])) * fnvPrime
	}
	var as Occurrence
	if s.family.DotDefines || start == 0 || s.src[start-1] != '.' {
		as = Bare
	}
	if s.typed {
		as |= Declared
	}
	switch {
	case s.inside:
		as |= Imported | Bound
	case s.hasStatements() && s.dotBefore(start) >= 0, !s.hasStatements() &&
		(s.endsText(i) || h == blankHash && s.beforeQuote(i)):
		as |= Imported
	}
	if s.family.BareCalls || s.beforeBracket(i) {
		as |= Called
	}
	s.typed = slices.Contains(s.typeHashes, h)
	if s.hasStatements() {
		s.chain(start, h)
		s.before, s.end = h, i
	}
	at := s.add(h&^occurrences, as)
	if s.hasStatements() && !s.comment {
		switch {
		case h == importHash || h == fromHash:
			s.inside, s.depth = true, max(0, s.depth)
		case h == asHash && s.inside:
			s.out[s.last] |= uint32(Renamed)
		}
		s.last = at
	}
	return i
}

// beforeBracket reports whether there are only blanks between offset i and a
// bracket, of arguments or of types before them, or a comment.
func (s *scanner) beforeBracket(i int) bool {
	for ; i < len(s.src); i++ {
		switch s.src[i] {
		case '(', '[', '<', '/', '#':
			return true
		case ' ', '\t', '\n', '\\':
		default:
			return false
		}
	}
	return false
}

// dotBefore is the offset of a dot with only blanks between it and offset i; -1 if
// there is none.
func (s *scanner) dotBefore(i int) int {
	for i--; i >= 0; i-- {
		switch s.src[i] {
		case '.':
			return i
		case ' ', '\t', '\n', '\\':
		default:
			return -1
		}
	}
	return -1
}

// chain adds a word and the one before it as a pair if a dot joins them, as in a
// module's name. An attribute of self is no such pair.
func (s *scanner) chain(start int, h uint32) {
	if dot := s.dotBefore(start); dot >= s.end && s.end > 0 && s.before != selfHash &&
		len(bytes.TrimRight(s.src[s.end:dot], " \t\n\\")) == 0 {
		s.add(pairHash(s.before, h)&^occurrences, Imported)
	}
}

// pairHash is the hash of two words that a dot joins.
func pairHash(a, b uint32) uint32 { return (a*fnvPrime ^ b) * fnvPrime }

// endsText reports whether a quoted text may end at offset i: with a quotation
// mark, with a slash before it or extensions.
func (s *scanner) endsText(i int) bool {
	for i < len(s.src) && s.src[i] == '.' {
		for i++; i < len(s.src) && isWordByte(s.src[i]); i++ {
		}
	}
	if i < len(s.src) && s.src[i] == '/' {
		i++
	}
	return i < len(s.src) && isQuote(s.src[i])
}

// beforeQuote reports whether there are only blanks between offset i and a
// quotation mark, as behind the blank name of one of Go's imports.
func (s *scanner) beforeQuote(i int) bool {
	rest := bytes.TrimLeft(s.src[i:], " \t")
	return len(rest) > 0 && isQuote(rest[0])
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// mark reads byte i, which is part of no word, for what it says of the next words.
func (s *scanner) mark(i int) {
	switch c := s.src[i]; {
	case c == '\n':
		s.comment = false
		s.inside = s.inside && (s.depth > 0 || s.src[i-1] == '\\')
	case !s.hasStatements() && isQuote(c) && endsDots(s.src[i+1:], c):
		s.add(MentionOf(DotsWord, 0).word(), Imported)
	case !s.inside || s.comment:
	case c == '#':
		s.comment = true
	case c == '(':
		s.depth++
	case c == ')':
		s.depth--
	case c == '*':
		s.add(WildcardImport.word(), Imported|Bound)
	}
}

// splitWords cuts a text into words, as wordsOf does.
func splitWords(s string) []string {
	var out []string
	start := -1
	for i := 0; i <= len(s); i++ {
		inside := i < len(s) && isWordByte(s[i])
		switch {
		case inside && start < 0:
			start = i
		case !inside && start >= 0:
			out = append(out, s[start:i])
			start = -1
		}
	}
	return out
}
