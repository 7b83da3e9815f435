package gitsource_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/unidiff"
)

// filesOf gives, by their paths, the files of a diff that have one of the paths.
func filesOf(t *testing.T, text []byte, paths []string) []*unidiff.File {
	t.Helper()
	d, err := unidiff.Parse(string(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var files []*unidiff.File
	for _, f := range d.Files {
		if slices.Contains(paths, f.OldPath) || slices.Contains(paths, f.NewPath) {
			files = append(files, f)
		}
	}
	slices.SortStableFunc(files, func(a, b *unidiff.File) int { return strings.Compare(a.Path(), b.Path()) })
	return files
}

// checkPathDiffs compares PathDiffs with the diff of the whole, and counts the
// renames among the paths.
func checkPathDiffs(t *testing.T, repo *gitsource.Repo, pairs []gitsource.Pair, paths []string) (renames int) {
	t.Helper()
	some, err := repo.PathDiffs(t.Context(), pairs, paths)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range pairs {
		whole, err := repo.Diff(t.Context(), p.From, p.To)
		if err != nil {
			t.Fatal(err)
		}
		want := filesOf(t, whole, paths)
		if d := cmp.Diff(want, filesOf(t, some[i].Text, paths)); d != "" || some[i].Err != nil {
			t.Errorf("%s and %s in %q: %s", p.From, p.To, paths, d)
		}
		for _, f := range want {
			if f.IsRename {
				renames++
			}
		}
	}
	return renames
}

// randomTree changes some files of a tree: it writes, edits, moves and removes them,
// and makes them executable, links, folders, binary or one in place of another. Few
// base names in many folders, and few families of contents, make files vie for each
// other's renames.
func randomTree(o *origin, rnd *rand.Rand, files map[string]string) {
	pick := func() string {
		var names []string
		for name := range files {
			names = append(names, name)
		}
		slices.Sort(names)
		return names[rnd.IntN(len(names))]
	}
	name := func() string {
		return fmt.Sprintf("d%d/%s", rnd.IntN(6), []string{"index.py", "util.java", "b.go", "x y.txt", "é.py"}[rnd.IntN(5)])
	}
	text := func() string {
		lines := strings.SplitAfter(strings.ReplaceAll(numbered(20+rnd.IntN(20)), "line", fmt.Sprint("family", rnd.IntN(4))), "\n")
		for range rnd.IntN(12) {
			lines[rnd.IntN(len(lines))] = fmt.Sprintf("own %d\n", rnd.IntN(1000))
		}
		return strings.Join(lines, "")
	}
	for len(files) < 4 {
		files[name()] = text()
	}
	for range 1 + rnd.IntN(4) {
		switch rnd.IntN(9) {
		case 0, 1:
			files[name()] = text()
		case 2:
			delete(files, pick())
		case 3, 4, 5: // moved, and edited or not
			from, to := pick(), name()
			moved := files[from]
			delete(files, from)
			files[to] = strings.Replace(moved, "x", strings.Repeat("z\n", rnd.IntN(8)), rnd.IntN(6))
		case 6:
			at := pick()
			files[at] = strings.Replace(files[at], "y", "Y\r\n", 1+rnd.IntN(3))
		case 7:
			at := pick()
			files[at] = []string{"\x00", "+x", "->index.py", "", "no end"}[rnd.IntN(5)] + files[at]
		case 8:
			a, b := pick(), pick()
			files[a], files[b] = files[b], files[a]
		}
	}
	if err := os.RemoveAll(filepath.Join(o.dir, "t")); err != nil {
		o.t.Fatal(err)
	}
	for name, body := range files {
		full := filepath.Join("t", name)
		o.write(full, body)
		var err error
		switch {
		case strings.HasPrefix(body, "+x"):
			err = os.Chmod(filepath.Join(o.dir, full), 0o755)
		case strings.HasPrefix(body, "->"):
			err = errors.Join(os.Remove(filepath.Join(o.dir, full)), os.Symlink(body[2:10], filepath.Join(o.dir, full)))
		}
		if err != nil {
			o.t.Fatal(err)
		}
	}
}

// The diff of some paths is, file by file, that of the whole: in random trees, from
// one base to one revision after the other as a branch has them, and in any order.
func TestPathDiffs(t *testing.T) {
	histories := 10
	if testing.Short() {
		histories = 2
	}
	renames := 0
	for seed := range histories {
		rnd := rand.New(rand.NewPCG(uint64(seed), 2))
		o := newOrigin(t)
		files := map[string]string{}
		var commits, paths []string
		seen := map[string]bool{}
		for i := range 14 {
			randomTree(o, rnd, files)
			for name := range files {
				seen["t/"+name] = true
			}
			commits = append(commits, o.commit(fmt.Sprint(i)))
		}
		for p := range seen {
			paths = append(paths, p)
		}
		slices.Sort(paths)
		rnd.Shuffle(len(paths), func(i, k int) { paths[i], paths[k] = paths[k], paths[i] })
		repo := o.open(options())
		var pairs []gitsource.Pair
		for _, to := range commits[1:] {
			pairs = append(pairs, gitsource.Pair{From: commits[0], To: to})
		}
		for range 6 {
			pairs = append(pairs, gitsource.Pair{From: commits[rnd.IntN(14)], To: commits[rnd.IntN(14)]})
		}
		for len(paths) > 0 {
			n := min(len(paths), 1+rnd.IntN(6))
			renames += checkPathDiffs(t, repo, pairs, paths[:n])
			paths = paths[n:]
		}
	}
	if renames < 20*histories {
		t.Errorf("%d renames in %d histories", renames, histories)
	}
}

// A file's rename depends on files that nobody asked for: on one that wins what went
// from it and then is gone, and on an unlike one that has its base name, without which
// git takes the only file of that name.
func TestPathDiffsDependOnOthers(t *testing.T) {
	lines := func(own int) string { // like those of 0 in all but own lines of 100
		body := strings.SplitAfter(strings.Repeat("0123456789abcde\n", 100), "\n")[:100]
		for i := range body {
			body[i] = fmt.Sprintf("line %2d of them\n", i)
			if i < own {
				body[i] = fmt.Sprintf("its %3d own %2d\n", own, i)
			}
		}
		return strings.Join(body, "")
	}
	for name, tc := range map[string]struct {
		base, one, two map[string]string
		was, is        string // where new/a.py comes from
	}{
		"a better one goes": {
			base: map[string]string{"s.py": lines(0)},
			one:  map[string]string{"new/a.py": lines(30), "new/b.py": lines(5)},
			two:  map[string]string{"new/a.py": lines(30)},
			is:   "s.py",
		},
		"a better one changes": {
			base: map[string]string{"s.py": lines(0)},
			one:  map[string]string{"new/a.py": lines(30), "new/b.py": lines(5)},
			two:  map[string]string{"new/a.py": lines(30), "new/b.py": lines(99)},
			is:   "s.py",
		},
		"a better one comes": {
			base: map[string]string{"s.py": lines(0)},
			one:  map[string]string{"new/a.py": lines(30)},
			two:  map[string]string{"new/a.py": lines(30), "new/b.py": lines(5)},
			was:  "s.py",
		},
		"an unlike one of its name comes": {
			base: map[string]string{"old/a.py": lines(20), "s.py": lines(0)},
			one:  map[string]string{"new/a.py": lines(5)},
			two:  map[string]string{"new/a.py": lines(5), "other/a.py": "x = 1\n"},
			was:  "old/a.py", is: "s.py",
		},
		"an unlike one of its name goes": {
			base: map[string]string{"old/a.py": lines(20), "s.py": lines(0)},
			one:  map[string]string{"new/a.py": lines(5), "other/a.py": "x = 1\n"},
			two:  map[string]string{"new/a.py": lines(5)},
			was:  "s.py", is: "old/a.py",
		},
		"an unlike one comes": {
			base: map[string]string{"s.py": lines(0)},
			one:  map[string]string{"new/a.py": lines(30)},
			two:  map[string]string{"new/a.py": lines(30), "x.py": "x = 1\n"},
			was:  "s.py", is: "s.py",
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOrigin(t)
			var pairs []gitsource.Pair
			var base string
			for _, files := range []map[string]string{tc.base, tc.one, tc.two} {
				o.git("rm", "-rq", "--ignore-unmatch", ".")
				for name, body := range files {
					o.write(name, body)
				}
				commit := o.commit("files")
				if base == "" {
					base = commit
					continue
				}
				pairs = append(pairs, gitsource.Pair{From: base, To: commit})
			}
			repo := o.open(options())
			some, err := repo.PathDiffs(t.Context(), pairs, []string{"new/a.py"})
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range []string{tc.was, tc.is} {
				if f := filesOf(t, some[i].Text, []string{"new/a.py"}); len(f) != 1 || f[0].OldPath != want {
					t.Errorf("revision %d: want it from %q: %v\n%s", i+1, want, some[i].Err, some[i].Text)
				}
			}
			checkPathDiffs(t, repo, pairs, []string{"new/a.py"})
		})
	}
}

// Of a change that adds and deletes too many files for all of them to be compared, the commented file still has its
// rename, whatever the other files of the next revision hold.
func TestPathDiffs_ManyFiles(t *testing.T) {
	body := func(i, own int) string {
		text := ""
		for line := range 20 {
			if line < own {
				line += 100
			}
			text += fmt.Sprintf("file %d line %d\n", i, line)
		}
		return text
	}
	const files = 101 // above wholeRenames
	o := newOrigin(t)
	for i := range files {
		o.write(fmt.Sprintf("old/f%d.py", i), body(i, 0))
	}
	base := o.commit("base")
	o.git("mv", "old", "new")
	var pairs []gitsource.Pair
	for revision := range 3 {
		for i := range files {
			o.write(fmt.Sprintf("new/f%d.py", i), body(i, i%5+revision))
		}
		pairs = append(pairs, gitsource.Pair{From: base, To: o.commit(fmt.Sprint(revision))})
	}
	repo := o.open(options())
	for _, paths := range [][]string{{"new/f7.py"}, {"old/f7.py", "new/f8.py"}} {
		if renames := checkPathDiffs(t, repo, pairs, paths); renames != len(pairs)*len(paths) {
			t.Errorf("%v: %d renames", paths, renames)
		}
	}
}

// Every odd kind of file is compared as in the whole, alone and together.
func TestPathDiffsOfOddFiles(t *testing.T) {
	o := newOrigin(t)
	base, head := oddities(o)
	repo := o.open(options())
	whole, err := repo.Diff(t.Context(), base, head)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := unidiff.Parse(string(whole))
	if err != nil {
		t.Fatal(err)
	}
	pairs := []gitsource.Pair{{From: base, To: head}, {From: head, To: base}}
	checkPathDiffs(t, repo, pairs, append(parsed.Paths(), "never.py"))
	for _, p := range append(parsed.Paths(), "folder/file.py", "moved from.py", "never.py", "folder") {
		checkPathDiffs(t, repo, pairs, []string{p})
	}
}

// A commit that is gone is an error of its own comparison alone, and so is a diff
// over the limit.
func TestPathDiffsOfWhatIsGone(t *testing.T) {
	o := newOrigin(t)
	base := start(o)
	head := o.rev("topic")
	o.change("a.py", strings.Repeat("x\n", 5000))
	opts := options()
	opts.MaxOutput = 5000
	pairs := []gitsource.Pair{{From: gone, To: head}, {From: base, To: head}, {From: base, To: o.rev("HEAD")}, {From: head, To: base}}
	diffs, err := o.open(opts).PathDiffs(t.Context(), pairs, []string{"a.py"})
	if err != nil {
		t.Fatal(err)
	}
	if !errors.Is(diffs[0].Err, gitsource.ErrAbsent) || !errors.Is(diffs[2].Err, gitsource.ErrTooLarge) {
		t.Errorf("errors %v and %v", diffs[0].Err, diffs[2].Err)
	}
	for _, i := range []int{1, 3} {
		if f := filesOf(t, diffs[i].Text, []string{"a.py"}); diffs[i].Err != nil || len(f) != 1 {
			t.Errorf("%q, %v", diffs[i].Text, diffs[i].Err)
		}
	}
}
