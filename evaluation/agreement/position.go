package agreement

import (
	"maps"
	"slices"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/stats"
)

// Position says whether the place of a comment in the question moves its label.
type Position struct {
	Labels []string `json:"labels"`
	// Thirds counts, for each label, the opinions on comments in the first,
	// middle and last third of a question. Questions with fewer than three
	// comments have no thirds.
	Thirds [][]int            `json:"thirds"`
	Test   stats.Independence `json:"test"` // of labels and thirds
	// Moved counts comments that stood in different thirds in two rounds, Flipped
	// those of them whose label changed; Still and StillFlipped the same of those
	// that stayed: the share that changes without a move.
	Moved        int `json:"moved"`
	Flipped      int `json:"flipped"`
	Still        int `json:"still"`
	StillFlipped int `json:"still_flipped"`
}

// thirds is how many parts a question is cut into.
const thirds = 3

// Positions tests a run's judge for position bias.
func Positions(results []evaluation.Result) Position {
	var p Position
	counts := map[string][]int{}
	for _, r := range results {
		if r.Judgement == nil {
			continue
		}
		for _, round := range r.Judgement.Rounds {
			if len(round) < thirds {
				continue
			}
			for _, o := range round {
				if counts[o.Label] == nil {
					counts[o.Label] = make([]int, thirds)
				}
				counts[o.Label][third(o, len(round))]++
			}
		}
		p.moves(r.Judgement.Rounds)
	}
	p.Labels = slices.Sorted(maps.Keys(counts))
	p.Thirds = [][]int{}
	for _, l := range p.Labels {
		p.Thirds = append(p.Thirds, counts[l])
	}
	p.Test = stats.ChiSquare(p.Thirds)
	return p
}

func third(o evaluation.Opinion, n int) int { return min(max(o.Shown, 0)*thirds/n, thirds-1) }

// moves compares each round with the one before.
func (p *Position) moves(rounds [][]evaluation.Opinion) {
	for i := 1; i < len(rounds); i++ {
		n := len(rounds[i])
		if n < thirds || len(rounds[i-1]) != n {
			continue
		}
		for c, o := range rounds[i] {
			before := rounds[i-1][c]
			flipped := o.Label != before.Label
			if third(o, n) != third(before, n) {
				p.Moved++
				p.Flipped += one(flipped)
			} else {
				p.Still++
				p.StillFlipped += one(flipped)
			}
		}
	}
}

func one(ok bool) int {
	if ok {
		return 1
	}
	return 0
}
