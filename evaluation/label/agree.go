package label

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/prforge/prforge/evaluation/stats"
)

// Merge joins the labels of several files, sorted by item and rater, and rejects two different labels of one rater
// for one item.
func Merge(files ...[]Label) ([]Label, error) {
	all := slices.Concat(files...)
	slices.SortStableFunc(all, func(a, b Label) int {
		return cmp.Or(cmp.Compare(a.Item, b.Item), cmp.Compare(a.Rater, b.Rater), byAgain(a, b))
	})
	var out []Label
	for _, l := range all {
		if len(out) == 0 || out[len(out)-1].Item != l.Item || out[len(out)-1].Rater != l.Rater ||
			out[len(out)-1].Again != l.Again {
			out = append(out, l)
		} else if !maps.Equal(out[len(out)-1].Answers, l.Answers) {
			return nil, fmt.Errorf("%s labeled %s twice, and differently", l.Rater, l.Item)
		}
	}
	return out, nil
}

func byAgain(a, b Label) int {
	if a.Again == b.Again {
		return 0
	}
	if b.Again {
		return -1
	}
	return 1
}

// Standing is the weight of an item in figures of agreement.
type Standing struct {
	Cluster string  // of the interval: the pull request
	Weight  float64 // how many items of the whole it represents
}

// Agreement measures how far raters agree on one question.
type Agreement struct {
	Question string `json:"question"`
	Items    int    `json:"items"` // with at least one answer, "unsure" included
	Unsure   int    `json:"unsure"`
	// Alpha is Krippendorff's, of all raters; items with one answer do not count.
	Alpha  stats.Estimate `json:"alpha"`
	Pairs  []Pair         `json:"pairs"`
	Selves []Self         `json:"selves"`
}

// Pair is the agreement of two raters.
type Pair struct {
	A         string          `json:"a"`
	B         string          `json:"b"`
	Agreement stats.Agreement `json:"agreement"`
}

// Self is the agreement of a rater with himself on repeated items.
type Self struct {
	Rater string         `json:"rater"`
	Same  stats.Estimate `json:"same"` // share of equal answers
}

// Agree measures the agreement on a question. standing gives the weight of each item; unsure answers do not count.
func Agree(o stats.Options, question string, labels []Label, standing func(item string) Standing) Agreement {
	out := Agreement{Question: question, Pairs: []Pair{}, Selves: []Self{}}
	by, second := answers(labels, question, false), answers(labels, question, true)
	items := map[string]bool{}
	for _, said := range by {
		for item, answer := range said {
			items[item] = true
			if answer == Unsure {
				out.Unsure++
				delete(said, item)
			}
		}
	}
	out.Items = len(items)
	raters := slices.Sorted(maps.Keys(by))
	var units []stats.Unit
	for _, item := range slices.Sorted(maps.Keys(items)) {
		at := standing(item)
		u := stats.Unit{Cluster: at.Cluster, Weight: at.Weight}
		for _, r := range raters {
			u.Labels = append(u.Labels, by[r][item])
		}
		units = append(units, u)
	}
	out.Alpha = stats.Alpha(o, units)
	for i, a := range raters {
		for _, b := range raters[i+1:] {
			out.Pairs = append(out.Pairs, Pair{a, b, stats.Kappa(o, rated(by[a], by[b], standing))})
		}
		if twice := rated(by[a], second[a], standing); len(twice) > 0 {
			same := 0
			for _, t := range twice {
				if t.A == t.B {
					same++
				}
			}
			out.Selves = append(out.Selves, Self{a, stats.Wilson(same, len(twice), o.Confidence)})
		}
	}
	return out
}

// answers are the answers to a question by rater and item.
func answers(labels []Label, question string, again bool) map[string]map[string]string {
	out := map[string]map[string]string{}
	for _, l := range labels {
		if answer := l.Answers[question]; answer != "" && l.Again == again {
			if out[l.Rater] == nil {
				out[l.Rater] = map[string]string{}
			}
			out[l.Rater][l.Item] = answer
		}
	}
	return out
}

// rated are the items that both answered.
func rated(a, b map[string]string, standing func(string) Standing) []stats.Rated {
	var out []stats.Rated
	for _, item := range slices.Sorted(maps.Keys(a)) {
		if b[item] != "" {
			at := standing(item)
			out = append(out, stats.Rated{Cluster: at.Cluster, Weight: at.Weight, A: a[item], B: b[item]})
		}
	}
	return out
}

// Differ returns the indexes of the items on which raters gave different answers to a question. Unsure is not an
// answer.
func (s Sheet) Differ(labels []Label) []int {
	said := map[string]map[string]string{} // the first answer, by item and question
	differ := map[string]bool{}
	for _, l := range labels {
		if said[l.Item] == nil {
			said[l.Item] = map[string]string{}
		}
		for q, answer := range l.Answers {
			switch first := said[l.Item][q]; {
			case answer == Unsure || l.Again:
			case first == "":
				said[l.Item][q] = answer
			case first != answer:
				differ[l.Item] = true
			}
		}
	}
	var out []int
	for i, it := range s.Items {
		if differ[it.ID] {
			out = append(out, i)
		}
	}
	return out
}
