package cli

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestGolden_Demo compares every file that the demo makes, and every file of a
// build in the profile published, with what it was.
func TestGolden_Demo(t *testing.T) {
	for _, name := range []string{"demo", "published"} {
		t.Run(name, func(t *testing.T) {
			dir, err := made[name]()
			if err != nil {
				t.Fatal(err)
			}
			got, err := digests(filepath.Join(dir, "out"))
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", "golden", name+".sha256")
			changed := changedFiles(readDigests(t, file), got)
			if *update {
				t.Logf("%s: %d files changed: %s", file, len(changed), strings.Join(changed, ", "))
				writeDigests(t, file, got)
				return
			}
			if len(changed) > 0 {
				t.Errorf("prforge makes other bytes than before:\n  %s\nCompare them with what the last commit makes:\n"+
					"  make demo, then prforge diff BEFORE AFTER or diff -r BEFORE AFTER\n"+
					"Where the change is meant, write the digests with -update and say in the commit why they move.",
					strings.Join(changed, "\n  "))
			}
		})
	}
}

// digests are the SHA-256 of the files below a folder, by path. Of an
// evaluation's kept answers and verdicts each folder has one; what an evaluation
// says of its own run (times, the state) has none, nor have the cheats' results and the
// report with them where a linter of this machine is one of them.
func digests(dir string) (map[string]string, error) {
	sums := map[string]hash.Hash{}
	root := os.DirFS(dir)
	err := fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		base := path.Base(name)
		if err != nil || e.IsDir() || base == "usage.json" || base == "state.db" || base == "cheats.json" ||
			strings.HasPrefix(name, "demo-bugs-eval/report.") {
			return err
		}
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		if strings.Contains(name, "-eval/reviews/") || strings.Contains(name, "-eval/verdicts/") {
			data = fmt.Appendf(nil, "%s %d\n%s", base, len(data), data)
			name = path.Dir(name) + "/"
		}
		if sums[name] == nil {
			sums[name] = sha256.New()
		}
		sums[name].Write(data)
		return nil
	})
	out := map[string]string{}
	for name, sum := range sums {
		out[name] = fmt.Sprintf("%x", sum.Sum(nil))
	}
	return out, err
}

// changedFiles names what differs between two sets of digests.
func changedFiles(was, is map[string]string) []string {
	var out []string
	for name := range was {
		if is[name] == "" {
			out = append(out, name+" (gone)")
		}
	}
	for name, sum := range is {
		switch was[name] {
		case "":
			out = append(out, name+" (new)")
		case sum:
		default:
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// readDigests reads a file of digests; one that is missing has none.
func readDigests(t *testing.T, file string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(data)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		out[name] = sum
	}
	return out
}

// writeDigests writes a file of digests as sha256sum does, a line a file.
func writeDigests(t *testing.T, file string, sums map[string]string) {
	t.Helper()
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintf(&b, "%s  %s\n", sums[name], name)
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
