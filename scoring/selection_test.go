package scoring

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

var day = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func entry(repo string, n int, rvs float64) Entry {
	return Entry{Ref: model.PullRef{Repo: model.RepoRef{Owner: "o", Name: repo}, Number: n}, TaskID: fmt.Sprintf("%s__%d", repo, n), RVS: rvs, SPDX: "MIT",
		DefaultBranch: true, MergedAt: day.AddDate(0, 0, n)}
}

// outcome writes a selection as "task: code", the chosen ones as "task".
func outcome(s Selection) []string {
	var out []string
	for _, c := range s.All {
		line := c.TaskID
		if c.Verdict.Outcome != verdict.OutcomePass {
			line += ": " + string(c.Verdict.Code)
		}
		out = append(out, line)
	}
	return out
}

func TestSelect(t *testing.T) {
	twin := func(c Entry, id string, mainline bool) Entry {
		c.PatchID, c.DefaultBranch = id, mainline
		return c
	}
	gpl := func(c Entry) Entry { c.SPDX = "GPL-3.0"; return c }
	o := SelectionOptions{Floor: 0.35, Target: 3, MaxPerRepository: 2}
	further := func(c Entry, record int) Entry {
		c.Record = record
		c.TaskID += fmt.Sprintf("@%d", record)
		return c
	}
	share := o
	share.MinCopyleftShare = 0.5
	tests := map[string]struct {
		in    []Entry
		o     SelectionOptions
		want  []string
		short int
	}{
		"nothing":       {nil, o, nil, 0},
		"by score":      {[]Entry{entry("a", 1, 0.4), entry("b", 1, 0.5)}, o, []string{"b__1", "a__1"}, 0},
		"ties":          {[]Entry{entry("b", 1, 0.5), entry("a", 2, 0.5), entry("a", 1, 0.5)}, o, []string{"a__1", "a__2", "b__1"}, 0},
		"the floor":     {[]Entry{entry("a", 1, 0.349), entry("b", 1, 0.35), entry("c", 1, 0.351)}, o, []string{"c__1", "b__1", "a__1: below_inclusion_floor"}, 0},
		"the cap":       {[]Entry{entry("a", 1, 0.6), entry("a", 2, 0.5), entry("a", 3, 0.4)}, o, []string{"a__1", "a__2", "a__3: over_repository_cap"}, 0},
		"the target":    {[]Entry{entry("a", 1, 0.9), entry("b", 1, 0.8), entry("c", 1, 0.7), entry("d", 1, 0.6)}, o, []string{"a__1", "b__1", "c__1", "d__1: over_target"}, 0},
		"twins, branch": {[]Entry{twin(entry("a", 1, 0.9), "x", false), twin(entry("a", 2, 0.8), "x", true)}, o, []string{"a__1: twin_of_another_pull_request", "a__2"}, 0},
		"twins, date":   {[]Entry{twin(entry("a", 2, 0.9), "x", true), twin(entry("a", 1, 0.8), "x", true)}, o, []string{"a__2: twin_of_another_pull_request", "a__1"}, 0},
		"a twin below the floor takes nothing away": {[]Entry{twin(entry("a", 2, 0.9), "x", true), twin(entry("a", 1, 0.1), "x", true)}, o, []string{"a__2", "a__1: below_inclusion_floor"}, 0},
		"twins free the cap":                        {[]Entry{twin(entry("a", 1, 0.9), "x", true), twin(entry("a", 2, 0.8), "x", true), entry("a", 3, 0.7)}, o, []string{"a__1", "a__2: twin_of_another_pull_request", "a__3"}, 0},
		"further records follow": {[]Entry{further(entry("a", 1, 0.9), 2), entry("a", 1, 0.5), entry("b", 1, 0.4)}, o,
			[]string{"a__1", "b__1", "a__1@2"}, 0},
		"further records below the floor": {[]Entry{further(entry("a", 1, 0.3), 2), entry("a", 1, 0.5)}, o, []string{"a__1", "a__1@2: below_inclusion_floor"}, 0},
		"further records and the cap": {[]Entry{further(entry("a", 1, 0.9), 2), further(entry("a", 1, 0.8), 3), entry("a", 1, 0.5)}, o,
			[]string{"a__1", "a__1@2", "a__1@3: over_repository_cap"}, 0},
		"further records and the target": {[]Entry{further(entry("a", 1, 0.9), 2), entry("a", 1, 0.5), entry("b", 1, 0.4), entry("c", 1, 0.4)}, o,
			[]string{"a__1", "b__1", "c__1", "a__1@2: over_target"}, 0},
		"further records of what is not chosen": {[]Entry{further(entry("a", 3, 0.9), 2), entry("a", 1, 0.8), entry("a", 2, 0.7), entry("a", 3, 0.6)}, o,
			[]string{"a__1", "a__2", "a__3: over_repository_cap", "a__3@2: first_record_not_selected"}, 0},
		"a twin of itself": {[]Entry{further(twin(entry("a", 1, 0.9), "x", true), 2), twin(entry("a", 1, 0.5), "x", true)}, o, []string{"a__1", "a__1@2"}, 0},
		"copyleft moves up": {[]Entry{entry("a", 1, 0.9), entry("b", 1, 0.8), entry("c", 1, 0.7), gpl(entry("d", 1, 0.6)), gpl(entry("e", 1, 0.5)), gpl(entry("f", 1, 0.4))}, share,
			[]string{"a__1", "b__1: displaced_for_copyleft_share", "c__1: displaced_for_copyleft_share", "d__1", "e__1", "f__1: over_target"}, 0},
		"too little copyleft": {[]Entry{entry("a", 1, 0.9), entry("b", 1, 0.8), entry("c", 1, 0.7), gpl(entry("d", 1, 0.6))}, share,
			[]string{"a__1", "b__1", "c__1: displaced_for_copyleft_share", "d__1"}, 1},
		"enough copyleft": {[]Entry{gpl(entry("a", 1, 0.9)), gpl(entry("b", 1, 0.8)), entry("c", 1, 0.7), gpl(entry("d", 1, 0.6))}, share,
			[]string{"a__1", "b__1", "c__1", "d__1: over_target"}, 0},
		"the cap binds copyleft": {[]Entry{entry("a", 1, 0.9), entry("b", 1, 0.8), entry("c", 1, 0.7), gpl(entry("d", 1, 0.6)), gpl(entry("d", 2, 0.5)), gpl(entry("d", 3, 0.4))},
			SelectionOptions{Floor: 0.35, Target: 3, MaxPerRepository: 1, MinCopyleftShare: 1},
			[]string{"a__1", "b__1", "c__1: displaced_for_copyleft_share", "d__1", "d__2: over_repository_cap", "d__3: over_repository_cap"}, 2},
	}
	for name, tt := range tests {
		got := Select(tt.in, tt.o)
		if d := gocmp.Diff(tt.want, outcome(got)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if got.Short != tt.short {
			t.Errorf("%s: %d short, want %d", name, got.Short, tt.short)
		}
	}
}

// TestSelectProperties: order does not matter, every limit holds, everything
// left out has a code, and nothing better was left out without a reason.
func TestSelectProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 400 {
		o := SelectionOptions{Floor: 0.35, Target: rng.IntN(20), MaxPerRepository: 1 + rng.IntN(6), MinCopyleftShare: float64(rng.IntN(5)) / 4}
		var in []Entry
		for i := range rng.IntN(60) {
			c := entry(string(rune('a'+rng.IntN(6))), i, float64(rng.IntN(100))/100)
			c.PatchID = []string{"", "", "", "x", "y", "z"}[rng.IntN(6)]
			c.DefaultBranch = rng.IntN(2) == 0
			c.SPDX = []string{"MIT", "GPL-3.0", ""}[int(c.Ref.Repo.Name[0])%3]
			in = append(in, c)
		}
		got := Select(in, o)
		rng.Shuffle(len(in), func(i, j int) { in[i], in[j] = in[j], in[i] })
		if d := gocmp.Diff(got, Select(in, o)); d != "" {
			t.Fatalf("order matters: %s", d)
		}
		perRepo, copyleft, chosen := map[string]int{}, 0, 0
		for _, c := range got.All {
			switch {
			case c.Verdict.Outcome == verdict.OutcomePass:
				chosen++
				perRepo[c.Ref.Repo.Name]++
				if IsCopyleft(c.SPDX) {
					copyleft++
				}
				if c.RVS < o.Floor {
					t.Fatalf("%+v is below the floor", c)
				}
			case c.Verdict.Outcome != verdict.OutcomeReject || c.Verdict.Code == "" || c.Verdict.Detail == "":
				t.Fatalf("%+v has no reason", c)
			}
		}
		if chosen > o.Target || chosen != got.Chosen || copyleft != got.Copyleft || len(got.All) != len(in) {
			t.Fatalf("%d chosen of %d, selection says %+v", chosen, o.Target, got)
		}
		for _, n := range perRepo {
			if n > o.MaxPerRepository {
				t.Fatalf("%v over the cap of %d", perRepo, o.MaxPerRepository)
			}
		}
		if !slices.IsSortedFunc(got.All, func(a, b Selected) int { return cmp.Compare(b.RVS, a.RVS) }) {
			t.Fatal("not by score")
		}
	}
}

