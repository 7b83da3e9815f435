package evaluation

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/prforge/prforge/evaluation/stats"
)

// Pilot is the noise in the difference of two reviewers by the ranking metric, measured on results or guessed.
type Pilot struct {
	A     string      `json:"a"`
	B     string      `json:"b"`
	Pulls int         `json:"pull_requests"` // its source; 0 for a guess
	Noise stats.Noise `json:"noise"`
}

// Pilots measures the noise of each pair of a run's models.
func Pilots(p Plan, metrics []Metric, results []Result, items map[string]Item) []Pilot {
	s := summary{plan: p, metrics: metrics, items: items, options: p.Statistics()}
	metric := s.ranking()
	rows := map[string][][]stats.Row{} // by model and repeat
	pulls := map[string]bool{}
	for _, m := range p.Models {
		for repeat := 1; repeat <= p.Repeats; repeat++ {
			mine := where(results, func(x Result) bool { return x.Model == m.ID && x.Repeat == repeat && x.Outcome == Scored })
			rows[m.ID] = append(rows[m.ID], s.rows(mine, []Metric{metric}, byRecord))
			for _, x := range mine {
				pulls[s.cluster(x)] = true
			}
		}
	}
	var out []Pilot
	for a, b := range Pairs(slices.Sorted(maps.Keys(rows))) {
		out = append(out, Pilot{a, b, len(pulls), stats.MeasureNoise(rows[a], rows[b], metric.statistic(0))})
	}
	return out
}

// The assumptions of a guess about two reviewers: similar, with these rates, and with the log odds of a hit uneven
// between pull requests and between the reviewers.
const (
	guessedRecall    = 0.35
	guessedPrecision = 0.25
	guessedUneven    = 1.0
	guessedOwn       = 0.5
	guessedPulls     = 3000 // drawn from the items, so that the guess itself has little noise
)

// GuessPilot guesses the noise for two untried reviewers from the number of people's comments on each pull request.
// Repeats and configurations of a pull request differ by chance alone. The same items, seed and number of
// configurations give the same guess.
func GuessPilot(items []Item, configs int, seed uint64) (Pilot, error) {
	var truths []int
	for _, it := range items {
		key, err := it.Review()
		if err != nil {
			return Pilot{}, err
		}
		if len(key.Truth) > 0 {
			truths = append(truths, len(key.Truth))
		}
	}
	random := rand.New(rand.NewPCG(seed, 5))
	const repeats = 2
	var rows [2][][]stats.Row
	for i := range rows {
		rows[i] = make([][]stats.Row, repeats)
	}
	for pull := range guessedPulls {
		if len(truths) == 0 {
			break // there is nothing to guess from
		}
		truth := truths[random.IntN(len(truths))]
		ease := guessedUneven * random.NormFloat64()
		for who := range rows {
			odds := math.Log(guessedRecall/(1-guessedRecall)) + ease + guessedOwn*random.NormFloat64()
			for repeat := range repeats {
				rows[who][repeat] = append(rows[who][repeat], guessedRow(random, pull, truth, configs, 1/(1+math.Exp(-odds))))
			}
		}
	}
	return Pilot{A: "a reviewer", B: "another", Noise: stats.MeasureNoise(rows[0], rows[1], stats.Rate(0, 1))}, nil
}

// guessedRow is the F1 of one review in each configuration: twice the hits, over the
// comments of the reviewer and of people.
func guessedRow(random *rand.Rand, pull, truth, configs int, hit float64) stats.Row {
	sums := []float64{0, 0}
	wrong := distuv.Poisson{Lambda: float64(truth) * guessedRecall * (1 - guessedPrecision) / guessedPrecision,
		Src: random}
	for range configs {
		hits := distuv.Binomial{N: float64(truth), P: hit, Src: random}.Rand()
		sums[0] += 2 * hits
		sums[1] += hits + wrong.Rand() + float64(truth)
	}
	return stats.Row{Unit: strconv.Itoa(pull), Sums: sums}
}
