package gitsource_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// history is a repository whose commits have days, counted from 1 January 2026.
type history struct {
	t   *testing.T
	dir string
}

func newHistory(t *testing.T) *history {
	h := &history{t, t.TempDir()}
	h.git(0, "init", "-q", "--initial-branch=main")
	return h
}

func (h *history) git(day int, args ...string) string {
	h.t.Helper()
	at := time.Date(2026, 1, 1+day, 12, 0, 0, 0, time.UTC).Format(time.RFC3339)
	cmd := exec.Command("git", args...)
	cmd.Dir = h.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org",
		"GIT_COMMITTER_NAME=c", "GIT_COMMITTER_EMAIL=c@example.org", "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at)
	out, err := cmd.CombinedOutput()
	if err != nil {
		h.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit writes a file and commits all.
func (h *history) commit(day int, message, path, text string) string {
	h.t.Helper()
	if err := os.WriteFile(filepath.Join(h.dir, path), []byte(text), 0o644); err != nil {
		h.t.Fatal(err)
	}
	h.git(day, "add", "-A")
	h.git(day, "commit", "-q", "--allow-empty", "-m", message)
	return h.git(day, "rev-parse", "HEAD")
}

// lines are twenty lines of code, those of change written otherwise.
func lines(change map[int]string) string {
	var b strings.Builder
	for i := 1; i <= 20; i++ {
		text, ok := change[i]
		if !ok {
			text = fmt.Sprintf("line %d", i)
		}
		if text != "" {
			b.WriteString(text + "\n")
		}
	}
	return b.String()
}

func TestLaterLook(t *testing.T) {
	merged := map[int]string{5: "five", 12: "" /* deleted */}
	with := func(more map[int]string) string {
		all := map[int]string{5: "five", 12: ""}
		for k, v := range more {
			all[k] = v
		}
		return lines(all)
	}
	for name, tc := range map[string]struct {
		after   func(h *history)
		days    int
		reason  model.ControlReason // of looking at all
		changed model.ControlReason // of line 5
		deleted model.ControlReason // of line 12
		touched string              // the subject of a commit that touched line 5
	}{
		"nothing happened": {},
		"elsewhere":        {after: func(h *history) { h.commit(3, "fix: more", "a.py", with(map[int]string{18: "eighteen"})) }},
		"lines before":     {after: func(h *history) { h.commit(3, "Add", "a.py", "new\n"+with(nil)) }},
		"changed":          {after: func(h *history) { h.commit(3, "Change", "a.py", with(map[int]string{5: "fünf"})) }, changed: model.ControlChangedLater},
		"put back":         {after: func(h *history) { h.commit(3, "Change", "a.py", with(map[int]string{12: "line 12", 13: "x"})) }, deleted: model.ControlChangedLater},
		"changed and changed back": {after: func(h *history) {
			h.commit(3, "fix: it", "a.py", with(map[int]string{5: "fünf"}))
			h.commit(4, "Back", "a.py", with(nil))
		}, touched: "fix: it"},
		"changed when it was over": {after: func(h *history) { h.commit(13, "Change", "a.py", with(map[int]string{5: "fünf"})) }},
		"renamed": {after: func(h *history) {
			h.git(3, "mv", "a.py", "b.py")
			h.commit(3, "Move", "b.py", "top\n"+with(nil))
		}},
		"file gone":          {after: func(h *history) { h.git(3, "rm", "-q", "a.py"); h.commit(3, "Drop", "other", "x\n") }, changed: model.ControlChangedLater, deleted: model.ControlChangedLater},
		"too young":          {days: 60, reason: model.ControlTooYoung},
		"mirror ends before": {days: 25, reason: model.ControlTooYoung},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t)
			base := h.commit(0, "Begin", "a.py", lines(nil))
			merge := h.commit(2, "Merge", "a.py", lines(merged))
			if tc.after != nil {
				tc.after(h)
			}
			h.commit(20, "Last", "last", "x\n")
			d, err := unidiff.Parse(h.git(0, "diff", base, merge) + "\n")
			if err != nil {
				t.Fatal(err)
			}
			m, err := gitsource.OpenMirror(t.Context(), h.dir, gitsource.DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			days := tc.days
			if days == 0 {
				days = 10
			}
			later, reason, err := m.Later(t.Context(), merge, days, time.Date(2026, 2, 15, 0, 0, 0, 0, time.UTC))
			if err != nil || reason != tc.reason {
				t.Fatalf("reason %q, want %q, %v", reason, tc.reason, err)
			}
			if reason != "" {
				return
			}
			runs := d.Files[0].Runs()
			touched, changed, err := later.Look(t.Context(), "a.py", runs[:1])
			if err != nil || changed != tc.changed {
				t.Errorf("changed line: %q, want %q, %v", changed, tc.changed, err)
			}
			var subjects []string
			for _, c := range touched {
				subjects = append(subjects, c.Subject)
			}
			if has := strings.Join(subjects, ","); tc.touched != "" && !strings.Contains(has, tc.touched) || tc.touched == "" && has != "" {
				t.Errorf("touched by %q, want %q", has, tc.touched)
			}
			if _, deleted, err := later.Look(t.Context(), "a.py", runs[1:]); err != nil || deleted != tc.deleted {
				t.Errorf("deleted line: %q, want %q, %v", deleted, tc.deleted, err)
			}
		})
	}
}

// What the mirror does not have, or has on another branch, nobody can look at.
func TestLaterLookNeedsTheMerge(t *testing.T) {
	h := newHistory(t)
	h.commit(0, "Begin", "a.py", lines(nil))
	h.git(0, "checkout", "-q", "-b", "release")
	aside := h.commit(1, "Aside", "a.py", lines(map[int]string{3: "three"}))
	h.git(0, "checkout", "-q", "main")
	merge := h.commit(2, "Merge", "a.py", lines(map[int]string{5: "five"}))
	revert := h.commit(3, "Revert \"Merge\"\n\nThis reverts commit "+merge+".", "a.py", lines(nil))
	h.commit(40, "Last", "last", "x\n")
	m, err := gitsource.OpenMirror(t.Context(), h.dir, gitsource.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	until := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, oid := range []string{aside, strings.Repeat("ab", 20)} {
		if _, reason, err := m.Later(t.Context(), oid, 10, until); err != nil || reason != model.ControlNotInMirror {
			t.Errorf("%s: %q %v", oid, reason, err)
		}
	}
	later, reason, err := m.Later(t.Context(), merge, 10, until)
	if err != nil || reason != "" || later.At != revert {
		t.Fatalf("%+v %q %v", later, reason, err)
	}
	commits, err := later.Mentioning(t.Context(), "REVERT", "nobody says this")
	if err != nil || len(commits) != 1 || commits[0].Oid != revert || !strings.Contains(commits[0].Body, merge) {
		t.Errorf("%+v %v", commits, err)
	}
	other := unidiff.Run{Added: []string{"of another pull request"}}
	if _, reason, err := later.Look(t.Context(), "a.py", []unidiff.Run{other}); err != nil || reason != model.ControlNotInMerge {
		t.Errorf("%q %v", reason, err)
	}
	if _, err := gitsource.OpenMirror(t.Context(), t.TempDir(), gitsource.DefaultOptions()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
}
