package stats

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// boards is how many leaderboards a simulation draws; docs/adr/0071 has the
// figures of more.
var boards = flag.Int("boards", 400, "leaderboards of each simulation")

// simulated is a world of pull requests of 2 to 5 comments by people, of which a
// share has 10 to 39. What is easy for one reviewer is easy for all.
type simulated struct {
	random *rand.Rand
	heavy  float64 // share of large pull requests
	uneven float64 // standard deviation of the log odds that a comment is caught
}

// reviewer catches a share of the comments, and makes false ones: that many a pull
// request of common size.
type reviewer struct{ recall, alarms float64 }

// pull is a pull request's comments for each reviewer: caught, made, to be caught.
func (w simulated) pull(reviewers []reviewer) [][]float64 {
	human := 2 + w.random.IntN(4)
	if w.random.Float64() < w.heavy {
		human = 10 + w.random.IntN(30)
	}
	ease := w.uneven * w.random.NormFloat64()
	out := make([][]float64, len(reviewers))
	for i, r := range reviewers {
		odds := math.Log(r.recall/(1-r.recall)) + ease + 0.3*w.uneven*w.random.NormFloat64()
		caught := 0
		for range human {
			if w.random.Float64() < 1/(1+math.Exp(-odds)) {
				caught++
			}
		}
		alarms := r.alarms * math.Pow(float64(human)/3.5, 0.7) * math.Exp(0.4*w.random.NormFloat64()-0.08)
		made := caught + int(distuv.Poisson{Lambda: alarms, Src: w.random}.Rand())
		out[i] = []float64{float64(caught), float64(made), float64(human)}
	}
	return out
}

// rows are n pull requests, by reviewer.
func (w simulated) rows(reviewers []reviewer, n int) [][]Row {
	out := make([][]Row, len(reviewers))
	for i := range n {
		for j, sums := range w.pull(reviewers) {
			out[j] = append(out[j], Row{Unit: fmt.Sprint(i), Sums: sums})
		}
	}
	return out
}

// truth is each statistic of each reviewer over very many pull requests.
func (w simulated) truth(reviewers []reviewer, statistics []Statistic) [][]float64 {
	sums := make([][]float64, len(reviewers))
	for i := range sums {
		sums[i] = make([]float64, 3)
	}
	for range 100_000 {
		for i, row := range w.pull(reviewers) {
			add(sums[i], row)
		}
	}
	out := make([][]float64, len(reviewers))
	for i := range sums {
		for _, s := range statistics {
			out[i] = append(out[i], s.Of(sums[i]))
		}
	}
	return out
}

// equalF1 is a reviewer of that recall whose F1 is that of another.
func (w simulated) equalF1(other reviewer, recall float64) reviewer {
	return w.withF1(recall, w.truth([]reviewer{other}, []Statistic{F1(0, 1, 2)})[0][0])
}

// below is a reviewer of the same recall whose F1 is that much lower.
func (w simulated) below(other reviewer, by float64) reviewer {
	return w.withF1(other.recall, w.truth([]reviewer{other}, []Statistic{F1(0, 1, 2)})[0][0]-by)
}

func (w simulated) withF1(recall, goal float64) reviewer {
	few, many := 0.0, 40.0
	for range 12 {
		r := reviewer{recall, (few + many) / 2}
		if w.truth([]reviewer{r}, []Statistic{F1(0, 1, 2)})[0][0] > goal {
			few = r.alarms
		} else {
			many = r.alarms
		}
	}
	return reviewer{recall, (few + many) / 2}
}

// The 95 % interval of F1, precision and recall holds the true rate in at least
// 93 % of leaderboards, also where 5 % of the pull requests have 10 to 39 comments.
func TestSimulation_Coverage(t *testing.T) {
	statistics := []Statistic{F1(0, 1, 2), Rate(0, 1), Rate(0, 2)}
	reviewers := []reviewer{{.05, 1}, {.2, .6}, {.33, 2.5}, {.55, 8}, {.95, .1}}
	for _, uneven := range []float64{0.8, 1.5} {
		for _, heavy := range []float64{0, 0.05} {
			w := simulated{rand.New(rand.NewPCG(1, 2)), heavy, uneven}
			truth := w.truth(reviewers, statistics)
			for _, n := range []int{15, 33, 100} {
				held, all, length := 0, 0, 0.0
				for range *boards {
					for i, rows := range w.rows(reviewers, n) {
						for j, e := range Estimates(Default(), rows, statistics...) {
							if !e.Low.Defined() {
								continue
							}
							all++
							length += float64(e.High - e.Low)
							if float64(e.Low) <= truth[i][j] && truth[i][j] <= float64(e.High) {
								held++
							}
						}
					}
				}
				share := float64(held) / float64(all)
				t.Logf("uneven %.1f, heavy %2.0f %%, %3d pull requests: %.3f of intervals hold the truth, mean length %.3f", uneven, 100*heavy, n, share, length/float64(all))
				if share < 0.93 || share > 0.99 {
					t.Errorf("uneven %.1f, heavy %2.0f %%, %d pull requests: coverage %.3f", uneven, 100*heavy, n, share)
				}
			}
		}
	}
}

