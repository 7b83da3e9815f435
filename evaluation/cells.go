package evaluation

import (
	"cmp"
	"maps"
	"slices"

	"github.com/prforge/prforge/evaluation/stats"
)

// cells breaks down a model's records: by each dimension alone, by configuration and difficulty, and by both and
// language.
func (s summary) cells(model string, results []Result) []Cell {
	keys := map[cellKey]bool{}
	for _, x := range results {
		for _, k := range cellsOf(x, s.items[x.Task].Groups) {
			keys[k] = true
		}
	}
	sorted := slices.SortedFunc(maps.Keys(keys), func(a, b cellKey) int {
		return cmp.Or(cmp.Compare(a.Config, b.Config), cmp.Compare(a.Difficulty, b.Difficulty),
			cmp.Compare(a.Language, b.Language), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Repo, b.Repo))
	})
	var out []Cell
	for _, k := range sorted {
		in := where(results, func(x Result) bool { return slices.Contains(cellsOf(x, s.items[x.Task].Groups), k) })
		out = append(out, s.cell(model, k, in))
	}
	return out
}

// cellKey is a cell's position: "" means all.
type cellKey struct{ Config, Difficulty, Language, Type, Repo string }

func cellsOf(x Result, g map[string]string) []cellKey {
	out := []cellKey{{Config: x.Config}, {Config: x.Config, Difficulty: g["difficulty"]},
		{Config: x.Config, Difficulty: g["difficulty"], Language: g["language"]}}
	for _, k := range []cellKey{{Difficulty: g["difficulty"]}, {Language: g["language"]}, {Type: g["type"]},
		{Repo: g["repo"]}} {
		if k != (cellKey{}) {
			out = append(out, k)
		}
	}
	return out
}

func (s summary) cell(model string, k cellKey, results []Result) Cell {
	c := Cell{Model: model, Config: k.Config, Difficulty: k.Difficulty, Language: k.Language, Type: k.Type, Repo: k.Repo,
		Rates: []CellRate{}}
	tasks := map[string]bool{}
	comments := 0
	for _, x := range results {
		if x.Outcome == Failed {
			c.Failed++
		}
		if x.Outcome != Scored {
			continue
		}
		c.Records++
		tasks[x.Task] = true
		comments += x.Score.Counts["comments"]
	}
	c.Tasks, c.Few = len(tasks), len(tasks) < fewTasks
	c.Mean = ratio(float64(comments), float64(c.Records))
	var shown []Metric
	var rates []stats.Statistic
	for _, m := range s.metrics {
		if m.Headline {
			rates = append(rates, m.statistic(2*len(shown)))
			shown = append(shown, m)
		}
	}
	for i, e := range stats.Estimates(s.options, s.rows(results, shown, byRecord), rates...) {
		c.Rates = append(c.Rates, CellRate{Metric: shown[i].Name, Value: e.Value, Low: e.Low, High: e.High})
	}
	return c
}

// Cell is a part of a model's records: "" means all.
type Cell struct {
	Model      string       `json:"model"`
	Config     string       `json:"config"`
	Difficulty string       `json:"difficulty"`
	Language   string       `json:"language"`
	Type       string       `json:"type"`
	Repo       string       `json:"repo"`
	Records    int          `json:"records"` // scored
	Failed     int          `json:"failed"`
	Tasks      int          `json:"tasks"` // scored
	Few        bool         `json:"few"`   // fewer than 10 tasks: too few to say much
	Rates      []CellRate   `json:"rates"` // headline metrics
	Mean       stats.Number `json:"comments_per_record"`
}

// CellRate is a metric in a cell.
type CellRate struct {
	Metric string       `json:"metric"`
	Value  stats.Number `json:"value"`
	Low    stats.Number `json:"low"`
	High   stats.Number `json:"high"`
}
