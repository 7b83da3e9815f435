package tokens

import "hash/maphash"

// vocabulary is the tokens with their ids, which count from 0. It is a hash table
// that holds no pointer: the garbage collector would look at those of a map of
// 200,000 strings at every turn.
type vocabulary struct {
	text   []byte   // the tokens, one after the other by id
	starts []uint32 // of each, and the end of the last
	slots  []uint64 // upper half of a token's hash, then its id + 1; 0 is free
	seed   maphash.Seed
}

// vocabularySize is the number of ordinary tokens of o200k_base; special
// tokens have higher ids and never come out of plain text.
const vocabularySize = 199_998

// tableSize is a power of two, twice the vocabulary or more.
const tableSize = 1 << 19

func newVocabulary() *vocabulary {
	return &vocabulary{starts: make([]uint32, 1, vocabularySize+1), slots: make([]uint64, tableSize),
		seed: maphash.MakeSeed()}
}

// add gives a token the next id.
func (v *vocabulary) add(token string) {
	v.text = append(v.text, token...)
	v.starts = append(v.starts, uint32(len(v.text)))
	hash := maphash.String(v.seed, token)
	at := hash % tableSize
	for v.slots[at] != 0 {
		at = (at + 1) % tableSize
	}
	v.slots[at] = hash>>32<<32 | uint64(len(v.starts)-1)
}

// id is that of a token; false for any other text.
func (v *vocabulary) id(token string) (uint32, bool) {
	hash := maphash.String(v.seed, token)
	for at := hash % tableSize; v.slots[at] != 0; at = (at + 1) % tableSize {
		if v.slots[at]>>32 != hash>>32 {
			continue
		}
		if id := uint32(v.slots[at]) - 1; string(v.text[v.starts[id]:v.starts[id+1]]) == token {
			return id, true
		}
	}
	return 0, false
}
