package artifacts_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/internal/testenv"
)

// manyTasks are tasks enough for several row groups, with odd texts and every
// null and empty list that a record may have.
func manyTasks() []*artifacts.Task {
	var out []*artifacts.Task
	for i := range 150 {
		t := artifactstest.Tasks()[i%3]
		t.Record.PRNumber = i + 1
		t.Record.TaskID = artifacts.NewTaskIDs(nil).Of(ref(t.Record.Repo, i+1))
		t.Record.Title = strings.Repeat("é\u0000\u2028\u0085😀\"\\\r\n", i%4)
		if i%5 == 0 {
			t.Record.HumanReviewComments = []artifacts.ReviewComment{}
		}
		out = append(out, t)
	}
	return out
}

// TestParquetByAnotherReader reads the columns with hyparquet and checks every
// field of every row against prs.jsonl.
func TestParquetByAnotherReader(t *testing.T) {
	node := testenv.Tool(t, "node")
	here := filepath.Join("testdata", "parquet")
	if _, err := os.Stat(filepath.Join(here, "node_modules", "hyparquet")); err != nil {
		testenv.Missing(t, "run npm ci in artifacts/testdata/parquet first")
	}
	dir := filepath.Join(t.TempDir(), "out")
	freeze(t, dir, manyTasks())
	out, err := exec.CommandContext(t.Context(), node, filepath.Join(here, "read.mjs"), filepath.Join(dir, artifacts.FileParquet)).Output()
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewScanner(bytes.NewReader(out))
	in.Buffer(nil, 64<<20)
	if !in.Scan() {
		t.Fatal("no output")
	}
	checkColumns(t, in.Bytes())
	for line, err := range artifacts.RawLines(dir, artifacts.FileRecords) {
		if err != nil {
			t.Fatal(err)
		}
		if !in.Scan() {
			t.Fatalf("the columns end before row %d", line.Number)
		}
		var want, got map[string]any
		if err := json.Unmarshal(line.Text, &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(in.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		merged, err := time.Parse(time.RFC3339, got["merged_at"].(string))
		if err != nil {
			t.Fatal(err)
		}
		got["merged_at"] = merged.Format("2006-01-02T15:04:05Z")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("row %d (-prs.jsonl +parquet):\n%s", line.Number, diff)
		}
	}
	if in.Scan() {
		t.Error("more rows than records")
	}
}

// checkColumns holds the declared schema: a type for every leaf, a zone for the
// timestamp, lists as lists.
func checkColumns(t *testing.T, line []byte) {
	t.Helper()
	var meta struct {
		Rows, Groups int
		Columns      []struct {
			Name, Type, Repetition string
			Children               int
			Logical                *struct {
				Type            string
				IsAdjustedToUTC bool
			}
		}
	}
	if err := json.Unmarshal(line, &meta); err != nil {
		t.Fatal(err)
	}
	if meta.Rows != 150 || meta.Groups < 2 {
		t.Errorf("%d rows in %d groups", meta.Rows, meta.Groups)
	}
	logical := map[string]string{}
	for _, c := range meta.Columns {
		if c.Children == 0 && c.Type == "" {
			t.Errorf("%s has no type", c.Name)
		}
		if c.Logical != nil {
			logical[c.Name] = c.Logical.Type
			if c.Name == "merged_at" && !c.Logical.IsAdjustedToUTC {
				t.Error("merged_at has no zone")
			}
		}
	}
	want := map[string]string{"severity": "STRING", "agent_input": "STRING", "merged_at": "TIMESTAMP", "changed_files": "LIST", "human_review_comments": "LIST"}
	for name, kind := range want {
		if logical[name] != kind {
			t.Errorf("%s is %q, want %s", name, logical[name], kind)
		}
	}
}

// TestCompareParquet makes the comparison fail at each kind of difference.
func TestCompareParquet(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	freeze(t, dir, manyTasks())
	if differ, err := artifacts.CompareParquet(dir); differ != "" || err != nil {
		t.Fatal(differ, err)
	}
	path := filepath.Join(dir, artifacts.FileRecords)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	for name, c := range map[string]struct{ text, want string }{
		"a value":            {strings.Replace(string(whole), "PRRC_100", "PRRC_1000", 1), "row 4, widget__4"},
		"a record less":      {strings.Join(lines[:len(lines)-2], ""), "150 rows for 149 records"},
		"a record more":      {string(whole) + lines[0], "it ends before row 151"},
		"another order":      {lines[1] + lines[0] + strings.Join(lines[2:], ""), "row 1, widget__2"},
		"a null for a value": {strings.Replace(string(whole), `"line":3`, `"line":null`, 1), "row 2, widget__2"},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if differ, err := artifacts.CompareParquet(dir); err != nil || differ != c.want {
			t.Errorf("%s: %q, %v, want %q", name, differ, err, c.want)
		}
	}
}
