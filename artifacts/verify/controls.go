package verify

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/model"
)

// Controls checks a folder of negative controls against its manifest and itself. To check it against mirrors, make
// the controls again into the same folder.
func Controls(dir string, m *artifacts.Manifest) (*Report, error) {
	faults, _, err := load.CheckFiles(dir, m)
	if err != nil {
		return nil, err
	}
	r := &Report{Dataset: dir, Format: FormatPrforge, Records: m.Records, Checks: len(m.Files), Faults: []Fault{}, Warnings: []Fault{}, Skipped: []string{}}
	for _, f := range faults {
		r.Add(ControlFiles, f.String())
	}
	hunks, err := load.All[artifacts.ControlHunk](dir, artifacts.FileControlHunks)
	if err != nil {
		return nil, err
	}
	for _, h := range hunks {
		r.controlHunk(h)
	}
	pulls, err := load.All[artifacts.ControlPull](dir, artifacts.FileControlPulls)
	if err != nil {
		return nil, err
	}
	r.controlPulls(m, pulls, hunks)
	for _, file := range []string{artifacts.FileControlRejected, artifacts.FileControlDeclined} {
		comments, err := load.All[artifacts.ControlComment](dir, file)
		if err != nil {
			return nil, err
		}
		for _, c := range comments {
			r.Checks++
			if c.Reason == "" || c.Body == "" || (c.CommentID != "") != (file == artifacts.FileControlDeclined) {
				r.Add(ControlReasons, fmt.Sprintf("%s: comment %d of %s", file, c.DatabaseID, c.TaskID))
			}
		}
	}
	return r, nil
}

// controlHunk checks one hunk: a clean one has no evidence against it, had a reviewer, and has later history.
func (r *Report) controlHunk(h artifacts.ControlHunk) {
	r.Checks++
	clean := h.Reason == "" && h.Against == "" && len(h.By) > 0 && h.LookedAt != ""
	if known := h.Reason == "" || slices.Contains(model.ControlReasons(), h.Reason); !known || h.Clean != clean {
		r.Add(ControlHunks, fmt.Sprintf("%s: %s of %s: clean %t, reason %q", artifacts.FileControlHunks, h.Header, cmp.Or(h.Path, "?"), h.Clean, h.Reason))
	}
}

// controlPulls recomputes the summaries of hunks.
func (r *Report) controlPulls(m *artifacts.Manifest, pulls []artifacts.ControlPull, hunks []artifacts.ControlHunk) {
	listed := map[string]bool{}
	for _, p := range pulls {
		r.Checks++
		again := artifacts.NewControlPull(p.TaskID, hunks, p.Approvers)
		if listed[p.TaskID] || again.Hunks != p.Hunks || again.CleanOnes != p.CleanOnes || again.Changed != p.Changed || again.Clean != p.Clean {
			r.Add(ControlPulls, p.TaskID)
		}
		listed[p.TaskID] = true
	}
	for _, h := range hunks {
		if !listed[h.TaskID] {
			r.Add(ControlPulls, "hunks of "+h.TaskID+", which is not listed")
		}
	}
	if len(pulls) != m.Records {
		r.Add(ControlPulls, fmt.Sprintf("%d records, the manifest says %d", len(pulls), m.Records))
	}
}
