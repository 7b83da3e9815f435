package evaluation

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/evaluation/label"
	"github.com/prforge/prforge/evaluation/stats"
	"github.com/prforge/prforge/internal/reviewer"
)

// boards is how many runs a simulation draws; docs/labelling.md has the figures of
// more.
var boards = flag.Int("boards", 200, "runs of each simulation")

// judgedWorld draws records with the outcomes of comments to people and to a judge.
type judgedWorld struct {
	random *rand.Rand
	// errs is the share of the judge's outcomes by people's.
	errs [outcomes][outcomes]float64
}

// draw is an index by its share.
func (w judgedWorld) draw(shares []float64) int {
	x := w.random.Float64()
	for i, s := range shares {
		if x -= s; x < 0 {
			return i
		}
	}
	return len(shares) - 1
}

// simulatedComment is a comment's outcomes to people and to the judge.
type simulatedComment struct{ pull, people, judge int }

// run is n pull requests of 2 to 5 comments by people, which a reviewer of an uneven
// hit rate comments on; one in twenty is large. The second result is the number of
// people's comments by pull request.
func (w judgedWorld) run(n int) (comments []simulatedComment, truth []float64) {
	for pull := range n {
		human := 2 + w.random.IntN(4)
		if w.random.IntN(20) == 0 {
			human = 10 + w.random.IntN(30)
		}
		truth = append(truth, float64(human))
		odds := math.Log(0.35/0.65) + w.random.NormFloat64()
		hit := 1 / (1 + math.Exp(-odds))
		for range human {
			if w.random.Float64() < hit {
				comments = append(comments, simulatedComment{pull: pull, people: wasMatched})
			}
			if w.random.Float64() < 0.9 {
				comments = append(comments, simulatedComment{pull: pull, people: wasDuplicate + w.draw([]float64{0.08, 0.6, 0.32})})
			}
		}
	}
	for i, c := range comments {
		comments[i].judge = w.draw(w.errs[c.people][:])
	}
	return comments, truth
}

// rows are the run's sums where people labeled some of the comments, as Draw draws
// them.
func (w judgedWorld) rows(comments []simulatedComment, truth []float64, labels int) []stats.Row {
	rows := make([]stats.Row, len(truth))
	for i, human := range truth {
		rows[i] = stats.Row{Unit: fmt.Sprint(i), Sums: make([]float64, sumsWidth)}
		rows[i].Sums[sumTruth] = human
	}
	var strata [outcomes][]simulatedComment
	for _, i := range w.random.Perm(len(comments)) {
		c := comments[i]
		rows[c.pull].Sums[sumJudged+c.judge]++
		strata[c.judge] = append(strata[c.judge], c)
	}
	var sizes []int
	for _, in := range strata {
		sizes = append(sizes, len(in))
	}
	for k, n := range allocate(sizes, labels) {
		for _, c := range strata[k][:n] {
			rows[c.pull].Sums[sumLabeled+c.judge]++
			rows[c.pull].Sums[sumSaid+c.judge*outcomes+c.people]++
		}
	}
	return rows
}

// A judge's rates are far from those of people; the estimate from its labels and
// those of people is not, and its 95 % interval holds the truth in 93 % of runs.
func TestSimulation_PeopleRates(t *testing.T) {
	w := judgedWorld{rand.New(rand.NewPCG(5, 6)), [outcomes][outcomes]float64{
		{.85, .05, .08, .02}, {.20, .70, .08, .02}, {.20, .05, .70, .05}, {.05, .02, .38, .55}, // kappa about 0.6
	}}
	comments, human := w.run(40_000)
	all := sumOf(w.rows(comments, human, len(comments)))
	names := []string{"recall", "precision", "f1", "useful", "fabricated"}
	sizes, asked := []int{33, 100}, []int{0, 50, 100, 200, 400}
	if testing.Short() {
		sizes, asked = sizes[:1], []int{100}
	}
	for _, pulls := range sizes {
		for _, labels := range asked {
			held, off, length, alone := map[string]int{}, 0.0, 0.0, 0.0
			for range *boards {
				comments, human := w.run(pulls)
				rows := w.rows(comments, human, labels)
				size := labeledIn
				if labels == 0 {
					size = func(x []float64) float64 { return x[sumTruth] }
				}
				for _, name := range names {
					e := stats.Estimates(stats.Default(), rows, stats.Statistic{Of: peopleRates[name], Size: size, Min: 0, Max: 1})[0]
					if want := stats.Number(peopleRates[name](all)); e.Low <= want && want <= e.High {
						held[name]++
					}
					length += float64(e.High-e.Low) / float64(len(names)**boards)
					alone += widthAlone(rows, name) / float64(len(names)**boards)
					if name == "precision" {
						off += float64(e.Value) / float64(*boards)
					}
				}
			}
			says := ""
			for _, name := range names {
				share := float64(held[name]) / float64(*boards)
				says += fmt.Sprintf("  %s %.3f", name, share)
				if labels > 0 && share < 0.9 {
					t.Errorf("%d pull requests, %d labels: the interval of %s holds the truth in %.3f", pulls, labels, name, share)
				}
			}
			t.Logf("%3d pull requests, %3d labels: length %.3f (people alone %.3f), precision %.3f of %.3f; coverage%s", pulls, labels, length, alone, off, peopleRates["precision"](all), says)
		}
	}
}

