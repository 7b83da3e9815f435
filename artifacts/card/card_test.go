package card_test

import (
	"reflect"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/card"
	"github.com/prforge/prforge/internal/model"
)

func ptr[T any](v T) *T { return &v }

// Each figure counts what its name says.
func TestFigures_Add(t *testing.T) {
	first := &artifacts.Task{
		Record:     artifacts.Record{Language: "Go", PRType: "bugfix", Difficulty: model.Type1, RVSScore: 0.5, LinesAdded: 7, LinesRemoved: 2, FilesChanged: 3},
		Contexts:   []artifacts.Context{{ConfigName: "config_A", TotalTokens: 10}, {ConfigName: "config_B", TotalTokens: 20}},
		Annotation: artifacts.Annotation{Comments: []artifacts.AnnotationComment{{IsInDiff: true}, {IsInDiff: false}}},
	}
	first.Evidence.Revision.Because, first.Evidence.Revision.Written = ptr("first"), true
	first.Evidence.Comments = []artifacts.EvidenceComment{
		{GroundTruth: true, Anchor: "hunk", AddressedElsewhere: ptr(true), VisibleIn: ptr([]string{"config_A", "config_B"})},
		{GroundTruth: true, Anchor: "hunk", AddressedElsewhere: ptr(false), VisibleIn: ptr([]string{})},
		{GroundTruth: false, Anchor: "none", AddressedElsewhere: ptr(true), VisibleIn: ptr([]string{})},
	}
	second := &artifacts.Task{
		Record:     artifacts.Record{Language: "Go", PRType: "feature", Difficulty: model.Type1, LinesAdded: 1},
		Annotation: artifacts.Annotation{Comments: []artifacts.AnnotationComment{{}}},
	}
	second.Evidence.Revision.Written = true // of the final revision, which is no choice
	got := card.NewFigures()
	got.Add(first)
	got.Add(second)
	for name, f := range map[string]struct{ got, want any }{
		"records":      {got.Records, 2},
		"languages":    {got.Languages, map[string]int{"Go": 2}},
		"types":        {got.Types, map[string]int{"bugfix": 1, "feature": 1}},
		"difficulty":   {got.Difficulty, map[string]int{string(model.Type1): 2}},
		"rvs":          {got.RVS, []float64{0.5, 0}},
		"added":        {got.Added, []float64{7, 1}},
		"changed":      {got.Changed, []float64{9, 1}},
		"files":        {got.Files, []float64{3, 0}},
		"ground truth": {got.GroundTruth, []float64{2, 1}},
		"tokens":       {got.Tokens, map[string][]float64{"config_A": {10}, "config_B": {20}}},
		"comments":     {got.Comments, 3},
		"truth":        {got.Truth, 3},
		"in diff":      {got.InDiff, 1},
		"anchors":      {got.Anchors, map[string]int{"hunk": 2}},
		"visible":      {got.Visible, map[string]int{"config_A": 1, "config_B": 1}},
		"nowhere":      {got.Nowhere, 1},
		"elsewhere":    {got.Elsewhere, 1},
		"because":      {got.Because, map[string]int{"first": 1}},
		"written":      {got.Written, 1},
		"ones":         {got.Ones, 1},
	} {
		if !reflect.DeepEqual(f.got, f.want) {
			t.Errorf("%s: %v, want %v", name, f.got, f.want)
		}
	}
}
