package evaluation

// CleanHunk is a part of a change on which a reviewer should say nothing: nobody
// objected to it, and it lasted (prforge controls).
type CleanHunk struct {
	Task  string `json:"task_id"`
	File  string `json:"path"`
	Start int    `json:"new_start"` // the first line, after the change
	Lines int    `json:"new_lines"`
}

// holds reports whether a comment points into the hunk.
func (h CleanHunk) holds(c Comment) bool {
	return c.Line != nil && *c.Line >= h.Start && *c.Line < h.Start+h.Lines && sameFile(c.File, h.File)
}

// alarms is the share of a task's clean hunks that a comment points into which
// reports no problem of the ground truth.
func alarms(hunks []CleanHunk, comments []Comment, judged *Judgement) Rate {
	r := Rate{Of: len(hunks)}
	for _, h := range hunks {
		for i, c := range comments {
			if h.holds(c) && (judged == nil || judged.Comments[i].Label != confirmed) {
				r.N++
				break
			}
		}
	}
	return r
}