// widthAlone is the length of the interval without the judge: all comments are taken
// to be what the labeled ones are.
func widthAlone(rows []stats.Row, name string) float64 {
	blind := make([]stats.Row, len(rows))
	for i, r := range rows {
		blind[i] = stats.Row{Unit: r.Unit, Sums: make([]float64, sumsWidth)}
		x := blind[i].Sums
		x[sumTruth] = r.Sums[sumTruth]
		for judged := range outcomes {
			x[sumJudged] += r.Sums[sumJudged+judged]
			x[sumLabeled] += r.Sums[sumLabeled+judged]
			for outcome := range outcomes {
				x[sumSaid+outcome] += r.Sums[sumSaid+judged*outcomes+outcome]
			}
		}
	}
	e := stats.Estimates(stats.Default(), blind, stats.Statistic{Of: peopleRates[name], Size: labeledIn, Min: 0, Max: 1})[0]
	return float64(e.High - e.Low)
}

func sumOf(rows []stats.Row) []float64 {
	sums := make([]float64, sumsWidth)
	for _, r := range rows {
		for i, x := range r.Sums {
			sums[i] += x
		}
	}
	return sums
}

// labeledResults are results of which people labeled some comments: ada as the judge,
// ben the first comment of each record otherwise.
func labeledResults(t *testing.T) ([]Result, map[string]Item, Plan) {
	t.Helper()
	results, items := judgedResults(t, 30, func(int, int) bool { return false })
	p := samplePlan(ModeRecord)
	p.Draws = 200
	sheet, err := LabelSheet(p, results, items)
	if err != nil || len(sheet.Items) != 270 || len(sheet.Training) != 5 || len(sheet.Items[0].Beside) != 2 {
		t.Fatalf("%d items, %v", len(sheet.Items), err)
	}
	drawn := Draw(sheet, results, 30, 7)
	if len(drawn.Items) != 30 || len(drawn.Order) != 33 || len(drawn.Changes) >= 30 {
		t.Fatalf("%d items drawn, in the order %v, of %d changes", len(drawn.Items), drawn.Order, len(drawn.Changes))
	}
	byID := map[string]judgedComment{}
	for _, c := range judgedComments(results) {
		byID[c.id()] = c
	}
	var text strings.Builder
	for i, it := range drawn.Items {
		said, match := byID[it.ID].judged.Label, byID[it.ID].judged.Match
		fmt.Fprintf(&text, `{"item":%q,"rater":"ada","again":false,"answers":{"label":%q,"match":%q}}`+"\n", it.ID, said, match)
		if i%3 == 0 {
			said, match = fabricated, ""
		}
		fmt.Fprintf(&text, `{"item":%q,"rater":"ben","again":false,"answers":{"label":%q,"match":%q}}`+"\n", it.ID, said, match)
	}
	if err := (Reviews{}).Label(results, []byte(text.String())); err != nil {
		t.Fatal(err)
	}
	for i := range results {
		score, err := Reviews{}.Score(items[results[i].Task], "config_A", *results[i].Reading, results[i].Judgement)
		if err != nil {
			t.Fatal(err)
		}
		results[i].Score = &score
	}
	return results, items, p
}