// TestCopyleftShareIsExact: seven of a hundred are a share of 0.07, though
// 0.07 x 100 is a little more than 7 in floating point.
func TestCopyleftShareIsExact(t *testing.T) {
	var in []Entry
	for i := range 107 {
		c := entry("a", i, 0.9-float64(i)/1000)
		if i >= 93 {
			c.SPDX = "GPL-3.0"
		}
		in = append(in, c)
	}
	if s := Select(in, SelectionOptions{Target: 100, MaxPerRepository: 200, MinCopyleftShare: 0.07}); s.Copyleft != 7 || s.Short != 0 {
		t.Errorf("%d copyleft, %d short", s.Copyleft, s.Short)
	}
}

func TestIsCopyleft(t *testing.T) {
	for id, want := range map[string]bool{"GPL-3.0": true, "gpl-2.0-only": true, "LGPL-2.1": true, "AGPL-3.0": true, "MPL-2.0": true, "EPL-2.0": true,
		"MIT": false, "Apache-2.0": false, "BSD-3-Clause": false, "": false, "CC0-1.0": false, "Unlicense": false, "CECILL-B": false, "CECILL-2.1": true} {
		if IsCopyleft(id) != want {
			t.Errorf("%s: %v, want %v", id, !want, want)
		}
	}
}

