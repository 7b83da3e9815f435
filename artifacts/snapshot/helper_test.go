package snapshot

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/klauspost/compress/zstd"

	"github.com/prforge/prforge/internal/testenv"
)

// objects are a Source in memory.
type objects map[string]made

type made struct {
	kind string
	raw  []byte
}

func (o objects) add(kind, raw string) string {
	id := plumbing.ComputeHash(kinds[kind], []byte(raw)).String()
	o[id] = made{kind, []byte(raw)}
	return id
}

func (o objects) blob(text string) string { return o.add(kindFile, text) }

// line is an entry of a tree: mode, name, id.
type line [3]string

func (o objects) tree(entries ...line) string {
	var b strings.Builder
	for _, e := range entries {
		id := plumbing.NewHash(e[2])
		fmt.Fprintf(&b, "%s %s\x00%s", e[0], e[1], id[:])
	}
	return o.add(kindTree, b.String())
}

// commit makes a commit of so many minutes after the beginning of 2026.
func (o objects) commit(minute int, tree string, parents ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "tree %s\n", tree)
	for _, p := range parents {
		fmt.Fprintf(&b, "parent %s\n", p)
	}
	when := time.Date(2026, 1, 1, 0, minute, 0, 0, time.UTC).Unix()
	fmt.Fprintf(&b, "author a <a@example.org> %d +0000\ncommitter c <c@example.org> %d +0000\n\nminute %d\n", when, when, minute)
	return o.add(kindCommit, b.String())
}

func (o objects) Need(_ context.Context, kind string, ids []string) (map[string]int64, error) {
	sizes := map[string]int64{}
	for _, id := range ids {
		if m, ok := o[id]; ok && m.kind == kind {
			sizes[id] = int64(len(m.raw))
		}
	}
	return sizes, nil
}

func (o objects) Objects(_ context.Context, ids []string, each func(id, kind string, size int64, body io.Reader) error) error {
	for _, id := range ids {
		m, ok := o[id]
		if !ok {
			return fmt.Errorf("asked for %s, which is not there", id)
		}
		if err := each(id, m.kind, int64(len(m.raw)), bytes.NewReader(m.raw)); err != nil {
			return err
		}
	}
	return nil
}

// small is a change of one file between two commits.
func (o objects) small() Record {
	base := o.commit(0, o.tree(line{"100644", "a.txt", o.blob("one\n")}))
	head := o.commit(1, o.tree(line{"100644", "a.txt", o.blob("two\n")}), base)
	return Record{TaskID: "small__1", Head: head, Base: base, Shallow: []string{base}}
}

// planned plans records and fails the test where one has a problem.
func planned(t testing.TB, from Source, records ...Record) *Plan {
	t.Helper()
	p, err := NewPlan(t.Context(), "o/r", records, from, DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range p.Header.Records {
		if r.Problem != "" {
			t.Fatalf("%s: %s: %s", r.TaskID, r.Problem, r.Detail)
		}
	}
	return p
}

// written is the file of a plan.
func written(t testing.TB, p *Plan) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func unpacked(t testing.TB, file []byte) []byte {
	t.Helper()
	d, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	raw, err := d.DecodeAll(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func repacked(t testing.TB, raw []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := newEncoder(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(raw); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// repo is a repository of git's, with a clock that moves a minute a command.
type repo struct {
	t      testing.TB
	dir    string
	minute int
}

func newRepo(t testing.TB) *repo {
	t.Helper()
	testenv.Tool(t, "git")
	r := &repo{t: t, dir: t.TempDir()}
	r.git("init", "-q", "--initial-branch=main")
	return r
}

func (r *repo) git(args ...string) string {
	r.t.Helper()
	r.minute++
	at := time.Date(2026, 1, 1, 0, r.minute, 0, 0, time.UTC).Format(time.RFC3339)
	return git(r.t, r.dir, []string{
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=c", "GIT_COMMITTER_EMAIL=c@example.org",
		"GIT_AUTHOR_DATE=" + at, "GIT_COMMITTER_DATE=" + at,
	}, args...)
}

// git runs git without the configuration of user and machine.
func git(t testing.TB, dir string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") }),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1")
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSuffix(string(out), "\n")
}

func (r *repo) write(name, text string) {
	r.t.Helper()
	full := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// commit commits the work tree.
func (r *repo) commit(message string) string {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", message)
	return r.git("rev-parse", "HEAD")
}

// Need and Objects make it a Source.
func (r *repo) Need(_ context.Context, kind string, ids []string) (map[string]int64, error) {
	sizes := map[string]int64{}
	for _, id := range ids {
		if r.git("cat-file", "-t", id) == kind {
			var size int64
			if _, err := fmt.Sscan(r.git("cat-file", "-s", id), &size); err != nil {
				return nil, err
			}
			sizes[id] = size
		}
	}
	return sizes, nil
}

func (r *repo) Objects(_ context.Context, ids []string, each func(id, kind string, size int64, body io.Reader) error) error {
	for _, id := range ids {
		kind := r.git("cat-file", "-t", id)
		cmd := exec.Command("git", "cat-file", kind, id)
		cmd.Dir = r.dir
		raw, err := cmd.Output()
		if err == nil {
			err = each(id, kind, int64(len(raw)), bytes.NewReader(raw))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkedOut makes a checkout of a record and gives its folder.
func checkedOut(t testing.TB, from Source, r Record) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "checkout")
	file := written(t, planned(t, from, r))
	if _, err := Checkout(t.Context(), bytes.NewReader(file), r.TaskID, dir, DefaultLimits()); err != nil {
		t.Fatal(err)
	}
	return dir
}
