package gitsource

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// parseDiff reads a diff that a commit is verified against; problem says why it
// cannot serve.
func parseDiff(text string) (diff *unidiff.Diff, problem string) {
	diff, err := unidiff.Parse(text)
	switch {
	case err != nil:
		return nil, "the diff cannot be read: " + err.Error()
	case len(diff.Files) == 0:
		return nil, "the diff has no files"
	}
	return diff, ""
}

// verify checks a diff against the trees of a candidate and the head. It must name exactly the paths that differ
// between the two, with their object ids and modes on both sides, and its hunks must fit the old files. It returns ""
// or what does not fit. missing lists files whose old content the server lacks, so that only ids were compared.
// Without a diff it compares the file list.
func (r *Repo) verify(ctx context.Context, candidate string, pull *model.PullRequest,
	diff *unidiff.Diff) (missing []string, problem string, err error) {
	changed, err := r.differ(ctx, candidate, pull.HeadOid)
	if errors.Is(err, ErrTooLarge) || errors.Is(err, ErrAbsent) {
		return nil, err.Error(), nil
	}
	if err != nil {
		return nil, "", err
	}
	if diff == nil {
		return nil, compareList(changed, pull), nil
	}
	if problem := compare(changed, diff); problem != "" {
		return nil, problem, nil
	}
	return r.fit(ctx, changed, diff)
}

// compare checks the diff's files against the changed paths, without contents.
func compare(changed map[string]change, diff *unidiff.Diff) string {
	named := map[string]bool{}
	for _, f := range diff.Files {
		if f.OldPath != "" && !f.IsCopy {
			named[f.OldPath] = true
			if problem := side(changed[f.OldPath].old, f.OldPath, f.OldOid, f.OldMode); problem != "" {
				return "old side: " + problem
			}
		}
		if f.NewPath != "" {
			named[f.NewPath] = true
			if problem := side(changed[f.NewPath].new, f.NewPath, f.NewOid, f.NewMode); problem != "" {
				return "new side: " + problem
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		if !named[name] {
			return fmt.Sprintf("%q differs between the commits but is not in the diff", name)
		}
	}
	return ""
}

// compareList checks the pull request's file list against the changed paths. The list names a renamed file by its new
// path alone and may be truncated, which ChangedFiles shows.
func compareList(changed map[string]change, pull *model.PullRequest) string {
	listed := map[string]bool{}
	renamed := max(0, pull.ChangedFiles-len(pull.Files)) // any file not listed may be a rename
	for _, f := range pull.Files {
		listed[f.Path] = true
		if f.Change == model.FileRenamed {
			renamed++
		}
		if _, ok := changed[f.Path]; !ok {
			return fmt.Sprintf("%q is in the file list but does not differ between the commits", f.Path)
		}
	}
	others := pull.ChangedFiles - len(pull.Files) + renamed
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		if listed[name] {
			continue
		}
		if others--; others < 0 {
			return fmt.Sprintf("%q differs between the commits but is not in the file list", name)
		}
	}
	if len(changed) < pull.ChangedFiles || len(changed) == 0 {
		return fmt.Sprintf("%d paths differ between the commits, not %d", len(changed), pull.ChangedFiles)
	}
	return ""
}

// side compares one side of a file with what the tree has there.
func side(have node, path, oid string, mode uint32) string {
	switch {
	case have == (node{}):
		return fmt.Sprintf("%q is in the diff but does not differ between the commits", path)
	case !strings.HasPrefix(have.oid, oid):
		return fmt.Sprintf("%q has object %s, the diff says %s", path, have.oid, oid)
	case mode != 0 && mode != have.mode:
		return fmt.Sprintf("%q has mode %o, the diff says %o", path, have.mode, mode)
	}
	return ""
}

// fit fetches the old files that have hunks and checks the hunks against them. For a file over Options.MaxFile it
// compares only the object id.
func (r *Repo) fit(ctx context.Context, changed map[string]change, diff *unidiff.Diff) (missing []string,
	problem string, err error) {
	var oids []string
	for _, f := range diff.Files {
		if n := oldFile(changed, f); n.oid != "" {
			oids = append(oids, n.oid)
		}
	}
	lost, err := r.ensure(ctx, wantObjects, oids)
	if err != nil {
		return nil, "", err
	}
	for _, f := range diff.Files {
		n := oldFile(changed, f)
		if n.oid == "" {
			continue
		}
		if lost[n.oid] != nil {
			missing = append(missing, f.OldPath)
			continue
		}
		if len(f.Hunks) == 0 {
			continue
		}
		data, err := r.object(ctx, n.oid, "blob", r.opts.MaxFile)
		if errors.Is(err, ErrTooLarge) {
			continue
		}
		if err != nil {
			return nil, "", err
		}
		if !unidiff.Fits(data, f) {
			return nil, fmt.Sprintf("the hunks do not fit %q", f.OldPath), nil
		}
	}
	return missing, "", nil
}

// oldFile is the old side of a changed file where it has bytes of its own; a
// submodule has none.
func oldFile(changed map[string]change, f *unidiff.File) node {
	if f.OldPath == "" || f.IsCopy {
		return node{}
	}
	if n := changed[f.OldPath].old; n.mode != modeSubmodule {
		return n
	}
	return node{}
}
