package fakegithub

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// exported is a line of pulls.jsonl: what tests over real pull requests read of
// one, by the names that they read.
type exported struct {
	Repo     string           `json:"repo"`
	Number   int              `json:"number"`
	Title    string           `json:"title"`
	Body     string           `json:"body"`
	Labels   []string         `json:"labels"`
	BaseSHA  string           `json:"base_sha"`
	BaseTip  string           `json:"base_tip_sha"`
	HeadSHA  string           `json:"head_sha"`
	MergeSHA string           `json:"merge_sha"`
	MergedAt time.Time        `json:"merged_at"`
	Threads  []exportedThread `json:"threads"`
}

type exportedThread struct {
	Path         string            `json:"path"`
	Line         *int              `json:"line"`
	OriginalLine *int              `json:"original_line"`
	Side         string            `json:"side"`
	IsOutdated   bool              `json:"is_outdated"`
	Subject      string            `json:"subject_type"`
	Comments     []exportedComment `json:"comments"`
}

type exportedComment struct {
	ID             int64  `json:"id"`
	Body           string `json:"body"`
	DiffHunk       string `json:"diff_hunk"`
	OriginalCommit string `json:"original_commit"`
}

// Export writes a world as tests over real pull requests want theirs: the bare
// repositories OWNER+NAME/repo, and pulls.jsonl with the merged pull requests whose
// commits git still has, without what was never submitted.
func (w *World) Export(dir string) error {
	s, err := build(w, filepath.Join(dir, "git"))
	if err != nil {
		return err
	}
	var out bytes.Buffer
	lines := json.NewEncoder(&out)
	for _, r := range s.repos {
		mirror := filepath.Join(dir, r.Owner+"+"+r.Name)
		if err := os.Mkdir(mirror, 0o755); err != nil {
			return err
		}
		if err := os.Rename(r.git.dir, filepath.Join(mirror, "repo")); err != nil {
			return fmt.Errorf("export %s: %w", r.FullName(), err)
		}
		for _, p := range r.pulls {
			if !p.isMerged() || p.IsPurged || p.BaseGone {
				continue
			}
			if err := lines.Encode(p.export()); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(filepath.Join(dir, "pulls.jsonl"), out.Bytes(), 0o644)
}

func (p *pullState) export() exported {
	out := exported{
		Repo: p.repo.FullName(), Number: p.Number, Title: p.Title, Body: p.Body, Labels: p.Labels, MergedAt: p.ClosedAt,
		BaseSHA: p.fork().sha, BaseTip: p.baseTip.sha, HeadSHA: p.head().sha, MergeSHA: p.merge.sha,
	}
	for _, t := range p.threads {
		if t.pending() {
			continue
		}
		thread := exportedThread{Path: t.path, Line: t.line, OriginalLine: t.original, Side: t.side, IsOutdated: t.outdated, Subject: t.subject}
		for _, c := range t.comments {
			thread.Comments = append(thread.Comments, exportedComment{ID: c.id, Body: c.body, DiffHunk: c.hunk, OriginalCommit: c.written.sha})
		}
		out.Threads = append(out.Threads, thread)
	}
	return out
}
