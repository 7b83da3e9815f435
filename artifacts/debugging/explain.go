package debugging

import (
	"fmt"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
)

// Explanation is everything that a dataset says about a sample, about a script, or about the attempts with it.
type Explanation struct {
	Sample   *Sample   `json:"sample"`   // nil where it is about something else
	Evidence *Evidence `json:"evidence"` // the sample's
	// Decisions are those about a sample's script and its changes; otherwise those about the requested item and
	// everything made from it.
	Decisions []artifacts.Decision `json:"decisions"`
	// Rejections hold all verdicts of those that were dropped.
	Rejections []artifacts.Rejection `json:"rejections"`
}

// Explain reads what a dataset says about a sample, or about a script or a change by its name in the audit.
func Explain(dir, name string) (*Explanation, error) {
	out := &Explanation{Decisions: []artifacts.Decision{}, Rejections: []artifacts.Rejection{}}
	for s, err := range Samples(dir) {
		if err != nil {
			return nil, err
		}
		if s.SampleID != name {
			continue
		}
		if !plainID(name) {
			return nil, fmt.Errorf("%q is no sample id", name)
		}
		out.Sample = s
		if out.Evidence, err = load.ReadJSON[Evidence](dir, FileEvidence(name)); err != nil {
			return nil, err
		}
	}
	for d, err := range load.ReadLines[artifacts.Decision](dir, artifacts.FileDecisions) {
		if err != nil {
			return nil, err
		}
		if out.about(name, d.Item) {
			out.Decisions = append(out.Decisions, *d)
		}
	}
	for r, err := range load.ReadLines[artifacts.Rejection](dir, artifacts.FileRejections) {
		if err != nil {
			return nil, err
		}
		if out.about(name, r.Item) {
			out.Rejections = append(out.Rejections, *r)
		}
	}
	if out.Sample == nil && len(out.Decisions) == 0 {
		return nil, fmt.Errorf("%s: the dataset has no sample, script or change of that name", name)
	}
	return out, nil
}

// about reports whether a decision's item belongs to the requested one.
func (x *Explanation) about(name, item string) bool {
	if x.Sample == nil {
		return item == name || strings.HasPrefix(item, name+"/")
	}
	if item == x.Sample.ScriptID {
		return true
	}
	for _, e := range x.Sample.Errors {
		if strings.HasPrefix(item, fmt.Sprintf("%s/%s@%d.", x.Sample.ScriptID, e.Operator, e.CauseLine)) {
			return true
		}
	}
	return false
}
