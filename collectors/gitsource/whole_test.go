package gitsource_test

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/collectors/gitsource"
)

// merge merges commits into the branch that is checked out and gives the merge.
func (o *origin) merge(commits ...string) string {
	o.t.Helper()
	o.git(append([]string{"merge", "-q", "--no-ff", "-m", "merge"}, commits...)...)
	return o.rev("HEAD")
}

// on checks a branch out, made at a commit where one is given.
func (o *origin) on(branch string, at ...string) {
	o.t.Helper()
	if len(at) > 0 {
		o.git(append([]string{"checkout", "-q", "-b", branch}, at...)...)
		return
	}
	o.git("checkout", "-q", branch)
}

// TestEnds: whatever was merged into what, the ends are the commits of the base
// branch that commits of the pull request have as parents, and a server and a mirror
// say the same.
func TestEnds(t *testing.T) {
	o := newOrigin(t)
	m0 := o.change("main", "0")
	m1 := o.change("main", "1")
	o.on("simple", m0)
	o.change("simple", "1")
	simple := o.change("simple", "2")

	o.on("merged", m0)
	o.change("merged", "1")
	o.merge(m1)
	merged := o.change("merged", "2")

	// The base branch and the pull request's have merged each other: two merge bases.
	o.on("crossed", m0)
	c1 := o.change("crossed", "1")
	o.on("main")
	o.merge(c1)
	m3 := o.change("main", "3")
	o.on("crossed")
	o.merge(m1)
	crossed := o.change("crossed", "2")

	for name, tc := range map[string]struct {
		head, base, upstream string
		limit                int
		want                 []string
		err                  error
	}{
		"simple":                   {head: simple, base: m0, upstream: m3, want: []string{m0}},
		"base merged in":           {head: merged, base: m1, upstream: m3, want: []string{m0, m1}},
		"several merge bases":      {head: crossed, base: m1, upstream: m3, want: []string{c1, m1}},
		"the other merge base":     {head: crossed, base: c1, upstream: m3, want: []string{c1, m1}},
		"upstream has the head":    {head: simple, base: m0, upstream: simple, want: []string{m0}},
		"upstream before the fork": {head: merged, base: m1, upstream: m0, want: []string{m0, m1}},
		"no upstream":              {head: simple, base: m0, upstream: strings.Repeat("1", 40), want: []string{m0}},
		"no head":                  {head: strings.Repeat("1", 40), base: m0, upstream: m3, err: gitsource.ErrAbsent},
		"no base":                  {head: simple, base: strings.Repeat("1", 40), upstream: m3, err: gitsource.ErrAbsent},
		"base is the head":         {head: simple, base: simple, upstream: m3, err: gitsource.ErrUnrelated},
		"base is no ancestor":      {head: simple, base: m1, upstream: m3, err: gitsource.ErrUnrelated},
		"as many as may be":        {head: simple, base: m0, upstream: m3, limit: 2, want: []string{m0}},
		"one too many":             {head: simple, base: m0, upstream: m3, limit: 1, err: gitsource.ErrTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			limit := max(tc.limit, 1000*(1-min(tc.limit, 1)))
			slices.Sort(tc.want)
			for where, r := range map[string]*gitsource.Repo{"server": o.open(options()), "mirror": mirrored(t, o.dir)} {
				got, err := r.Ends(t.Context(), tc.head, tc.base, tc.upstream, limit)
				if !slices.Equal(got, tc.want) || !errors.Is(err, tc.err) {
					t.Errorf("%s: %v, %v; want %v, %v", where, got, err, tc.want, tc.err)
				}
				r.Close()
			}
		})
	}
}

func mirrored(t *testing.T, dir string) *gitsource.Repo {
	t.Helper()
	m, err := gitsource.OpenMirror(t.Context(), dir, options())
	if err != nil {
		t.Fatal(err)
	}
	return m.Objects()
}