// Equal reviewers, also a terse and a verbose one, are separated in about 5 % of
// leaderboards.
func TestSimulation_FalseSeparations(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds of permutations")
	}
	o := Default()
	o.Draws = 400
	sizes := []int{33}
	if *boards > 400 {
		sizes = []int{10, 15, 20, 33, 100}
	}
	for _, heavy := range []float64{0, 0.05} {
		w := simulated{rand.New(rand.NewPCG(1, 2)), heavy, 1.5}
		terse, equal := reviewer{.22, .5}, reviewer{.45, 3}
		verbose := w.equalF1(terse, .5)
		for _, reviewers := range [][]reviewer{{equal, equal, equal, equal, equal}, {terse, verbose}} {
			for _, n := range sizes {
				separated := 0
				for range *boards {
					var entries []Entry
					for i, rows := range w.rows(reviewers, n) {
						entries = append(entries, Entry{fmt.Sprint(i), rows})
					}
					for _, c := range Rank(o, entries, F1(0, 1, 2)).Comparisons {
						if c.Significant {
							separated++
							break
						}
					}
				}
				share := float64(separated) / float64(*boards)
				t.Logf("heavy %2.0f %%, %d reviewers, %3d pull requests: %.3f of leaderboards have a false separation", 100*heavy, len(reviewers), n, share)
				if share > 0.08 {
					t.Errorf("heavy %2.0f %%, %d reviewers, %d pull requests: %.3f", 100*heavy, len(reviewers), n, share)
				}
			}
		}
	}
}

// A judge that ignores positions is accused at the 5 % level in 5 % of runs, though
// reviews differ in length and in their labels.
func TestSimulation_HonestJudge(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 7))
	o := Default()
	o.Draws = 200
	labels := []string{"CONFIRMED", "PLAUSIBLE", "FABRICATED"}
	run := func(biased float64) (p Number) {
		var shown []Shown
		for review := range 60 {
			n := 1 + random.IntN(7)
			for comment := range n {
				// The longer the review, the fewer of its comments are confirmed.
				label := min(2, random.IntN(2)+random.IntN(n)/2)
				for repeat := range 3 {
					position := random.IntN(1000)*n + comment // drawn; Positions wants the order alone
					said := label
					if random.Float64() < biased*float64(position/n)/1000 {
						said = 2
					}
					shown = append(shown, Shown{List: fmt.Sprint(review, repeat), Position: position, Label: labels[said]})
				}
			}
		}
		return TestPositions(o, labels, shown).P
	}
	accused, caught := 0, 0
	for range *boards {
		if run(0) < 0.05 {
			accused++
		}
	}
	for range 40 {
		if run(0.6) < 0.05 {
			caught++
		}
	}
	t.Logf("%.3f of honest judges are accused, %.3f of biased ones", float64(accused)/float64(*boards), float64(caught)/40)
	if share := float64(accused) / float64(*boards); share > 0.08 || caught < 30 {
		t.Errorf("%.3f of honest judges are accused, %d of 40 biased ones", share, caught)
	}
}

// As many pull requests as a pilot asks for tell a difference of .10 in 80 % of
// leaderboards.
func TestSimulation_Power(t *testing.T) {
	o := Default()
	o.Draws = 400
	f1 := F1(0, 1, 2)
	for _, heavy := range []float64{0, 0.05} {
		w := simulated{rand.New(rand.NewPCG(1, 2)), heavy, 0.8}
		better := reviewer{.45, 3}
		reviewers := []reviewer{better, w.below(better, .10)}
		pilot := w.rows(reviewers, 4000)
		n := MeasureNoise(pilot[:1], pilot[1:], f1).Clusters(o, 0.10, 0.8, 1)
		told := 0
		for range *boards {
			rows := w.rows(reviewers, n)
			if Paired(o, rows[0], rows[1], f1).P < 0.05 {
				told++
			}
		}
		share := float64(told) / float64(*boards)
		t.Logf("heavy %2.0f %%: %d pull requests, %.3f of leaderboards tell the difference", 100*heavy, n, share)
		if share < 0.7 || share > 0.9 {
			t.Errorf("heavy %2.0f %%: %d pull requests, %.3f of leaderboards tell the difference, want 0.8", 100*heavy, n, share)
		}
	}
}
