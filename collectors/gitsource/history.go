package gitsource

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// HistoryQuery selects a part of a default branch's later history.
type HistoryQuery struct {
	Since, Until time.Time // commits made in [Since, Until)
	// Want reports whether a commit is of interest, and returns the prefixes of commit ids that its message names.
	Want func(Commit) (refs []string, ok bool)
	// Change returns what a commit changes, and the lines whose origins are wanted.
	Change func(*unidiff.Diff) model.FixChange
}

// History reads the first-parent line of the default branch: the commits of
// interest with the units that brought in the lines they change.
func (m *Mirror) History(ctx context.Context, q HistoryQuery) (*model.LaterHistory, error) {
	h := &historyReader{m: m, out: &model.LaterHistory{Units: map[string]model.Unit{}, Commits: []model.LaterCommit{}}}
	line, err := m.firstParents(ctx, q)
	if err == nil {
		h.units, err = m.units(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("read the history of %s: %w", m.repo.dir, err)
	}
	for _, c := range line {
		h.out.Tip = c.Oid
		if refs, ok := q.Want(Commit{c.Oid, c.Subject, c.Body}); ok {
			if err := h.add(ctx, c, refs, q.Change); err != nil {
				return nil, fmt.Errorf("read what %s changes: %w", c.Oid, err)
			}
		}
	}
	return h.out, nil
}

// firstParents are the commits of the first-parent line, oldest first.
func (m *Mirror) firstParents(ctx context.Context, q HistoryQuery) ([]model.LaterCommit, error) {
	out, err := m.repo.git(ctx, nil, "log", "--no-patch", "--first-parent", "--reverse",
		"--format=%H%x00%ct%x00%s%x00%b%x01", "HEAD", "--")
	if err != nil {
		return nil, err
	}
	var line []model.LaterCommit
	for text := range strings.SplitSeq(string(out), "\x01") {
		parts := strings.SplitN(strings.TrimLeft(text, "\n"), "\x00", 4)
		if len(parts) < 4 {
			continue
		}
		seconds, err := strconv.ParseInt(parts[1], 10, 64)
		if err != nil {
			return nil, err
		}
		at := time.Unix(seconds, 0).UTC()
		if !at.Before(q.Since) && at.Before(q.Until) {
			line = append(line, model.LaterCommit{Oid: parts[0], Unit: model.Unit{Subject: parts[2], Body: parts[3], At: at}})
		}
	}
	return line, nil
}

// units maps every commit to the first-parent commit that brought it in.
func (m *Mirror) units(ctx context.Context) (map[string]string, error) {
	out, err := m.repo.git(ctx, nil, "rev-list", "--parents", "HEAD", "--")
	if err != nil {
		return nil, err
	}
	parents := map[string][]string{}
	var tip string
	for line := range strings.Lines(string(out)) {
		ids := strings.Fields(line)
		if tip == "" {
			tip = ids[0]
		}
		parents[ids[0]] = ids[1:]
	}
	var line []string
	units := make(map[string]string, len(parents))
	for at := tip; at != ""; {
		line, units[at] = append(line, at), at
		next := parents[at]
		at = ""
		if len(next) > 0 {
			at = next[0]
		}
	}
	for _, unit := range slices.Backward(line) {
		for todo := slices.Clone(parents[unit]); len(todo) > 0; {
			c := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if units[c] == "" {
				units[c] = unit
				todo = append(todo, parents[c]...)
			}
		}
	}
	return units, nil
}

// historyReader reads the history of one mirror.
type historyReader struct {
	m     *Mirror
	units map[string]string // by commit
	out   *model.LaterHistory
}

// add reads what a commit changes and where the lines come from.
func (h *historyReader) add(ctx context.Context, c model.LaterCommit, refs []string,
	change func(*unidiff.Diff) model.FixChange) error {
	d, err := h.m.diff(ctx, c.Oid+"^1", c.Oid)
	if lacking(err) {
		return nil // the first commit, or one too large to be a fix
	}
	if err != nil {
		return err
	}
	c.Change = change(d)
	if err := h.blame(ctx, &c); err != nil {
		return err
	}
	for _, ref := range refs {
		full, err := h.m.repo.git(ctx, nil, "rev-parse", "--verify", "--quiet", ref+"^{commit}")
		if lacking(err) {
			continue
		}
		if err != nil {
			return err
		}
		if unit := h.units[strings.TrimSpace(string(full))]; unit != "" {
			if c.Refs == nil {
				c.Refs = map[string]string{}
			}
			c.Refs[ref] = unit
			if err := h.unit(ctx, unit); err != nil {
				return err
			}
		}
	}
	h.out.Commits = append(h.out.Commits, c)
	return nil
}

// unit notes a unit that something refers to.
func (h *historyReader) unit(ctx context.Context, oid string) error {
	if _, known := h.out.Units[oid]; known {
		return nil
	}
	out, err := h.m.repo.git(ctx, nil, "log", "-1", "--no-patch", "--format=%ct%x00%s%x00%b", oid, "--")
	if err != nil {
		return err
	}
	parts := strings.SplitN(string(out), "\x00", 3)
	seconds, err := strconv.ParseInt(parts[0], 10, 64)
	if err != nil {
		return err
	}
	h.out.Units[oid] = model.Unit{Subject: parts[1], Body: parts[2], At: time.Unix(seconds, 0).UTC()}
	return nil
}

// blame fills in who wrote the lines of a commit's first parent. Moved and copied
// lines are followed.
func (h *historyReader) blame(ctx context.Context, c *model.LaterCommit) error {
	byPath := map[string][]int{} // indexes of lines
	var paths []string
	for i, l := range c.Change.Lines {
		if byPath[l.Path] == nil {
			paths = append(paths, l.Path)
		}
		byPath[l.Path] = append(byPath[l.Path], i)
	}
	for _, path := range paths {
		args := []string{"blame", "--line-porcelain", "-w", "-M40", "-C40"}
		for _, i := range byPath[path] {
			n := strconv.Itoa(c.Change.Lines[i].Line)
			args = append(args, "-L"+n+","+n)
		}
		out, err := h.m.repo.git(ctx, nil, append(args, c.Oid+"^1", "--", path)...)
		if err != nil {
			return err
		}
		origins := readBlame(out)
		for _, i := range byPath[path] {
			l := &c.Change.Lines[i]
			o := origins[l.Line]
			l.Unit, l.From = h.units[o.commit], o.path
			if l.Unit != "" {
				if err := h.unit(ctx, l.Unit); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

type origin struct{ commit, path string }

var blameHeader = regexp.MustCompile(`^([0-9a-f]{40}) \d+ (\d+)`)

// readBlame reads git's line porcelain: the origin of each line.
func readBlame(out []byte) map[int]origin {
	origins := map[int]origin{}
	var commit string
	line := 0
	scanner := bufio.NewScanner(bytes.NewReader(out))
	scanner.Buffer(nil, len(out)+1)
	for scanner.Scan() {
		text := scanner.Text()
		if strings.HasPrefix(text, "\t") {
			commit = ""
			continue
		}
		if m := blameHeader.FindStringSubmatch(text); m != nil && commit == "" {
			commit = m[1]
			line, _ = strconv.Atoi(m[2])
		}
		if path, ok := strings.CutPrefix(text, "filename "); ok {
			origins[line] = origin{commit, path}
		}
	}
	return origins
}