func TestAgree_People(t *testing.T) {
	results, items, p := labeledResults(t)
	a := Agree(p, results).People
	if a == nil || a.Comments != 30 || len(a.Labels.Pairs) != 1 || len(a.Judge) != 2 {
		t.Fatalf("%+v", a)
	}
	if k := a.Judge[0].Agreement; a.Judge[0].A != "ada" || a.Judge[0].B != theJudge || k.Kappa.Value != 1 {
		t.Errorf("ada says what the judge says: %+v", k)
	}
	if k, people := a.Judge[1].Agreement, a.Labels.Pairs[0].Agreement; k.Observed >= 1 || k.Observed != people.Observed {
		t.Errorf("ben differs from the judge as from ada: %+v", k)
	}
	if n := len(LabelsOf(results)); n != 60 {
		t.Errorf("%d labels", n)
	}
	p.Models, p.Configs = []reviewer.Model{{ID: "secret-model"}}, []string{"config_A"}
	r := NewReport(p, Reviews{}.Metrics(), results, items, nil)
	for _, v := range r.Models[0].Values {
		switch v.Metric {
		case "recall", "precision", "f1", "useful": // ben calls some fabricated that the judge does not
			if v.People == nil || v.People.Value >= v.Micro.Value || !v.People.Low.Defined() {
				t.Errorf("%s is %v to the judge, %+v to people", v.Metric, v.Micro.Value, v.People)
			}
		case "fabricated":
			if v.People == nil || v.People.Value <= v.Micro.Value {
				t.Errorf("%s is %v to the judge, %+v to people", v.Metric, v.Micro.Value, v.People)
			}
		default:
			if v.People != nil {
				t.Errorf("people changed %s", v.Metric)
			}
		}
	}
}

// Where people label everything and agree with the judge, the estimate is the rate.
func TestPeopleRates_OfEverything(t *testing.T) {
	results, items, p := labeledResults(t)
	for _, c := range judgedComments(results) {
		c.judged.People = []label.Label{{Rater: "ada", Answers: map[string]string{askedLabel: c.judged.Label, askedMatch: c.judged.Match}}}
	}
	s := summary{plan: p, metrics: Reviews{}.Metrics(), items: items, options: p.Statistics()}
	people := s.people(results)
	for _, v := range s.values(results) {
		if e, ok := people[v.Metric]; ok && math.Abs(float64(e.Value-v.Micro.Value)) > 1e-12 {
			t.Errorf("%s is %v, to people %v", v.Metric, v.Micro.Value, e.Value)
		}
	}
}

// A rater's label stands for the judge's, and the comments are paired again.
func TestOutcomesBy(t *testing.T) {
	said := func(answer, match string) []label.Label {
		return []label.Label{{Rater: "ada", Answers: map[string]string{askedLabel: answer, askedMatch: match}}}
	}
	for name, tc := range map[string]struct {
		people []label.Label // of the second comment; the judge has the first one paired with c_1
		want   int
	}{
		"the same problem again": {said(confirmed, "c_1"), wasDuplicate},
		"another problem":        {said(confirmed, "c_2"), wasMatched},
		"which one is not said":  {said(confirmed, ""), wasPlausible},
		"plausible":              {said(plausible, "c_1"), wasPlausible},
		"fabricated":             {said(fabricated, ""), wasFabricated},
		"unsure":                 {said(label.Unsure, ""), -1},
	} {
		x := Result{Reading: &Reading{Comments: make([]Comment, 2)}, Judgement: &Judgement{Rounds: [][]Opinion{{{Label: confirmed, Matches: []string{"c_1"}}, {Label: plausible}}}}}
		truth := []Truth{{ID: "c_1"}, {ID: "c_2"}}
		decide(x.Judgement, x.Reading.Comments, truth)
		x.Judgement.Comments[1].People = tc.people
		got, labeled := outcomesBy("ada", x, truth)[1]
		if !labeled {
			got = -1
		}
		if got != tc.want {
			t.Errorf("%s: %d, want %d", name, got, tc.want)
		}
	}
}

func TestReviews_Label(t *testing.T) {
	results, _ := judgedResults(t, 1, func(int, int) bool { return false })
	for want, text := range map[string]string{"line 1: no label": "{", "line 1: the run has no comment i1": `{"item":"i1","rater":"a","again":false,"answers":{}}`} {
		if err := (Reviews{}).Label(results, []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	results = append(results, Result{Outcome: Failed})
	if err := (Reviews{}).Label(results, []byte(`{"item":"i1","rater":"a","again":false,"answers":{}}`)); err != nil {
		t.Errorf("the comment may be of the failed record: %v", err)
	}
}

func TestAllocate(t *testing.T) {
	for _, tc := range []struct {
		sizes []int
		n     int
		want  []int
	}{
		{[]int{100, 25, 4}, 17, []int{10, 5, 2}}, {[]int{100, 1, 0}, 6, []int{5, 1, 0}}, {[]int{2, 1}, 9, []int{2, 1}}, {nil, 3, []int{}},
	} {
		if got := allocate(tc.sizes, tc.n); !slices.Equal(got, tc.want) {
			t.Errorf("%d of %v: %v, want %v", tc.n, tc.sizes, got, tc.want)
		}
	}
}
