package unidiff

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/testenv"
)

// repo is a real git repository in a temporary folder.
type repo struct {
	t   *testing.T
	dir string
}

func newRepo(t *testing.T) repo {
	t.Helper()
	testenv.Tool(t, "git")
	r := repo{t, t.TempDir()}
	r.git("", "init", "-q")
	return r
}

func (r repo) git(stdin string, args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", r.dir, "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "core.autocrlf=false"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatalf("git %v: %v", args, err)
	}
	return string(out)
}

func (r repo) write(path, text string) {
	r.t.Helper()
	full := filepath.Join(r.dir, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r repo) commit() string {
	r.git("", "add", "-A")
	r.git("", "commit", "-q", "--allow-empty", "-m", "x")
	return strings.TrimSpace(r.git("", "rev-parse", "HEAD"))
}

// randomText is a file of n lines drawn from few different ones, so that hunks
// are hard to tell apart, with an odd line end here and there.
func randomText(rng *rand.Rand, n int) []string {
	words := []string{"", "return nil", "-- sql", "++ plus", "@@ -1 +1 @@", "diff --git a/x b/x", "\ttab", "a\rb", "café", "\xff\xfe", "x\r", "func f() {", "}", "\\ No newline at end of file"}
	out := make([]string, n)
	for i := range out {
		out[i] = words[rng.IntN(len(words))]
	}
	return out
}

func mutate(rng *rand.Rand, lines []string) []string {
	var out []string
	for _, l := range lines {
		switch rng.IntN(12) {
		case 0:
		case 1:
			out = append(out, l, "new "+fmt.Sprint(rng.IntN(3)))
		case 2:
			out = append(out, "changed")
		default:
			out = append(out, l)
		}
	}
	return out
}

func text(rng *rand.Rand, lines []string) string {
	s := strings.Join(lines, "\n")
	if s != "" && rng.IntN(3) > 0 {
		s += "\n"
	}
	return s
}

// TestAgainstGit checks everything that the package says of random changes
// against git itself.
func TestAgainstGit(t *testing.T) {
	r := newRepo(t)
	rng := rand.New(rand.NewPCG(1, 2))
	names := []string{"plain.go", "dir/with space.txt", "quo\"te.txt", "tab\there", "ünïcode.py", "a b/c d"}
	for round := range 12 {
		old := map[string][]string{}
		for _, n := range names {
			old[n] = randomText(rng, rng.IntN(60))
			r.write(n, text(rng, old[n]))
		}
		r.write("moved.txt", strings.Join(randomText(rng, 40), "\n")+fmt.Sprintf("\nround %d\n", round))
		r.write("bin", "\x00\x01"+fmt.Sprint(round))
		from := r.commit()
		for _, n := range names {
			if rng.IntN(5) == 0 {
				os.Remove(filepath.Join(r.dir, n))
				continue
			}
			r.write(n, text(rng, mutate(rng, old[n])))
		}
		r.write("bin", "\x00\x02"+fmt.Sprint(round))
		os.Rename(filepath.Join(r.dir, "moved.txt"), filepath.Join(r.dir, fmt.Sprintf("moved-%d.txt", round)))
		os.Chmod(filepath.Join(r.dir, "bin"), 0o755-os.FileMode(round%2)*0o111)
		to := r.commit()
		for _, context := range []string{"-U0", "-U3", "-U10"} {
			out := r.git("", "diff", "--full-index", "-M", context, from, to)
			d, err := Parse(out)
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if d.String() != out {
				t.Fatalf("rendering differs\n%s\n---\n%s", out, d.String())
			}
			plain := func(context string) string {
				return r.git("", "diff", "--full-index", context, from, to, "--", "plain.go", "dir", "a b")
			}
			checkPatchID(t, plain(context), r.git(plain("-U0"), "patch-id", "--stable"))
			for _, f := range d.Files {
				checkFile(t, r, from, to, f)
			}
		}
	}
}

// checkPatchID compares with what git says of the diff without context.
func checkPatchID(t *testing.T, out, said string) {
	t.Helper()
	d, err := Parse(out)
	if err != nil {
		t.Fatal(err)
	}
	want, _, _ := strings.Cut(said, " ")
	if got := PatchID(d); got != want {
		t.Errorf("patch id %s, git says %s", got, want)
	}
}

func checkFile(t *testing.T, r repo, from, to string, f *File) {
	t.Helper()
	if f.IsBinary {
		return
	}
	var base, want string
	if f.OldPath != "" {
		base = r.git("", "cat-file", "blob", from+":"+f.OldPath)
	}
	if f.NewPath != "" {
		want = r.git("", "cat-file", "blob", to+":"+f.NewPath)
	}
	got, err := Apply([]byte(base), f)
	if err != nil || string(got) != want {
		t.Fatalf("apply %s: %v\ngot  %q\nwant %q", f.Path(), err, got, want)
	}
	checkMaps(t, f, strings.Split(base, "\n"), strings.Split(want, "\n"))
	checkSlices(t, f, base)
}

// checkMaps asserts that a line that survives is the same text on both sides
// and that the two maps are inverse.
func checkMaps(t *testing.T, f *File, base, want []string) {
	t.Helper()
	added, deleted := f.Added(), f.Deleted()
	for i := range base {
		n, ok := f.ToNew(i + 1)
		if ok == deleted[i+1] {
			t.Fatalf("%s: old line %d: carried %v, deleted %v", f.Path(), i+1, ok, deleted[i+1])
		}
		if !ok || n > len(want) {
			continue
		}
		if base[i] != want[n-1] || added[n] {
			t.Fatalf("%s: old line %d %q became %d %q", f.Path(), i+1, base[i], n, want[n-1])
		}
	}
}

// checkSlices asserts that a hunk cut anywhere still applies, both parts
// together giving what the whole gave.
func checkSlices(t *testing.T, f *File, base string) {
	t.Helper()
	whole, _ := Apply([]byte(base), f)
	for i, h := range f.Hunks {
		for cut := 1; cut < len(h.Lines); cut++ {
			parts := *f
			parts.Hunks = append([]Hunk{}, f.Hunks[:i]...)
			parts.Hunks = append(parts.Hunks, h.Slice(0, cut), h.Slice(cut, len(h.Lines)))
			parts.Hunks = append(parts.Hunks, f.Hunks[i+1:]...)
			got, err := Apply([]byte(base), &parts)
			if err != nil || string(got) != string(whole) {
				t.Fatalf("%s: hunk %d cut at %d: %v", f.Path(), i, cut, err)
			}
		}
	}
}
