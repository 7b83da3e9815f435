package verify

import (
	"cmp"
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/model"
)

// Controls checks a folder of negative controls against its manifest and itself. To check it against mirrors, make
// the controls again into the same folder.
func Controls(dir string, m *artifacts.Manifest) (*Report, error) {
	t := NewTally(controlKinds)
	if err := t.Files(dir, m, ControlFiles, "", nil); err != nil {
		return nil, err
	}
	hunks, err := load.All[artifacts.ControlHunk](dir, artifacts.FileControlHunks)
	if err != nil {
		return nil, err
	}
	for _, h := range hunks {
		t.controlHunk(h)
	}
	pulls, err := load.All[artifacts.ControlPull](dir, artifacts.FileControlPulls)
	if err != nil {
		return nil, err
	}
	t.controlPulls(m, pulls, hunks)
	for _, file := range []string{artifacts.FileControlRejected, artifacts.FileControlDeclined} {
		comments, err := load.All[artifacts.ControlComment](dir, file)
		if err != nil {
			return nil, err
		}
		for _, c := range comments {
			ok := c.Reason != "" && c.Body != "" && (c.CommentID != "") == (file == artifacts.FileControlDeclined)
			t.Check(ControlReasons, ok, "%s: comment %d of %s", file, c.DatabaseID, c.TaskID)
		}
	}
	return t.Report(dir, FormatPrforge, m.Records), nil
}

// controlHunk checks one hunk: a clean one has no evidence against it, had a reviewer, and has later history.
func (t *Tally) controlHunk(h artifacts.ControlHunk) {
	clean := h.Reason == "" && h.Against == "" && len(h.By) > 0 && h.LookedAt != ""
	known := h.Reason == "" || slices.Contains(model.ControlReasons(), h.Reason)
	t.Check(ControlHunks, known && h.Clean == clean,
		"%s: %s of %s: clean %t, reason %q", artifacts.FileControlHunks, h.Header, cmp.Or(h.Path, "?"), h.Clean, h.Reason)
}

// controlPulls recomputes the summaries of hunks.
func (t *Tally) controlPulls(m *artifacts.Manifest, pulls []artifacts.ControlPull, hunks []artifacts.ControlHunk) {
	listed := map[string]bool{}
	for _, p := range pulls {
		again := artifacts.NewControlPull(p.TaskID, hunks, p.Approvers)
		same := again.Hunks == p.Hunks && again.CleanOnes == p.CleanOnes && again.Changed == p.Changed &&
			again.Clean == p.Clean
		t.Check(ControlPulls, same && !listed[p.TaskID], "%s", p.TaskID)
		listed[p.TaskID] = true
	}
	for _, h := range hunks {
		if !listed[h.TaskID] {
			t.Note(ControlPulls, "hunks of %s, which is not listed", h.TaskID)
		}
	}
	if len(pulls) != m.Records {
		t.Note(ControlPulls, "%d records, the manifest says %d", len(pulls), m.Records)
	}
}
