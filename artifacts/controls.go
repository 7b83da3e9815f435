package artifacts

import "github.com/prforge/prforge/internal/model"

// ControlsOf says in a manifest which dataset the controls belong to, and how far their search went.
type ControlsOf struct {
	Dataset       string `json:"dataset"`         // its name
	Manifest      string `json:"manifest_sha256"` // of its manifest.json
	LookedAtUntil string `json:"looked_at_until"` // no later history was read
	Days          int    `json:"days"`            // the time after the merge at which each hunk was checked
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

// minCleanLines are the changed production lines of a clean pull request.
const minCleanLines = 20

// NewControlPull summarizes the hunks of one record. The record is clean if all hunks are clean, somebody approved
// it, and at least minCleanLines lines changed.
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
