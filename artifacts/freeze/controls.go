package freeze

import (
	"bytes"
	_ "embed"
	"text/template"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/card"
	"github.com/prforge/prforge/internal/model"
)

// ControlSet is the contents of a folder of controls, each list by task id.
type ControlSet struct {
	Of       artifacts.ControlsOf
	Rejected []artifacts.ControlComment
	Declined []artifacts.ControlComment
	Hunks    []artifacts.ControlHunk
	Pulls    []artifacts.ControlPull
}

//go:embed controls.md.tmpl
var controlsCard string

// Dataset is the set in the form for Freeze. It has the version and the name of its dataset.
func (s ControlSet) Dataset(of artifacts.Manifest) (Dataset, error) {
	d := Dataset{Manifest: artifacts.Manifest{
		NotForPublication: of.NotForPublication,
		Benchmark:         artifacts.Controls, Name: of.Name, PipelineVersion: of.PipelineVersion,
		FreezeDate: s.Of.LookedAtUntil, ConfigSHA256: of.ConfigSHA256,
		Records: len(s.Pulls), Controls: &s.Of,
	}}
	var files []File
	for _, f := range []struct {
		path  string
		lines func() ([]byte, error)
	}{
		{artifacts.FileControlRejected, func() ([]byte, error) { return artifacts.CanonicalLines(s.Rejected) }},
		{artifacts.FileControlDeclined, func() ([]byte, error) { return artifacts.CanonicalLines(s.Declined) }},
		{artifacts.FileControlHunks, func() ([]byte, error) { return artifacts.CanonicalLines(s.Hunks) }},
		{artifacts.FileControlPulls, func() ([]byte, error) { return artifacts.CanonicalLines(s.Pulls) }},
		{artifacts.FileCard, s.card},
	} {
		data, err := f.lines()
		if err != nil {
			return Dataset{}, err
		}
		files = append(files, FileOf(f.path, data))
	}
	d.Files = Seq(files...)
	return d, nil
}

// ControlCounts says how many controls there are, and why not more.
type ControlCounts struct {
	Rejected   int            `json:"rejected"`
	Declined   int            `json:"declined"`
	Hunks      int            `json:"hunks"`
	CleanHunks int            `json:"clean_hunks"`
	Pulls      int            `json:"pulls"`
	CleanPulls int            `json:"clean_pulls"`
	Reasons    []ControlCount `json:"reasons"` // of the hunks that are not clean, in order
}

// ControlCount is how many hunks have a reason against them.
type ControlCount struct {
	Reason model.ControlReason `json:"reason"`
	Count  int                 `json:"count"`
}

// Count counts the controls.
func (s ControlSet) Count() ControlCounts {
	out := ControlCounts{Rejected: len(s.Rejected), Declined: len(s.Declined), Hunks: len(s.Hunks), Pulls: len(s.Pulls),
		Reasons: []ControlCount{}}
	against := map[model.ControlReason]int{}
	for _, h := range s.Hunks {
		against[h.Reason]++
	}
	out.CleanHunks = against[""]
	for _, p := range s.Pulls {
		if p.Clean {
			out.CleanPulls++
		}
	}
	for _, r := range model.ControlReasons() {
		if against[r] > 0 {
			out.Reasons = append(out.Reasons, ControlCount{r, against[r]})
		}
	}
	return out
}

func (s ControlSet) card() ([]byte, error) {
	t, err := template.New("controls").Funcs(template.FuncMap{"cell": card.Cell}).Parse(controlsCard)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, struct {
		Of artifacts.ControlsOf
		ControlCounts
	}{s.Of, s.Count()})
	return b.Bytes(), err
}