func TestSplit(t *testing.T) {
	var records []SplitRecord
	for i := range 200 {
		records = append(records, SplitRecord{fmt.Sprintf("r__%d", i), []model.Difficulty{model.Type1, model.Type1, model.Type2, model.Type3}[i%4]})
	}
	o := SplitOptions{Seed: 1, Type1: 40, Type2: 51, Type3: 50}
	s := Split(records, o.Seed, o.Strata())
	want := []model.Stratum{
		{Difficulty: model.Type1, Target: 40, Available: 100, Taken: 40}, {Difficulty: model.Type2, Target: 51, Available: 50, Taken: 50, Short: true},
		{Difficulty: model.Type3, Target: 50, Available: 50, Taken: 50},
	}
	if d := gocmp.Diff(want, s.Strata); d != "" {
		t.Error(d)
	}
	if !slices.IsSorted(s.TaskIDs) || len(s.TaskIDs) != 140 || len(slices.Compact(slices.Clone(s.TaskIDs))) != 140 {
		t.Errorf("%d task ids", len(s.TaskIDs))
	}
	slices.Reverse(records)
	if d := gocmp.Diff(s, Split(records, o.Seed, o.Strata())); d != "" {
		t.Errorf("order matters: %s", d)
	}
	o.Seed = 2
	if gocmp.Equal(s, Split(records, o.Seed, o.Strata())) {
		t.Error("the seed does not matter")
	}
	if empty := Split(nil, 1, DefaultSplitOptions().Strata()); empty.TaskIDs == nil || len(empty.TaskIDs) != 0 || !empty.Strata[0].Short {
		t.Errorf("of nothing: %+v", empty)
	}
}

// TestSplitIsFixed keeps the draw from changing: released splits name it.
func TestSplitIsFixed(t *testing.T) {
	var records []SplitRecord
	for i := range 12 {
		records = append(records, SplitRecord{fmt.Sprintf("dask__%d", 12000+i), model.Type1})
	}
	got := Split(records, 1, []model.Stratum{{Difficulty: model.Type1, Target: 4}}).TaskIDs
	if want := []string{"dask__12001", "dask__12005", "dask__12007", "dask__12008"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
