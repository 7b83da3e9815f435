package fakegithub

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/txtar"
)

// ParseWorld reads a world: OWNER/NAME/repo.txtar for each repository,
// OWNER/NAME/NUMBER.txtar for each of its pull requests, and world.txtar for
// the accounts. Further layers add to the first. The package comment has the format.
// The error names the file.
func ParseWorld(layers ...fs.FS) (*World, error) {
	w := &World{}
	repos := map[string]*Repo{}
	pulls := map[string][]*Pull{}
	read := func(fsys fs.FS, name string) error {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		archive := txtar.Parse(data)
		dir, file := path.Dir(name), path.Base(name)
		switch {
		case name == "world.txtar":
			err = parseAccounts(archive, w)
		case file == "repo.txtar":
			repos[dir], err = parseRepo(dir, archive)
		default:
			var p *Pull
			if p, err = parsePull(strings.TrimSuffix(file, ".txtar"), archive); err == nil {
				pulls[dir] = append(pulls[dir], p)
			}
		}
		if err != nil {
			return fmt.Errorf("world file %s: %w", name, err)
		}
		return nil
	}
	for _, layer := range layers {
		err := fs.WalkDir(layer, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || path.Ext(name) != ".txtar" {
				return err
			}
			return read(layer, name)
		})
		if err != nil {
			return nil, err
		}
	}
	for dir, list := range pulls {
		if repos[dir] == nil {
			return nil, fmt.Errorf("world folder %s has pull requests and no repo.txtar", dir)
		}
		slices.SortFunc(list, func(a, b *Pull) int { return a.Number - b.Number })
		repos[dir].Pulls = list
	}
	for _, r := range repos {
		w.Repos = append(w.Repos, r)
	}
	slices.SortFunc(w.Repos, func(a, b *Repo) int { return cmp.Compare(a.FullName(), b.FullName()) })
	return w, nil
}

// header is the "key: value" lines before the first file of an archive.
type header struct {
	values map[string]string
	errs   []error
}

func parseHeader(comment []byte) *header {
	h := &header{values: map[string]string{}}
	for line := range strings.Lines(string(comment)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			h.errs = append(h.errs, fmt.Errorf("%q is not a line of the form key: value", line))
		}
		h.values[key] = strings.TrimSpace(value)
	}
	return h
}

func (h *header) text(key string) string {
	v := h.values[key]
	delete(h.values, key)
	return v
}

func (h *header) list(key string) []string {
	var out []string
	for _, v := range strings.Split(h.text(key), ",") {
		if v = strings.TrimSpace(v); v != "" {
			out = append(out, v)
		}
	}
	return out
}

func (h *header) number(key string) int {
	v := h.text(key)
	if v == "" {
		return 0
	}
	n, err := strconv.Atoi(v)
	if err != nil {
		h.errs = append(h.errs, fmt.Errorf("%s: %w", key, err))
	}
	return n
}

// time reads "2026-01-05" or "2026-01-05T10:00:00Z".
func (h *header) time(key string) time.Time {
	v := h.text(key)
	if v == "" {
		return time.Time{}
	}
	if len(v) == len(time.DateOnly) {
		v += "T09:00:00Z"
	}
	t, err := time.Parse(time.RFC3339, v)
	if err != nil {
		h.errs = append(h.errs, fmt.Errorf("%s: %w", key, err))
	}
	return t
}

// done reports what was wrong, unknown keys included.
func (h *header) done() error {
	for key := range h.values {
		h.errs = append(h.errs, fmt.Errorf("unknown key %q", key))
	}
	slices.SortFunc(h.errs, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return errors.Join(h.errs...)
}

func parseAccounts(a *txtar.Archive, w *World) error {
	h := parseHeader(a.Comment)
	w.Bots, w.Mannequins = h.list("bots"), h.list("mannequins")
	return h.done()
}

func parseRepo(dir string, a *txtar.Archive) (*Repo, error) {
	h := parseHeader(a.Comment)
	r := &Repo{
		ID: int64(h.number("id")), Stars: h.number("stars"), License: h.text("license"), Language: h.text("language"),
		Description: h.text("description"), DefaultBranch: cmp.Or(h.text("default-branch"), "main"),
		Branches:  h.list("branches"),
		CreatedAt: h.time("created"), Access: Access(cmp.Or(h.text("access"), string(Public))),
		FormerNames: h.list("former-names"),
		IsArchived:  h.text("archived") == "true", IsFork: h.text("fork") == "true", IsEmpty: len(a.Files) == 0,
	}
	r.Owner, r.Name = path.Split(dir)
	r.Owner = strings.TrimSuffix(r.Owner, "/")
	for _, f := range a.Files {
		e, err := parseEdit(Write, f.Name, f.Data)
		if err != nil {
			return nil, err
		}
		r.Files = append(r.Files, e)
	}
	return r, h.done()
}

func parsePull(number string, a *txtar.Archive) (*Pull, error) {
	h := parseHeader(a.Comment)
	p := &Pull{
		Title: h.text("title"), Author: h.text("author"), CreatedAt: h.time("created"), ClosedAt: h.time("closed"),
		Method: MergeMethod(cmp.Or(h.text("method"), string(Squash))), ClosedBy: h.text("by"), Labels: h.list("labels"),
		EditedAt: h.time("edited"),
		Base:     h.text("base"), HeadRef: h.text("head"), IsDraft: h.text("draft") == "true",
		CrossRepo: h.text("fork") == "true",
	}
	purged := h.text("purged")
	p.IsPurged, p.BaseGone = purged == "true", purged == "branch"
	crlf := h.text("crlf") == "true"
	var err error
	if p.Number, err = strconv.Atoi(number); err != nil {
		return nil, fmt.Errorf("a pull request's file is named NUMBER.txtar: %w", err)
	}
	for _, f := range a.Files {
		switch f.Name {
		case "body":
			p.Body = strings.TrimSuffix(string(f.Data), "\n")
		case "first body":
			p.FirstBody = strings.TrimSuffix(string(f.Data), "\n")
		case "talk":
			p.Talk, err = parseTalk(string(f.Data))
		default:
			err = p.parseStep(f)
		}
		if err != nil {
			return nil, fmt.Errorf("section %q: %w", f.Name, err)
		}
	}
	if crlf {
		p.Body = strings.ReplaceAll(p.Body, "\n", "\r\n")
		for i := range p.Talk {
			p.Talk[i].Body = strings.ReplaceAll(p.Talk[i].Body, "\n", "\r\n")
		}
	}
	return p, h.done()
}

// parseStep reads a section "STEP KIND PATH" and adds it to its step.
func (p *Pull) parseStep(f txtar.File) error {
	parts := strings.SplitN(f.Name, " ", 3)
	n, err := strconv.Atoi(parts[0])
	if err != nil || len(parts) < 2 || n < 1 || n > len(p.Steps)+1 {
		return fmt.Errorf("a section is named body, talk or STEP KIND PATH, steps in order")
	}
	if n > len(p.Steps) {
		p.Steps = append(p.Steps, Step{})
	}
	step := &p.Steps[n-1]
	switch parts[1] {
	case "message":
		step.Message = strings.TrimSpace(string(f.Data))
		return nil
	case "merge":
		step.MergeBase = true
		return nil
	case "force":
		step.Force = true
		return nil
	}
	if len(parts) < 3 {
		return fmt.Errorf("no path")
	}
	e, err := parseEdit(EditKind(parts[1]), parts[2], f.Data)
	step.Edits = append(step.Edits, e)
	return err
}
