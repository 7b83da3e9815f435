//go:build unix

package gitsource_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/testenv"
)

// countedGit is a git that notes the process of each `cat-file --batch-check`.
func countedGit(t *testing.T) (program string, pids func() []int) {
	t.Helper()
	dir := t.TempDir()
	program, log := filepath.Join(dir, "git"), filepath.Join(dir, "log")
	script := fmt.Sprintf("#!/bin/sh\nif [ \"$2\" = '--batch-check=%%(objectname)' ]; then echo $$ >> '%s'; fi\nexec git \"$@\"\n", log)
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return program, func() (list []int) {
		text, err := os.ReadFile(log)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		for _, line := range strings.Fields(string(text)) {
			pid, err := strconv.Atoi(line)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, pid)
		}
		return list
	}
}

func runs(pid int) bool { return syscall.Kill(pid, 0) == nil }

// TestOneProcess: one process answers what is here for as long as the
// repository is open, sees what later transfers bring, and ends with Close or
// with the context of the question that it is asked.
func TestOneProcess(t *testing.T) {
	o := newOrigin(t)
	commits := []string{o.change("a.py", "a = 1\n"), o.change("a.py", "a = 2\n"), o.change("a.py", "a = 3\n")}
	opts := options()
	var pids func() []int
	opts.Git, pids = countedGit(t)
	repo := o.open(opts)
	for _, oid := range commits {
		for range 2 {
			if missing, err := gitsource.FetchTrees(t.Context(), repo, []string{oid, gone}); err != nil || len(missing) != 1 {
				t.Fatal(missing, err)
			}
		}
	}
	if got := pids(); len(got) != 1 || !runs(got[0]) {
		t.Fatalf("processes %v, want one that runs", got)
	}
	if got := repo.Stats().Fetches; got > 4*len(commits)*2 {
		t.Errorf("%d transfers: what came was not seen", got)
	}
	repo.Close()
	if got := pids(); runs(got[0]) {
		t.Error("the process outlived Close")
	}
	if missing, err := gitsource.FetchTrees(t.Context(), repo, commits); err != nil || len(missing) != 0 {
		t.Fatal("used again after Close:", missing, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := gitsource.FetchTrees(ctx, repo, commits); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	if got := pids(); len(got) != 2 {
		t.Errorf("processes %v, want two in all", got)
	}
	if missing, err := gitsource.FetchTrees(t.Context(), repo, commits); err != nil || len(missing) != 0 {
		t.Fatal("after a canceled question:", missing, err)
	}
}

// TestGitInheritsNothing: neither a git that runs once nor one that goes on gets
// what prforge has open.
func TestGitInheritsNothing(t *testing.T) {
	o := newOrigin(t)
	commit := o.change("a.py", "a = 1\n")
	dir := t.TempDir()
	opts := options()
	opts.Git = filepath.Join(dir, "git")
	script := "#!/bin/sh\nls /proc/$$/fd >> " + dir + "/open\nexec git \"$@\"\n"
	if err := os.WriteFile(opts.Git, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	held := testenv.Inherited(t)
	if missing, err := gitsource.FetchTrees(t.Context(), o.open(opts), []string{commit}); err != nil || len(missing) != 0 {
		t.Fatal(missing, err)
	}
	open, err := os.ReadFile(filepath.Join(dir, "open"))
	if err != nil || !slices.Contains(strings.Fields(string(open)), "2") {
		t.Fatalf("%s, error %v", open, err)
	}
	for name, fd := range held {
		if slices.Contains(strings.Fields(string(open)), strconv.Itoa(fd)) {
			t.Errorf("%s is open in git", name)
		}
	}
}

// TestUnfitGit: a git that answers what was not asked, or nothing, is an error
// and never an object that is here.
func TestUnfitGit(t *testing.T) {
	for _, c := range []struct{ name, batch, body string }{
		{"other answers", "--batch-check=%(objectname)", "while read oid; do echo 1234567890123456789012345678901234567890; done"},
		{"no answer", "--batch-check=%(objectname)", "exit 0"},
		{"endless line", "--batch-check=%(objectname)", "while :; do printf '%0500d' 0; done"},
		{"other bytes", "--batch", `while read oid; do printf '%s commit 3\nabc\n' $oid; done`},
		{"cut off", "--batch", `read oid; printf '%s commit 3\nab' $oid`},
		{"no size", "--batch", `while read oid; do printf '%s commit\n' $oid; done`},
		{"less than nothing", "--batch", `while read oid; do printf '%s commit -1\n' $oid; done`},
		{"it was here", "--batch", `while read oid; do printf '%s missing\n' $oid; done`},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := newOrigin(t)
			commit := o.change("a.py", "a = 1\n")
			opts := options()
			opts.MaxRebuilds = 0
			opts.Git = filepath.Join(t.TempDir(), "git")
			script := "#!/bin/sh\nif [ \"$2\" = '" + c.batch + "' ]; then " + c.body + "; exit 0; fi\nexec git \"$@\"\n"
			if err := os.WriteFile(opts.Git, []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
			repo := o.open(opts)
			_, err := repo.Collect(t.Context(), newShard(t), []gitsource.Request{{Key: "1", Commit: commit}})
			if !errors.Is(err, gitsource.ErrCorrupt) || repo.Stats().Rebuilds != 0 {
				t.Errorf("rebuilt %d times, error %v", repo.Stats().Rebuilds, err)
			}
		})
	}
}
