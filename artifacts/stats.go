package artifacts

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/prforge/prforge/internal/model"
)

// stats are the measured figures of the dataset card, gathered while the
// records pass by: counts and small numbers, never texts.
type stats struct {
	records    int
	byLanguage map[string]int
	byType     map[string]int
	difficulty map[string]int
	anchors    map[string]int // of ground-truth comments, by method
	states     map[string]int // of ground-truth comments, by what became of the code
	validation map[string]int // of ground-truth comments, by what the author did
	standing   int            // ground-truth comments that stand at the revision shown
	licenses   map[repoLicense]int
	rvs        []float64
	added      []float64
	files      []float64
	truths     []float64
	tokens     map[string][]float64
	truth      int // ground-truth comments
	inDiff     int
	lined      int
	visible    map[string]int // ground-truth comments whose line a configuration's diff shows
	resolved   int
	severity   int
	humans     int
	removed    int
	seen       int
}

// repoLicense is one row of the attribution table.
type repoLicense struct{ repo, spdx string }

func newStats() *stats {
	return &stats{
		byLanguage: map[string]int{}, byType: map[string]int{}, difficulty: map[string]int{}, anchors: map[string]int{},
		states: map[string]int{}, validation: map[string]int{},
		licenses: map[repoLicense]int{}, tokens: map[string][]float64{}, visible: map[string]int{},
	}
}

func (s *stats) add(t *Task) {
	r := &t.Record
	s.records++
	s.byLanguage[r.Language]++
	s.byType[r.PRType]++
	s.difficulty[string(r.Difficulty)]++
	spdx := "not identified"
	if t.Evidence.License.SPDX != nil {
		spdx = *t.Evidence.License.SPDX
	}
	s.licenses[repoLicense{r.Repo, spdx}]++
	s.rvs = append(s.rvs, float64(r.RVSScore))
	s.added = append(s.added, float64(r.LinesAdded))
	s.files = append(s.files, float64(r.FilesChanged))
	s.truths = append(s.truths, float64(len(t.Annotation.Comments)))
	s.humans += len(r.HumanReviewComments)
	s.removed += r.AICommentsRemoved
	s.seen += len(t.Evidence.Comments)
	for _, c := range t.Contexts {
		s.tokens[c.ConfigName] = append(s.tokens[c.ConfigName], float64(c.TotalTokens))
	}
	for _, c := range t.Annotation.Comments {
		s.truth++
		s.inDiff += count(c.IsInDiff)
		s.lined += count(c.Line != nil)
		s.resolved += count(c.ThreadResolved != nil && *c.ThreadResolved)
		s.severity += count(c.Severity != nil)
	}
	s.standing += t.Evidence.Revision.Standing
	for _, c := range t.Evidence.Comments {
		if !c.GroundTruth {
			continue
		}
		s.anchors[string(c.Anchor)]++
		if c.CodeState != nil {
			s.states[string(*c.CodeState)]++
			s.validation[string(*c.Validation)]++
		}
		if c.VisibleIn != nil {
			for _, config := range *c.VisibleIn {
				s.visible[config]++
			}
		}
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// spread is a distribution in five numbers.
type spread struct{ Min, P25, Median, P75, Max float64 }

// spreadOf uses the nearest rank, so that each number is one that occurs. It is
// all zeros for no values.
func spreadOf(values []float64) spread {
	if len(values) == 0 {
		return spread{}
	}
	v := slices.Sorted(slices.Values(values))
	at := func(q float64) float64 { return v[max(0, int(math.Ceil(q*float64(len(v))))-1)] }
	return spread{v[0], at(.25), at(.5), at(.75), v[len(v)-1]}
}

// tally is one row of a count.
type tally struct {
	Name  string
	Count int
}

// listed gives counts in the order of their names, those that do not occur left
// out.
func listed[T ~string](names []T, m map[string]int) []tally {
	var out []tally
	for _, name := range names {
		if n := m[string(name)]; n > 0 {
			out = append(out, tally{string(name), n})
		}
	}
	return out
}

// ranked lists counts, most first, then by name.
func ranked(m map[string]int) []tally {
	out := make([]tally, 0, len(m))
	for name, n := range m {
		out = append(out, tally{name, n})
	}
	slices.SortFunc(out, func(a, b tally) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// attributions lists repositories with their licenses, by name.
func (s *stats) attributions() []repoLicense {
	return slices.SortedFunc(maps.Keys(s.licenses), func(a, b repoLicense) int {
		return cmp.Or(cmp.Compare(a.repo, b.repo), cmp.Compare(a.spdx, b.spdx))
	})
}

// difficulties are the three names in their order.
var difficulties = []model.Difficulty{model.Type1, model.Type2, model.Type3}
