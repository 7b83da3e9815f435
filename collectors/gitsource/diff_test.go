package gitsource_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/unidiff"
)

// oddities makes a commit and a child that changes every odd kind of file.
func oddities(o *origin) (base, head string) {
	o.write("moved from.py", numbered(30))
	o.write("script.sh", "echo\n")
	o.write("link-me.py", "x = 1\n")
	o.write("latin1.py", "# caf\xe9\nx = 1\n")
	o.write("utf16.py", "\xff\xfex\x00\n\x00")
	o.write("quo\"te é.py", "x = 1\n")
	o.write("new\nline.py", "x = 1\n")
	o.write("empty.py", "")
	o.write("no-eol.py", "a\nb")
	o.write("lone\tcr.py", "a\rb\r\nc\x0cd\xe2\x80\xa8e\n")
	o.write("sql.py", "-- a comment\n++ b\n@@ -1 +1 @@\nx\n")
	o.write("folder/file.py", "x = 1\n")
	o.write("mod.py", "def f():\n"+strings.Repeat("    x = 1\n", 9)+"    return x\n")
	o.git("update-index", "--add", "--cacheinfo", "160000,"+gone+",sub")
	base = o.commitIndex()
	for _, name := range []string{"latin1.py", "quo\"te é.py", "new\nline.py", "no-eol.py"} {
		o.write(name, "y = 2\n")
	}
	o.write("lone\tcr.py", "a\rB\r\nc\x0cd\xe2\x80\xa8e\n")
	o.write("sql.py", "++ a comment\n-- b\n@@ -2 +2 @@\nx\n")
	o.write("utf16.py", "\xff\xfey\x00\n\x00")
	o.write("pic.png", "\x89PNG\x00\x01")
	o.write("added-empty.py", "")
	o.git("mv", "moved from.py", "moved to.py")
	o.write("moved to.py", strings.Replace(numbered(30), "line c", "line C", 1))
	if err := os.Chmod(filepath.Join(o.dir, "script.sh"), 0o755); err != nil {
		o.t.Fatal(err)
	}
	for _, name := range []string{"link-me.py", "empty.py", "folder/file.py", "folder"} {
		if err := os.Remove(filepath.Join(o.dir, name)); err != nil {
			o.t.Fatal(err)
		}
	}
	if err := os.Symlink("mod.py", filepath.Join(o.dir, "link-me.py")); err != nil {
		o.t.Fatal(err)
	}
	o.write("folder", "now a file\n")
	o.write("mod.py", "def f():\n"+strings.Repeat("    x = 1\n", 9)+"    return y\n")
	o.git("update-index", "--add", "--cacheinfo", "160000,"+strings.Replace(gone, "1", "2", 1)+",sub")
	return base, o.commitIndex()
}

// commitIndex commits the work tree but leaves the submodule alone, which has
// no folder.
func (o *origin) commitIndex() string {
	o.git("add", "-A", "--", ".", ":!sub")
	o.git("commit", "-q", "-m", "odd")
	return o.rev("HEAD")
}

func TestDiffOfOddFiles(t *testing.T) {
	o := newOrigin(t)
	base, head := oddities(o)
	repo := o.open(options())
	got, err := repo.Diff(t.Context(), base, head)
	if err != nil {
		t.Fatal(err)
	}
	o.write(".git/info/attributes", "*.py diff=python\n")
	if want := o.diff(base, head); string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	parsed, err := unidiff.Parse(string(got))
	if err != nil {
		t.Fatal(err)
	}
	if len(parsed.Files) < 15 {
		t.Errorf("%d files in the diff", len(parsed.Files))
	}
	found, err := repo.ForkPoint(t.Context(), merged{head: head, baseRef: base}.pull(), string(got))
	if err != nil || found.ForkPoint != base || !found.Verified {
		t.Errorf("fork point %+v, %v", found, err)
	}
}

// The diff that is the fallback for GitHub's applies to the base and gives the
// head.
func TestDiffApplies(t *testing.T) {
	o := newOrigin(t)
	base := start(o)
	head := o.rev("topic")
	got, err := o.open(options()).Diff(t.Context(), base, head)
	if err != nil {
		t.Fatal(err)
	}
	o.git("read-tree", base)
	o.gitIn(string(got), "apply", "--cached", "-")
	if tree := strings.TrimSpace(o.git("write-tree")); tree != o.rev(head+"^{tree}") {
		t.Errorf("applying gives tree %s", tree)
	}
}

func TestDiffTooLarge(t *testing.T) {
	o := newOrigin(t)
	base := start(o)
	opts := options()
	opts.MaxOutput = 300
	if _, err := o.open(opts).Diff(t.Context(), base, o.rev("topic")); !errors.Is(err, gitsource.ErrTooLarge) {
		t.Errorf("error %v", err)
	}
}

func TestRevisionDiff(t *testing.T) {
	o := newOrigin(t)
	o.write("a.py", numbered(30))
	o.write("same.py", "x = 1\n")
	o.write("gone.py", "completely = 'different'\n")
	o.write("other.py", "x = 2\n")
	from := o.commit("one")
	o.git("mv", "a.py", "pkg-a.py")
	o.write("pkg-a.py", "# first\n"+numbered(30))
	o.write("other.py", "x = 3\n")
	o.write("unrelated.py", numbered(3))
	o.git("rm", "-q", "gone.py")
	to := o.commit("two")
	repo := o.open(options())

	got, err := repo.RevisionDiff(t.Context(), from, to, []string{"same.py", "gone.py", "a.py", "a.py", "never.py"})
	if err != nil || got.Problem != "" {
		t.Fatal(got.Problem, err)
	}
	parsed, err := unidiff.Parse(got.Text)
	if err != nil {
		t.Fatal(err)
	}
	if len(parsed.Files) != 2 || strings.Join(got.Paths, " ") != "a.py gone.py never.py same.py" {
		t.Errorf("paths %q, text\n%s", got.Paths, got.Text)
	}
	f := parsed.Old("a.py")
	if f == nil || !f.IsRename || f.NewPath != "pkg-a.py" {
		t.Fatalf("the rename was not followed:\n%s", got.Text)
	}
	if line, ok := f.ToNew(5); !ok || line != 6 {
		t.Errorf("line 5 went to %d, %v", line, ok)
	}
	// GitHub may name a thread by the new path.
	got, err = repo.RevisionDiff(t.Context(), from, to, []string{"pkg-a.py"})
	if err != nil || !strings.Contains(got.Text, "rename from a.py") {
		t.Errorf("by the new path: %v\n%s", err, got.Text)
	}
	got, err = repo.RevisionDiff(t.Context(), from, to, []string{"same.py"})
	if err != nil || got.Text != "" || got.Problem != "" {
		t.Errorf("nothing changed: %+v, %v", got, err)
	}
	for _, oid := range []string{gone, "", "--output=/tmp/x"} {
		got, err = repo.RevisionDiff(t.Context(), oid, to, []string{"a.py"})
		if err != nil || got.Problem == "" || got.Text != "" {
			t.Errorf("commit %q: %+v, %v", oid, got, err)
		}
	}
}
