package verify_test

import (
	"path/filepath"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/internal/model"
)

func TestControls(t *testing.T) {
	fresh := func() freeze.ControlSet {
		s := freeze.ControlSet{
			Of:       artifacts.ControlsOf{Dataset: "sample", LookedAtUntil: "2026-11-01", Days: 180},
			Rejected: []artifacts.ControlComment{{TaskID: "a__1", DatabaseID: 7, Reason: "only_praise", Body: "Nice."}},
			Declined: []artifacts.ControlComment{{TaskID: "a__1", CommentID: "c_1", DatabaseID: 8, Reason: "author_declined", Body: "Is it not too slow?"}},
			Hunks: []artifacts.ControlHunk{
				{TaskID: "a__1", Path: "a.go", Changed: 30, Clean: true, By: []string{"ann"}, LookedAt: "f00"},
				{TaskID: "b__2", Path: "b.go", Changed: 3, Reason: model.ControlCommented, By: []string{}},
			},
		}
		s.Pulls = []artifacts.ControlPull{
			artifacts.NewControlPull("a__1", s.Hunks, []string{"ann"}), artifacts.NewControlPull("b__2", s.Hunks, nil),
		}
		return s
	}
	if s := fresh(); !s.Pulls[0].Clean || s.Pulls[1].Clean {
		t.Fatalf("%+v", s.Pulls)
	}
	for name, tc := range map[string]struct {
		damage func(*freeze.ControlSet)
		want   verify.Kind // "" is intact
	}{
		"as made":                 {func(*freeze.ControlSet) {}, ""},
		"clean without a look":    {func(s *freeze.ControlSet) { s.Hunks[0].LookedAt = "" }, verify.ControlHunks},
		"clean against a commit":  {func(s *freeze.ControlSet) { s.Hunks[0].Against = "abc" }, verify.ControlHunks},
		"a reason nobody gives":   {func(s *freeze.ControlSet) { s.Hunks[1].Reason = "because" }, verify.ControlHunks},
		"sums":                    {func(s *freeze.ControlSet) { s.Pulls[0].Changed++ }, verify.ControlPulls},
		"a pull request too many": {func(s *freeze.ControlSet) { s.Pulls = append(s.Pulls, s.Pulls[0]) }, verify.ControlPulls},
		"one too few":             {func(s *freeze.ControlSet) { s.Pulls = s.Pulls[:1] }, verify.ControlPulls},
		"declined without an id":  {func(s *freeze.ControlSet) { s.Declined[0].CommentID = "" }, verify.ControlReasons},
	} {
		t.Run(name, func(t *testing.T) {
			set := fresh()
			tc.damage(&set)
			d, err := set.Dataset(artifacts.Manifest{Name: "sample", PipelineVersion: "v1.0.0"})
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(t.TempDir(), "controls")
			if err := freeze.Freeze(t.Context(), dir, d); err != nil {
				t.Fatal(err)
			}
			m, err := load.ReadManifest(dir)
			if err != nil {
				t.Fatal(err)
			}
			r, err := verify.Controls(dir, m)
			if err != nil {
				t.Fatal(err)
			}
			if tc.want == "" && !r.OK() || tc.want != "" && (len(r.Faults) != 1 || r.Faults[0].Kind != tc.want || r.Faults[0].Text == "") {
				t.Errorf("%+v, want %q", r.Faults, tc.want)
			}
		})
	}
}
