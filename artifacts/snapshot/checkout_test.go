package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/internal/testenv"
)

// unusual is a pull request with whatever git can hold, and attributes that would
// change files in a checkout of git's own.
func unusual(t *testing.T) (*repo, Record) {
	r := newRepo(t)
	r.write(".git/info/attributes", gitAttributes) // git keeps the bytes as they are
	r.write("a.txt", "one\ntwo\n")
	r.write("tool.sh", "#!/bin/sh\n")
	r.write("same/x", "#!/bin/sh\n")
	base := r.commit("base")
	r.git("checkout", "-q", "-b", "topic", base)
	r.write(".gitattributes", "*.txt text eol=crlf\n*.utf16 working-tree-encoding=UTF-16\n*.id ident\n*.bin filter=lfs diff=lfs -text\n*.auto text=auto\n")
	r.write("a.txt", "one\nthree\n")
	r.write("crlf.auto", "a\r\nb\r\n")
	r.write("word.utf16", "text\n")
	r.write("some.id", "$Id$\n")
	r.write("large.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:"+strings.Repeat("0", 64)+"\nsize 1\n")
	r.write("empty", "")
	r.write("also/empty", "")
	r.write("späce \"quoted\"\ttab", "name\n")
	r.write("x.java", "class A {\n    void f() {\n        g();\n    }\n}\n")
	r.git("add", "-A")
	if err := os.Symlink("../../etc/passwd", filepath.Join(r.dir, "outside")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("same", filepath.Join(r.dir, "folder")); err != nil {
		t.Fatal(err)
	}
	r.git("update-index", "--add", "--chmod=+x", "tool.sh")
	r.git("update-index", "--add", "--cacheinfo", "160000,"+base+",sub/module")
	r.git("add", "outside", "folder")
	r.git("commit", "-q", "-m", "unusual")
	middle := r.git("rev-parse", "HEAD")
	r.git("checkout", "-q", "-f", "main")
	r.write("main.txt", "main\n")
	later := r.commit("main goes on")
	r.git("checkout", "-q", "-f", "topic")
	r.git("merge", "-q", "--no-edit", "main")
	head := r.git("rev-parse", "HEAD")
	if r.git("rev-list", "--count", head, "--not", later) != "2" || middle == head {
		t.Fatal("the history is not as it should be")
	}
	ends := []string{base, later}
	if later < base {
		ends = []string{later, base}
	}
	return r, Record{TaskID: "r__1", Head: head, Base: later, Shallow: ends}
}

// TestCheckout_Git: git finds nothing wrong, nothing changed and nothing more, with
// whatever the user configured.
func TestCheckout_Git(t *testing.T) {
	r, record := unusual(t)
	dir := checkedOut(t, r, record)
	run := func(args ...string) string { t.Helper(); return git(t, dir, nil, args...) }
	user := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(user, []byte("[core]\n\tautocrlf = true\n\teol = crlf\n[status]\n\tshowUntrackedFiles = all\n[filter \"lfs\"]\n\tclean = false\n\trequired = true\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := run("diff-files", "--raw"); got != "" { // before anything looks at the files and notes what it saw
		t.Errorf("diff-files: %s", got)
	}
	for what, got := range map[string]string{
		"fsck":             run("fsck", "--full", "--strict"),
		"status":           run("status", "--porcelain", "--ignored"),
		"status of a user": git(t, dir, []string{"GIT_CONFIG_GLOBAL=" + user}, "status", "--porcelain", "--ignored"),
		"remote":           run("remote", "-v"),
		"reflog":           run("reflog"),
		"stash":            run("stash", "list"),
		"notes":            run("notes", "list"),
	} {
		if got != "" {
			t.Errorf("%s: %s", what, got)
		}
	}
	for what, pair := range map[string][2]string{
		"HEAD":    {run("rev-parse", "HEAD"), record.Head},
		"base":    {run("rev-parse", BaseBranch), record.Base},
		"refs":    {run("for-each-ref", "--format=%(refname)"), "refs/heads/" + BaseBranch},
		"diff":    {run("diff", "base...HEAD"), r.git("-c", "core.abbrev=11", "diff", record.Base, record.Head)},
		"tree":    {run("ls-tree", "-r", "-t", "HEAD"), r.git("ls-tree", "-r", "-t", record.Head)},
		"log":     {run("log", "--format=%H", "--no-merges", "^"+BaseBranch, "HEAD", "^"+r.git("merge-base", record.Base, "topic~1")), r.git("log", "--format=%H", "--no-merges", "main..topic")},
		"objects": {run("rev-list", "--objects", "--all", "HEAD", "--count"), strconv.Itoa(len(strings.Fields(run("cat-file", "--batch-all-objects", "--batch-check=%(objectname)"))))},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s is %s\nand not %s", what, pair[0], pair[1])
		}
	}
	if !strings.Contains(run("blame", "a.txt"), "three") {
		t.Error("blame does not show the line")
	}
	run("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-q", "--allow-empty", "-m", "an agent may commit")
}

// TestCheckout_Bytes: files have the bytes that git keeps, modes and links are as
// they should be, and submodules are empty folders.
func TestCheckout_Bytes(t *testing.T) {
	r, record := unusual(t)
	dir := checkedOut(t, r, record)
	for name, want := range map[string]string{
		"a.txt": "one\nthree\n", "crlf.auto": "a\r\nb\r\n", "some.id": "$Id$\n", "empty": "", "also/empty": "",
		"same/x": "#!/bin/sh\n", "tool.sh": "#!/bin/sh\n", "main.txt": "main\n",
	} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
	for name, want := range map[string]fs.FileMode{"tool.sh": 0o100, "same/x": 0} {
		info, err := os.Lstat(filepath.Join(dir, name))
		if err != nil || info.Mode()&0o100 != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	for name, want := range map[string]string{"outside": "../../etc/passwd", "folder": "same"} {
		if got, err := os.Readlink(filepath.Join(dir, name)); err != nil || got != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if entries, err := os.ReadDir(filepath.Join(dir, "sub", "module")); err != nil || len(entries) > 0 {
		t.Errorf("submodule: %v, %v", entries, err)
	}
}

// TestCheckout_Repeated: two checkouts have the same bytes and times, and one that
// is moved or copied is still clean.
func TestCheckout_Repeated(t *testing.T) {
	r, record := unusual(t)
	a, b := checkedOut(t, r, record), checkedOut(t, r, record)
	if d := cmp.Diff(contents(t, a), contents(t, b)); d != "" {
		t.Error(d)
	}
	copied := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(copied, os.DirFS(a)); err != nil {
		t.Fatal(err)
	}
	if got := git(t, copied, nil, "status", "--porcelain"); got != "" {
		t.Errorf("a copy is not clean:\n%s", got)
	}
}

// contents are the bytes and times of all files but the index, which notes when
// links were made.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || e.Name() == "index" {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		all[rel] = string(data)
		if !strings.HasPrefix(rel, ".git") {
			all[rel] += info.ModTime().UTC().String()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestCheckout_Dates: no date that a commit may have keeps it from being checked
// out.
func TestCheckout_Dates(t *testing.T) {
	testenv.Tool(t, "git")
	for _, date := range []string{"0", "1", "4294967296", "253402300800", "99999999999999999"} {
		o := objects{}
		tree := o.tree(line{"100644", "a", o.blob("a\n")})
		base := o.commit(0, tree)
		head := o.add(kindCommit, "tree "+o.tree(line{"100644", "a", o.blob("b\n")})+"\nparent "+base+"\nauthor a <a@example.org> "+date+" +0000\ncommitter c <c@example.org> "+date+" +0000\n\nx\n")
		dir := checkedOut(t, o, Record{TaskID: "r__1", Head: head, Base: base, Shallow: []string{base}})
		if got := git(t, dir, nil, "status", "--porcelain"); got != "" {
			t.Errorf("%s: %s", date, got)
		}
	}
}

// TestCheckout_Target: a folder with something in it is left alone, an empty one
// is taken, and after an error nothing is left behind.
func TestCheckout_Target(t *testing.T) {
	o := objects{}
	record := o.small()
	file := written(t, planned(t, o, record))
	parent := t.TempDir()
	dir := filepath.Join(parent, "d")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	checkout := func(file []byte, task string) error {
		figures, err := Checkout(t.Context(), bytes.NewReader(file), task, dir, DefaultLimits())
		if err == nil && (figures == nil || figures.TaskID != task) {
			t.Errorf("the figures of %s: %+v", task, figures)
		}
		return err
	}
	if err := checkout(file, "other__1"); !errors.Is(err, ErrNoTask) {
		t.Errorf("no such task: %v", err)
	}
	if err := checkout(file[:len(file)-20], record.TaskID); !errors.Is(err, ErrDamaged) {
		t.Errorf("a damaged file: %v", err)
	}
	if err := checkout(file, record.TaskID); err != nil {
		t.Errorf("an empty folder: %v", err)
	}
	if err := checkout(file, record.TaskID); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a folder that is not empty: %v", err)
	}
	if entries, err := os.ReadDir(parent); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// TestCheckout_Problem: a record without a snapshot says why.
func TestCheckout_Problem(t *testing.T) {
	o := objects{}
	good := o.small()
	p := planned(t, o, good)
	p.Header.Records = append(p.Header.Records, Record{TaskID: "z__1", Head: good.Head, Base: good.Base, Problem: ObjectsAbsent, Detail: "file x is not available"})
	_, err := Checkout(t.Context(), bytes.NewReader(written(t, p)), "z__1", filepath.Join(t.TempDir(), "d"), DefaultLimits())
	if !errors.Is(err, ErrNoTask) || !strings.Contains(err.Error(), "file x is not available") {
		t.Errorf("error %v", err)
	}
}

// TestCheckout_Links: no link leads a file out of the work tree or into .git, and
// one that nobody can make is an error.
func TestCheckout_Links(t *testing.T) {
	outside := t.TempDir()
	o := objects{}
	base := o.commit(0, o.tree())
	file := o.blob("text\n")
	evil := o.commit(1, o.tree(
		line{"120000", "a", o.blob(outside)}, line{"120000", "b", o.blob(".git")}, line{"120000", "c", o.blob("../../..")},
		line{"40000", "d", o.tree(line{"120000", "up", o.blob("../.git/hooks")}, line{"100644", "f", file})},
	), base)
	dir := checkedOut(t, o, Record{TaskID: "r__1", Head: evil, Base: base, Shallow: []string{base}})
	if entries, _ := os.ReadDir(outside); len(entries) > 0 {
		t.Errorf("outside: %v", entries)
	}
	if _, err := os.Lstat(filepath.Join(dir, ".git", "hooks")); err == nil {
		t.Error("something was written into .git")
	}
	long := o.commit(1, o.tree(line{"120000", "a", o.blob(strings.Repeat("x", 5000))}), base)
	p := planned(t, o, Record{TaskID: "r__1", Head: long, Base: base, Shallow: []string{base}})
	if _, err := Checkout(t.Context(), bytes.NewReader(written(t, p)), "r__1", filepath.Join(t.TempDir(), "d"), DefaultLimits()); err == nil {
		t.Error("a link to a name of 5,000 bytes was made")
	}
}

// TestProve: whatever git could find besides is noticed.
func TestProve(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, dir string){
		"nothing":             nil,
		"a reference":         func(t *testing.T, dir string) { git(t, dir, nil, "update-ref", "refs/heads/other", "HEAD") },
		"a tag":               func(t *testing.T, dir string) { git(t, dir, nil, "tag", "v1") },
		"a log of references": func(t *testing.T, dir string) { put(t, dir, ".git/logs/HEAD", "\n") },
		"packed references":   func(t *testing.T, dir string) { git(t, dir, nil, "pack-refs", "--all") },
		"a note": func(t *testing.T, dir string) {
			git(t, dir, []string{"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@x", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@x"}, "notes", "add", "-m", "x")
		},
		"a loose object": func(t *testing.T, dir string) {
			name := filepath.Join(t.TempDir(), "f")
			if err := os.WriteFile(name, []byte("later\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			git(t, dir, nil, "hash-object", "-w", name)
		},
		"an alternate": func(t *testing.T, dir string) { put(t, dir, ".git/objects/info/alternates", "/elsewhere\n") },
		"a remote": func(t *testing.T, dir string) {
			git(t, dir, nil, "remote", "add", "origin", "https://example.org/o/r.git")
		},
		"another pack":      func(t *testing.T, dir string) { put(t, dir, ".git/objects/pack/pack-1.pack", "PACK") },
		"FETCH_HEAD":        func(t *testing.T, dir string) { put(t, dir, ".git/FETCH_HEAD", "\n") },
		"a hook":            func(t *testing.T, dir string) { put(t, dir, ".git/hooks/post-checkout", "\n") },
		"another HEAD":      func(t *testing.T, dir string) { put(t, dir, ".git/HEAD", "ref: refs/heads/base\n") },
		"an end taken away": func(t *testing.T, dir string) { put(t, dir, ".git/shallow", "") },
		"a link to elsewhere": func(t *testing.T, dir string) {
			if err := os.Symlink("/elsewhere", filepath.Join(dir, ".git", "more")); err != nil {
				t.Fatal(err)
			}
		},
		"no index": func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, ".git", "index")); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := objects{}
			record := o.small()
			dir := checkedOut(t, o, record)
			if change != nil {
				change(t, dir)
			}
			file := written(t, planned(t, o, record))
			err := proved(bytes.NewReader(file), record.TaskID, dir, DefaultLimits())
			if (err != nil) != (change != nil) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// proved proves a checkout that is there already.
func proved(file io.Reader, taskID, dir string, l Limits) error {
	r, err := NewReader(file, l)
	if err != nil {
		return err
	}
	defer r.Close()
	record, span, err := r.record(taskID)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := newCheckout(r, record, span, root).prove(); err != nil {
		return fmt.Errorf("checkout of %s in %s: %w", taskID, dir, err)
	}
	return nil
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	full := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
