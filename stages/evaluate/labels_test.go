package evaluate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/bugs"
)

// People's labels are read from the run folder and from nowhere else; what cannot
// be read is a fault of what was asked for, with the file's name.
func TestLabelsOfARunAreRead(t *testing.T) {
	const label = `{"question_id":"q1","model":"m","config":"config_A","label":"found","annotator":"ada","date":"2026-11-01"}`
	write := func(text string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, tc := range map[string]struct {
		put  func(t *testing.T, path string)
		want string
	}{
		"none":           {func(*testing.T, string) {}, ""},
		"empty":          {write(""), ""},
		"one":            {write(label + "\n"), ""},
		"a bad line":     {write(label + "\n{}\n"), "line 2: label: want found or missed"},
		"not text":       {write("\x28\xb5\x2f\xfd"), "line 1: no label"},
		"a folder":       {func(t *testing.T, path string) { noError(t, os.Mkdir(path, 0o755)) }, "not a regular file"},
		"a link outside": {func(t *testing.T, path string) { noError(t, os.Symlink("/dev/zero", path)) }, "not a regular file"},
		"too large": {func(t *testing.T, path string) {
			write("")(t, path)
			noError(t, os.Truncate(path, 1<<40))
		}, "more than 268435456 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			noError(t, os.Mkdir(filepath.Join(dir, "labels"), 0o755))
			tc.put(t, filepath.Join(dir, filepath.FromSlash(evaluation.FileLabels)))
			s := &session{folder: &runFolder{dir: dir}, benchmark: Benchmark{Benchmark: bugs.Benchmark{}}}
			results := []evaluation.Result{{
				RecordKey: evaluation.RecordKey{Model: "m", Config: "config_A", Task: "q1", Repeat: 1}, Outcome: evaluation.Scored,
				Reading: &evaluation.Reading{Answer: []byte("{}")},
			}}
			err := s.labels(results)
			if tc.want == "" {
				noError(t, err)
				if labeled := strings.Contains(string(results[0].Reading.Answer), "true"); labeled != (name == "one") {
					t.Errorf("labeled: %v", labeled)
				}
				return
			}
			if !IsPlanError(err) || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), filepath.Join(dir, "labels")) {
				t.Errorf("error %v, want %q", err, tc.want)
			}
		})
	}
}

// A benchmark with one prompt refuses a configured one.
func TestPrompted_OnePrompt(t *testing.T) {
	if _, err := prompted(Benchmark{Benchmark: evaluation.Reviews{}}, nil, "told"); !IsPlanError(err) {
		t.Errorf("a benchmark with one prompt: %v", err)
	}
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
