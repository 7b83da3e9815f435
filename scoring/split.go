package scoring

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/prforge/prforge/internal/model"
)

// SplitOptions say how the evaluation split is drawn (spec section 8).
type SplitOptions struct {
	Seed  uint64 `yaml:"seed" json:"seed"`
	Type1 int    `yaml:"Type1_Direct" json:"Type1_Direct" check:"0.."` // how many of this difficulty
	Type2 int    `yaml:"Type2_Contextual" json:"Type2_Contextual" check:"0.."`
	Type3 int    `yaml:"Type3_Latent_Candidate" json:"Type3_Latent_Candidate" check:"0.."`
}

// DefaultSplitOptions are those of spec section 12.
func DefaultSplitOptions() SplitOptions {
	return SplitOptions{Seed: 1, Type1: 40, Type2: 40, Type3: 20}
}

// Strata are the sizes of Split by difficulty.
func (o SplitOptions) Strata() []model.Stratum {
	return []model.Stratum{{Difficulty: model.Type1, Target: o.Type1}, {Difficulty: model.Type2, Target: o.Type2},
		{Difficulty: model.Type3, Target: o.Type3}}
}

// SplitRecord is a released record.
type SplitRecord struct {
	TaskID     string
	Difficulty model.Difficulty
}

// Split draws an evaluation split: of each difficulty, as many records as its stratum's Target, with the lowest
// SHA-256 of (seed as eight bytes, big endian; task id). Any language can repeat this random draw, no version of a
// generator changes it, and one more record hardly alters it.
func Split(records []SplitRecord, seed uint64, strata []model.Stratum) model.Split {
	split := model.Split{Seed: int64(seed), TaskIDs: []string{}}
	for _, s := range strata {
		ids := drawn(records, s.Difficulty, seed)
		s.Available = len(ids)
		s.Taken = min(s.Available, max(0, s.Target))
		s.Short = s.Taken < s.Target
		split.Strata = append(split.Strata, s)
		split.TaskIDs = append(split.TaskIDs, ids[:s.Taken]...)
	}
	slices.Sort(split.TaskIDs)
	split.N = len(split.TaskIDs)
	return split
}

// drawn lists the task ids of a difficulty in the order of their draw.
func drawn(records []SplitRecord, d model.Difficulty, seed uint64) []string {
	type lot struct {
		id   string
		hash [sha256.Size]byte
	}
	var lots []lot
	for _, r := range records {
		if r.Difficulty == d {
			lots = append(lots, lot{r.TaskID, sha256.Sum256(append(binary.BigEndian.AppendUint64(nil, seed), r.TaskID...))})
		}
	}
	slices.SortFunc(lots, func(a, b lot) int {
		return cmp.Or(bytes.Compare(a.hash[:], b.hash[:]), cmp.Compare(a.id, b.id))
	})
	ids := make([]string, len(lots))
	for i, l := range lots {
		ids[i] = l.id
	}
	return ids
}
