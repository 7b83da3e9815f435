package artifacts

import (
	"bytes"
	_ "embed"
	"text/template"

	"github.com/prforge/prforge/internal/model"
)

// The files of a folder of negative controls, beside README.md and
// manifest.json.
const (
	FileControlRejected = "evals/rejected.jsonl" // comments that a reviewer should not write
	FileControlDeclined = "evals/declined.jsonl" // findings that somebody contested
	FileControlHunks    = "evals/hunks.jsonl"    // every production hunk, and what speaks against it
	FileControlPulls    = "evals/pulls.jsonl"    // every record, and whether all its hunks are clean
	minCleanLines       = 20                     // changed production lines of a clean pull request
)

// ControlsOf says in a manifest which dataset controls are of, and how far
// their look went.
type ControlsOf struct {
	Dataset       string `json:"dataset"`         // its name
	Manifest      string `json:"manifest_sha256"` // of its manifest.json
	LookedAtUntil string `json:"looked_at_until"` // nothing later was looked at
	Days          int    `json:"days"`            // how long after the merge each hunk was looked at
}

// ControlComment is a line of FileControlRejected or FileControlDeclined.
type ControlComment struct {
	TaskID     string `json:"task_id"`
	CommentID  string `json:"comment_id,omitempty"` // c_N of the annotation, of declined ones
	DatabaseID int64  `json:"database_id"`
	URL        string `json:"url"`
	Path       string `json:"path"`
	Line       *int   `json:"line"` // in the diff that the record shows
	Reason     string `json:"reason"`
	Body       string `json:"body"`
}

// ControlHunk is a line of FileControlHunks.
type ControlHunk struct {
	TaskID   string              `json:"task_id"`
	Path     string              `json:"path"`
	Header   string              `json:"header"` // of the hunk in diff_patch
	OldStart int                 `json:"old_start"`
	OldLines int                 `json:"old_lines"`
	NewStart int                 `json:"new_start"`
	NewLines int                 `json:"new_lines"`
	Changed  int                 `json:"changed"` // added and deleted lines
	Clean    bool                `json:"clean"`
	Reason   model.ControlReason `json:"reason"`      // "" of a clean one
	By       []string            `json:"reviewed_by"` // approved the final head and commented on the file
	LookedAt string              `json:"looked_at"`   // the default branch's commit; "" where none was looked at
	Against  string              `json:"because"`     // the later commit that speaks against it; "" if none does
}

// ControlPull is a line of FileControlPulls.
type ControlPull struct {
	TaskID    string   `json:"task_id"`
	Hunks     int      `json:"hunks"` // of production files
	CleanOnes int      `json:"clean_hunks"`
	Changed   int      `json:"changed"`   // production lines
	Approvers []string `json:"approvers"` // people other than the author who approved the final head
	Clean     bool     `json:"clean"`
}

// NewControlPull sums up the hunks of one record: it is clean where all of them
// are, somebody approved it, and at least minCleanLines lines changed.
func NewControlPull(taskID string, hunks []ControlHunk, approvers []string) ControlPull {
	p := ControlPull{TaskID: taskID, Approvers: append([]string{}, approvers...)}
	for _, h := range hunks {
		if h.TaskID != taskID {
			continue
		}
		p.Hunks++
		p.Changed += h.Changed
		if h.Clean {
			p.CleanOnes++
		}
	}
	p.Clean = p.Hunks > 0 && p.CleanOnes == p.Hunks && len(approvers) > 0 && p.Changed >= minCleanLines
	return p
}

// ControlSet is what a folder of controls consists of, each list by task id.
type ControlSet struct {
	Of       ControlsOf
	Rejected []ControlComment
	Declined []ControlComment
	Hunks    []ControlHunk
	Pulls    []ControlPull
}

//go:embed controls.md.tmpl
var controlsCard string

// Dataset is the set as Freeze writes it. It has the version and the name of
// the dataset that it is of.
func (s ControlSet) Dataset(of Manifest) (Dataset, error) {
	d := Dataset{Manifest: Manifest{
		Benchmark: Controls, Name: of.Name, PipelineVersion: of.PipelineVersion, FreezeDate: s.Of.LookedAtUntil, ConfigSHA256: of.ConfigSHA256,
		Records: len(s.Pulls), Controls: &s.Of,
	}}
	var files []File
	for _, f := range []struct {
		path  string
		lines func() ([]byte, error)
	}{
		{FileControlRejected, func() ([]byte, error) { return canonicalLines(s.Rejected) }},
		{FileControlDeclined, func() ([]byte, error) { return canonicalLines(s.Declined) }},
		{FileControlHunks, func() ([]byte, error) { return canonicalLines(s.Hunks) }},
		{FileControlPulls, func() ([]byte, error) { return canonicalLines(s.Pulls) }},
		{FileCard, s.card},
	} {
		data, err := f.lines()
		if err != nil {
			return Dataset{}, err
		}
		files = append(files, memoryFile(f.path, data))
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
	out := ControlCounts{Rejected: len(s.Rejected), Declined: len(s.Declined), Hunks: len(s.Hunks), Pulls: len(s.Pulls), Reasons: []ControlCount{}}
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
	t, err := template.New("controls").Funcs(template.FuncMap{"cell": cell}).Parse(controlsCard)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, struct {
		Of ControlsOf
		ControlCounts
	}{s.Of, s.Count()})
	return b.Bytes(), err
}
