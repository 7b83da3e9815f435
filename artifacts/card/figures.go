package card

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/model"
)

// Figures are measured on released pull requests as they are written: counts and small numbers, never texts. The card
// and the report use them.
type Figures struct {
	Records                                 int
	Languages, Types, Difficulty            map[string]int
	RVS, Added, Changed, Files, GroundTruth []float64            // a pull request; Changed are added and removed lines
	Tokens                                  map[string][]float64 // of the contexts, by configuration

	// review comments seen; those that are ground truth; those of them on a changed line
	Comments, Truth, InDiff int
	Anchors                 map[string]int // of ground truth, by method

	States      map[string]int // of ground truth, by the later state of the code
	Validations map[string]int // of ground truth, by the author's action
	Visible     map[string]int // ground-truth comments whose line a configuration's diff shows
	Nowhere     int            // ground-truth comments whose line none shows
	Elsewhere   int            // ground-truth comments that name code changed elsewhere

	Because map[string]int // records, by why their revision was chosen; none of the final one
	Written int            // of those, the ones whose revision a ground-truth comment was written on
	Ones    int            // records with one ground-truth comment

	standing int // ground-truth comments that apply to the revision shown
	licenses map[repoLicense]int
	lined    int
	resolved int
	severity int
	humans   int
	removed  int
}

// repoLicense is one row of the attribution table.
type repoLicense struct{ repo, spdx string }

// NewFigures returns figures without any pull request.
func NewFigures() *Figures {
	return &Figures{
		Languages: map[string]int{}, Types: map[string]int{}, Difficulty: map[string]int{}, Anchors: map[string]int{},
		Because: map[string]int{}, States: map[string]int{}, Validations: map[string]int{},
		licenses: map[repoLicense]int{}, Tokens: map[string][]float64{}, Visible: map[string]int{},
	}
}

// Add counts a pull request.
func (f *Figures) Add(t *artifacts.Task) {
	r := &t.Record
	f.Records++
	f.Languages[r.Language]++
	f.Types[r.PRType]++
	f.Difficulty[string(r.Difficulty)]++
	spdx := "not identified"
	if t.Evidence.License.SPDX != nil {
		spdx = *t.Evidence.License.SPDX
	}
	f.licenses[repoLicense{r.Repo, spdx}]++
	f.RVS = append(f.RVS, float64(r.RVSScore))
	f.Added = append(f.Added, float64(r.LinesAdded))
	f.Changed = append(f.Changed, float64(r.LinesAdded+r.LinesRemoved))
	f.Files = append(f.Files, float64(r.FilesChanged))
	f.GroundTruth = append(f.GroundTruth, float64(len(t.Annotation.Comments)))
	f.humans += len(r.HumanReviewComments)
	f.removed += r.AICommentsRemoved
	f.Comments += len(t.Evidence.Comments)
	for _, c := range t.Contexts {
		f.Tokens[c.ConfigName] = append(f.Tokens[c.ConfigName], float64(c.TotalTokens))
	}
	for _, c := range t.Annotation.Comments {
		f.Truth++
		f.InDiff += count(c.IsInDiff)
		f.lined += count(c.Line != nil)
		f.resolved += count(c.ThreadResolved != nil && *c.ThreadResolved)
		f.severity += count(c.Severity != nil)
	}
	f.standing += t.Evidence.Revision.Standing
	f.Ones += count(len(t.Annotation.Comments) == 1)
	if because := t.Evidence.Revision.Because; because != nil {
		f.Because[*because]++
		f.Written += count(t.Evidence.Revision.Written)
	}
	for _, c := range t.Evidence.Comments {
		if !c.GroundTruth {
			continue
		}
		f.Anchors[string(c.Anchor)]++
		if state, valid, known := c.Since(); known {
			f.States[string(state)]++
			f.Validations[string(valid)]++
		}
		f.Elsewhere += count(c.AddressedElsewhere != nil && *c.AddressedElsewhere)
		if c.VisibleIn != nil {
			for _, config := range *c.VisibleIn {
				f.Visible[config]++
			}
			f.Nowhere += count(len(*c.VisibleIn) == 0)
		}
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Quantiles describe a distribution by five numbers.
type Quantiles struct {
	Min    artifacts.Float `json:"min"`
	P25    artifacts.Float `json:"p25"`
	Median artifacts.Float `json:"median"`
	P75    artifacts.Float `json:"p75"`
	Max    artifacts.Float `json:"max"`
}

// QuantilesOf uses the nearest rank, so that each number occurs in the data. All are zero without values.
func QuantilesOf(values []float64) Quantiles {
	if len(values) == 0 {
		return Quantiles{}
	}
	v := slices.Sorted(slices.Values(values))
	at := func(q float64) artifacts.Float {
		return artifacts.Float(v[max(0, int(math.Ceil(q*float64(len(v))))-1)])
	}
	return Quantiles{at(0), at(.25), at(.5), at(.75), at(1)}
}

// Count is how often something occurs.
type Count struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// counts lists the names that occur, in the given order.
func counts[T ~string](m map[string]int, names []T) []Count {
	var out []Count
	for _, name := range names {
		if n := m[string(name)]; n > 0 {
			out = append(out, Count{string(name), n})
		}
	}
	return out
}

// Ranked lists counts, highest first, then by name.
func Ranked(m map[string]int) []Count {
	out := make([]Count, 0, len(m))
	for name, n := range m {
		out = append(out, Count{name, n})
	}
	slices.SortFunc(out, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// attributions lists repositories with their licenses, by name.
func (f *Figures) attributions() []repoLicense {
	return slices.SortedFunc(maps.Keys(f.licenses), func(a, b repoLicense) int {
		return cmp.Or(cmp.Compare(a.repo, b.repo), cmp.Compare(a.spdx, b.spdx))
	})
}

// difficulties are the three names in their order.
var difficulties = []model.Difficulty{model.Type1, model.Type2, model.Type3}
