package debugging

// Pair is a true error and the named one assigned to it, by index.
type Pair struct {
	Truth int   `json:"truth"`
	Named int   `json:"named"`
	Right Right `json:"right"`
}

// maxTruths is how many true errors a sample may have: the assignment examines every set of them.
const maxTruths = 16

// maxNamed is how many named errors of an answer are examined; more count as wrong.
const maxNamed = 64

// assign pairs true errors with named ones, one to one: with the most right dimensions, then the most right causes,
// effects, types, messages, then the lowest numbers. right[i][j] is what named error j gets right of truth i. It
// makes no pair with nothing right. Truths beyond 16 and named errors beyond 64 are in no pair.
func assign(right [][]Right) []Pair {
	right = right[:min(len(right), maxTruths)]
	var pairs []Pair
	used := map[int]bool{}
	rest := best(right, 0, used)
	for i, row := range right {
		for j := range row[:min(len(row), maxNamed)] {
			if used[j] || row[j].count() == 0 {
				continue
			}
			used[j] = true
			if worth(row[j])+best(right, i+1, used) == rest {
				rest -= worth(row[j])
				pairs = append(pairs, Pair{i, j, row[j]})
				break
			}
			delete(used, j)
		}
	}
	return pairs
}

// worth orders pairings by what they get right: each weight exceeds any sum of the lower ones.
func worth(r Right) int64 {
	const place = 64 // more than maxTruths pairs
	w := int64(r.count())
	for _, ok := range r {
		w *= place
		if ok {
			w++
		}
	}
	return w
}

// best is the highest worth of a pairing of the truths from the given one on with unused named errors: a table over
// sets of truths, one named error after the other.
func best(right [][]Right, from int, used map[int]bool) int64 {
	n := len(right) - from
	if n <= 0 {
		return 0
	}
	table := make([]int64, 1<<n)
	for j := range right[0][:min(len(right[0]), maxNamed)] {
		if used[j] {
			continue
		}
		for taken := len(table) - 1; taken >= 0; taken-- {
			for i := range n {
				if taken>>i&1 == 1 {
					table[taken] = max(table[taken], table[taken&^(1<<i)]+worth(right[from+i][j]))
				}
			}
		}
	}
	return table[len(table)-1]
}