// TestNeed: trees come with what is below them, files in one transfer, and what is
// here is not fetched again.
func TestNeed(t *testing.T) {
	o := newOrigin(t)
	o.write("a/b/c.txt", "deep")
	o.write("top.txt", "top")
	head := o.change("other.txt", "other")
	root := o.rev(head + "^{tree}")
	files := strings.Fields(o.git("ls-tree", "-r", "--format=%(objectname)", head))
	folders := strings.Fields(o.git("ls-tree", "-r", "-d", "--format=%(objectname)", head))
	absent := strings.Repeat("1", 40)
	r := o.open(options())
	defer r.Close()
	if _, err := r.FetchCommits(t.Context(), []string{head}); err != nil {
		t.Fatal(err)
	}
	need := func(kind string, transfers int, ids ...string) map[string]int64 {
		t.Helper()
		before := r.Stats().Fetches
		sizes, err := r.Need(t.Context(), kind, ids)
		if err != nil {
			t.Fatal(err)
		}
		if n := r.Stats().Fetches - before; n > transfers {
			t.Errorf("%d transfers for %ss, want at most %d", n, kind, transfers)
		}
		return sizes
	}
	need("tree", 1, root)
	if sizes := need("tree", 0, folders...); len(sizes) != 2 {
		t.Errorf("folders %v", sizes)
	}
	want := map[string]int64{o.rev(head + ":top.txt"): 3, o.rev(head + ":other.txt"): 5, o.rev(head + ":a/b/c.txt"): 4}
	if sizes := need("blob", 2, append(files, absent)...); !maps.Equal(sizes, want) { // one is refused and asked without
		t.Errorf("files %v, want %v", sizes, want)
	}
	need("blob", 0, files...)
	if sizes := need("blob", 1, root); len(sizes) != 0 {
		t.Errorf("a tree as a file: %v", sizes)
	}
	if sizes := need("commit", 0, head, absent); len(sizes) != 1 {
		t.Errorf("commits %v", sizes)
	}
}

// TestObjects: each object in its order, whether it is read or not; an error of the
// function is given back as it is, and the next question has its answer.
func TestObjects(t *testing.T) {
	o := newOrigin(t)
	o.write("a", "first")
	head := o.change("b", strings.Repeat("second", 100_000))
	a, b := o.rev(head+":a"), o.rev(head+":b")
	r := mirrored(t, o.dir)
	defer r.Close()
	ours := errors.New("ours")
	err := r.Objects(t.Context(), []string{b, a}, func(string, string, int64, io.Reader) error { return ours })
	if !errors.Is(err, ours) || errors.Is(err, gitsource.ErrCorrupt) {
		t.Errorf("error %v", err)
	}
	var got []string
	err = r.Objects(t.Context(), []string{b, a, head, b}, func(id, kind string, size int64, body io.Reader) error {
		text := ""
		if id == a {
			data, err := io.ReadAll(body)
			if err != nil {
				return err
			}
			text = string(data)
		}
		got = append(got, kind+" "+text)
		return nil
	})
	if want := []string{"blob ", "blob first", "commit ", "blob "}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

// TestMirrorIsLeftAlone: nothing is fetched to a mirror, written to it or removed
// from it, damaged or not.
func TestMirrorIsLeftAlone(t *testing.T) {
	o := newOrigin(t)
	base := o.change("a", "1")
	head := o.change("a", "2")
	look := func(r *gitsource.Repo, damaged bool) {
		t.Helper()
		before := listing(t, o.dir)
		if _, err := r.Ends(t.Context(), head, base, head, 10); (err != nil) != damaged {
			t.Errorf("damaged %t, error %v", damaged, err)
		}
		if sizes, err := r.Need(t.Context(), "blob", []string{strings.Repeat("1", 40)}); len(sizes) > 0 || err != nil {
			t.Errorf("%v, %v", sizes, err)
		}
		r.Close()
		if after := listing(t, o.dir); !slices.Equal(before, after) {
			t.Errorf("the mirror has other files:\n%v\n%v", before, after)
		}
	}
	fine, damaged := mirrored(t, o.dir), mirrored(t, o.dir)
	look(fine, false)
	object := filepath.Join(o.dir, ".git", "objects", base[:2], base[2:])
	if err := os.Chmod(object, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(object, []byte("damaged"), 0o644); err != nil {
		t.Fatal(err)
	}
	look(damaged, true)
}

func listing(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		out = append(out, path+" "+info.ModTime().String())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
