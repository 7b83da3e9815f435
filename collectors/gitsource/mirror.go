package gitsource

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// Mirror is a full clone of a repository on disk. It is never written to or fetched into.
type Mirror struct {
	repo   *Repo
	newest time.Time // when the last commit of the default branch was made
}

// OpenMirror opens the clone in dir, bare or with a work tree. The error wraps
// fs.ErrNotExist where there is none.
func OpenMirror(ctx context.Context, dir string, o Options) (*Mirror, error) {
	if _, err := CheckGit(ctx, o.Git); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open the mirror %s: %w", dir, err)
	}
	if sub := filepath.Join(dir, ".git"); isFolder(sub) {
		dir = sub
	}
	if !isFolder(filepath.Join(dir, "objects")) {
		return nil, fmt.Errorf("open the mirror %s: %w", dir, fs.ErrNotExist)
	}
	m := &Mirror{repo: newRepo(dir, "", o)}
	if m.newest, err = m.when(ctx, "HEAD"); err != nil {
		return nil, fmt.Errorf("open the mirror %s: %w", dir, err)
	}
	return m, nil
}

// FindMirror opens a repository's clone below a folder of clones, OWNER/NAME.git or
// OWNER/NAME. The error wraps fs.ErrNotExist where there is none.
func FindMirror(ctx context.Context, folder string, repo model.RepoRef, o Options) (m *Mirror, err error) {
	for _, name := range []string{repo.Name + ".git", repo.Name} {
		m, err = OpenMirror(ctx, filepath.Join(folder, repo.Owner, name), o)
		if !errors.Is(err, fs.ErrNotExist) {
			return m, err
		}
	}
	return nil, err
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// when is the time at which a commit was made.
func (m *Mirror) when(ctx context.Context, commit string) (time.Time, error) {
	out, err := m.repo.git(ctx, nil, "log", "-1", "--format=%ct", commit, "--")
	if err != nil {
		return time.Time{}, err
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	return time.Unix(seconds, 0).UTC(), err
}

// Commit is a commit with its message.
type Commit struct{ Oid, Subject, Body string }

// Later is the default branch some time after a merge.
type Later struct {
	m      *Mirror
	Merge  string    // the merge commit
	At     string    // the default branch's later commit
	Until  time.Time // the day looked at
	brings *unidiff.Diff
	since  *unidiff.Diff // Merge to At
}

// Later returns the default branch the given number of days after the merge. If that is impossible, the reason says
// why: the mirror lacks the merge, or the days are not over at the time until or in the mirror.
func (m *Mirror) Later(ctx context.Context, merge string, days int, until time.Time) (*Later, model.ControlReason,
	error) {
	merged, err := m.when(ctx, merge+"^{commit}")
	if err == nil {
		_, err = m.repo.git(ctx, nil, "merge-base", "--is-ancestor", merge, "HEAD")
	}
	if lacking(err) { // it is not there, or on another branch
		return nil, model.ControlNotInMirror, nil
	}
	if err != nil {
		return nil, "", err
	}
	l := &Later{m: m, Merge: merge, Until: merged.AddDate(0, 0, days)}
	if l.Until.After(until) || l.Until.After(m.newest) {
		return nil, model.ControlTooYoung, nil
	}
	out, err := m.repo.git(ctx, nil, "rev-list", "-1", "--first-parent", "--before="+l.Until.Format(time.RFC3339), "HEAD")
	if err != nil {
		return nil, "", err
	}
	l.At = strings.TrimSpace(string(out))
	if l.brings, err = m.diff(ctx, merge+"^1", merge); err == nil {
		l.since, err = m.diff(ctx, merge, l.At)
	}
	switch {
	case lacking(err):
		return nil, model.ControlNotInMirror, nil
	case err != nil:
		return nil, "", err
	}
	return l, "", nil
}

// lacking reports whether a mirror does not have a requested object, or the object is too large.
func lacking(err error) bool {
	return exitCode(err) > 0 || errors.Is(err, ErrTooLarge) || errors.Is(err, unidiff.ErrTooLarge)
}

// diff compares two commits.
func (m *Mirror) diff(ctx context.Context, from, to string) (*unidiff.Diff, error) {
	args := append(append([]string{}, diffArgs...), from, to, "--")
	out, err := m.repo.git(ctx, nil, args...)
	if err != nil {
		return nil, err
	}
	return unidiff.Parse(string(out))
}

// Mentioning lists the commits since the merge whose messages contain one of the texts, ignoring case.
func (l *Later) Mentioning(ctx context.Context, texts ...string) ([]Commit, error) {
	args := []string{"--regexp-ignore-case", "--fixed-strings"}
	for _, t := range texts {
		args = append(args, "--grep="+t)
	}
	return l.log(ctx, append(args, l.Merge+".."+l.At)...)
}

func (l *Later) log(ctx context.Context, args ...string) ([]Commit, error) {
	out, err := l.m.repo.git(ctx, nil, append([]string{"log", "--no-patch", "--format=%H%x00%s%x00%b%x01"}, args...)...)
	if err != nil {
		return nil, err
	}
	var found []Commit
	for text := range strings.SplitSeq(string(out), "\x01") {
		if parts := strings.SplitN(strings.TrimLeft(text, "\n"), "\x00", 3); len(parts) == 3 {
			found = append(found, Commit{parts[0], parts[1], parts[2]})
		}
	}
	return found, nil
}

// Look follows changes of a file from the merge to the later commit. The reason is "" if all their lines survive
// together; the commits are those that touched these lines in between. A renamed file is followed; a line moved to
// another file counts as changed.
func (l *Later) Look(ctx context.Context, path string, runs []unidiff.Run) ([]Commit, model.ControlReason, error) {
	f := l.brings.Lookup(path)
	if f == nil || f.NewPath == "" {
		return nil, model.ControlNotInMerge, nil
	}
	merged, ok := f.Find(runs)
	if !ok {
		return nil, model.ControlNotInMerge, nil
	}
	now, moved := f.NewPath, l.since.Old(f.NewPath)
	if moved != nil {
		now = moved.NewPath
	}
	if now == "" || moved != nil && moved.IsBinary {
		return nil, model.ControlChangedLater, nil
	}
	var touched []Commit
	for _, r := range merged {
		first, last, ok := survives(moved, r)
		if !ok {
			return nil, model.ControlChangedLater, nil
		}
		if l.At == l.Merge {
			continue // nothing came after it
		}
		commits, err := l.log(ctx, fmt.Sprintf("-L%d,%d:%s", first, last, now), l.Merge+".."+l.At)
		if lacking(err) {
			return nil, model.ControlNotInMirror, nil
		}
		if err != nil {
			return nil, "", err
		}
		touched = append(touched, commits...)
	}
	return touched, "", nil
}

// survives maps a change's lines to the later commit; for a pure deletion, the line before it. It is false if they
// are no longer together.
func survives(moved *unidiff.File, r unidiff.Run) (first, last int, ok bool) {
	from, to := r.New, r.New+len(r.Added)-1
	if len(r.Added) == 0 {
		from, to = max(1, r.New-1), r.New
	}
	first, ok = from, true
	if moved != nil {
		first, ok = moved.ToNew(from)
		for line := from + 1; ok && line <= to; line++ {
			var at int
			at, ok = moved.ToNew(line)
			ok = ok && at == first+line-from
		}
	}
	return first, max(first, first+len(r.Added)-1), ok
}
