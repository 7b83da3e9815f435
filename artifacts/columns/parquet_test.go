package columns_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/columns"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/testenv"
)

// manyTasks are tasks enough for several row groups, with odd texts and every
// null and empty list that a record may have.
func manyTasks() []*artifacts.Task {
	var out []*artifacts.Task
	for i := range 150 {
		t := artifactstest.Tasks()[i%3]
		t.Record.PRNumber = i + 1
		repo, err := model.ParseRepoRef(t.Record.Repo)
		if err != nil {
			panic(err)
		}
		t.Record.TaskID = artifacts.NewTaskIDs(nil).Of(model.PullRef{Repo: repo, Number: i + 1})
		t.Annotation.TaskID, t.Evidence.TaskID = t.Record.TaskID, t.Record.TaskID
		for n := range t.Contexts {
			t.Contexts[n].TaskID = t.Record.TaskID
		}
		t.Record.Title = strings.Repeat("é\u0000\u2028\u0085😀\"\\\r\n", i%4)
		if i%5 == 0 {
			t.Record.HumanReviewComments = []artifacts.ReviewComment{}
		}
		out = append(out, t)
	}
	return out
}

// table is a Parquet file as hyparquet reads it: its description, then its rows.
func table(t *testing.T, dir, path string) (meta []byte, rows []map[string]any) {
	t.Helper()
	node := testenv.Tool(t, "node")
	here := filepath.Join("..", "testdata", "parquet")
	if _, err := os.Stat(filepath.Join(here, "node_modules", "hyparquet")); err != nil {
		testenv.Missing(t, "run npm ci in artifacts/testdata/parquet first")
	}
	out, err := exec.CommandContext(t.Context(), node, filepath.Join(here, "read.mjs"), filepath.Join(dir, path)).Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(out) {
		if meta == nil {
			meta = line
			continue
		}
		var row map[string]any
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"merged_at", "created_at"} {
			if text, ok := row[name].(string); ok {
				stamp, err := time.Parse(time.RFC3339, text)
				if err != nil {
					t.Fatal(err)
				}
				row[name] = stamp.Format("2006-01-02T15:04:05Z")
			}
		}
		rows = append(rows, row)
	}
	return meta, rows
}

// TestParquetByAnotherReader reads the columns with hyparquet and checks every
// field of every row against the JSON files, as anybody would read them.
func TestParquetByAnotherReader(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	frozen(t, dir, manyTasks())
	meta, records := table(t, dir, artifacts.FileParquet)
	checkColumns(t, meta)
	lists := map[string]map[string]bool{"eval_100": listed(t, dir, artifacts.FileSplit), "validated": listed(t, dir, artifacts.FileValidated)}
	var want, annotations, contexts, splits []map[string]any
	for line, err := range load.RawLines(dir, artifacts.FileRecords) {
		if err != nil {
			t.Fatal(err)
		}
		var record map[string]any
		if err := json.Unmarshal(line.Text, &record); err != nil {
			t.Fatal(err)
		}
		id := record["task_id"].(string)
		want = append(want, record)
		annotations = append(annotations, commentsOf(t, dir, id)...)
		for _, config := range artifacts.Configs {
			c := parsed(t, dir, artifacts.FileContext(config, id))
			contexts = append(contexts, map[string]any{"task_id": id, "config": config, "total_tokens": c["total_tokens"], "rendered": c["rendered"]})
		}
		for _, name := range []string{"eval_100", "validated"} {
			if lists[name][id] {
				splits = append(splits, map[string]any{"task_id": id, "split": name, "difficulty": record["difficulty"]})
			}
		}
	}
	if len(annotations) < len(want) || len(splits) == 0 {
		t.Fatalf("%d comments, %d rows of splits: too few to show anything", len(annotations), len(splits))
	}
	if diff := cmp.Diff(want, records); diff != "" {
		t.Errorf("records (-JSON +parquet):\n%.4000s", diff)
	}
	for path, want := range map[string][]map[string]any{
		artifacts.FileAnnotationTable: annotations, artifacts.FileContextTable: contexts, artifacts.FileSplitTable: splits,
	} {
		if _, got := table(t, dir, path); !cmp.Equal(want, got) {
			t.Errorf("%s (-JSON +parquet):\n%.4000s", path, cmp.Diff(want, got))
		}
	}
}

// parsed reads a JSON file without knowing its type.
func parsed(t *testing.T, dir, path string) map[string]any {
	t.Helper()
	v, err := load.ReadJSON[map[string]any](dir, path)
	if err != nil {
		t.Fatal(err)
	}
	return *v
}

// listed are the tasks of a list in evals/.
func listed(t *testing.T, dir, path string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, id := range parsed(t, dir, path)["task_ids"].([]any) {
		out[id.(string)] = true
	}
	return out
}

// commentsOf joins the annotation of a task with its evidence.
func commentsOf(t *testing.T, dir, id string) (rows []map[string]any) {
	t.Helper()
	note, evidence := parsed(t, dir, artifacts.FileAnnotation(id)), parsed(t, dir, artifacts.FileEvidence(id))
	classes := evidence["difficulty"].(map[string]any)["comments"].(map[string]any)
	for _, c := range note["comments"].([]any) {
		c := c.(map[string]any)
		row := map[string]any{
			"task_id": note["task_id"], "repo": note["repo"], "pr_number": note["pr_number"], "author": c["reviewer"], "path": c["file"],
			"difficulty": classes[c["comment_id"].(string)].(map[string]any)["class"],
		}
		for _, name := range []string{"comment_id", "body", "line", "is_in_diff", "severity", "is_blocking"} {
			row[name] = c[name]
		}
		for _, k := range evidence["comments"].([]any) {
			k := k.(map[string]any)
			if k["comment_id"] != c["comment_id"] {
				continue
			}
			for _, name := range []string{"side", "anchor", "code_state", "addressed", "standing", "validation", "visible_in", "url", "created_at"} {
				row[name] = k[name]
			}
		}
		rows = append(rows, row)
	}
	return rows
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
	frozen(t, dir, manyTasks())
	if differ, err := columns.CompareParquet(dir, artifacts.FileParquet); differ != "" || err != nil {
		t.Fatal(differ, err)
	}
	in, err := os.Open(filepath.Join(dir, artifacts.FileParquet))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if f, err := parquet.OpenFile(in, info.Size()); err != nil || len(f.RowGroups()) != 3 {
		t.Errorf("149 rows are not in 3 groups of at most 64: %v", err)
	}
	path := filepath.Join(dir, artifacts.FileRecords)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	for name, c := range map[string]struct{ text, want string }{
		"a value":            {strings.Replace(string(whole), "PRRC_100", "PRRC_1000", 1), "row 4"},
		"a record less":      {strings.Join(lines[:len(lines)-2], ""), "150 rows instead of 149"},
		"a record more":      {string(whole) + lines[0], "it ends before row 151"},
		"another order":      {lines[1] + lines[0] + strings.Join(lines[2:], ""), "row 1"},
		"a null for a value": {strings.Replace(string(whole), `"line":3`, `"line":null`, 1), "row 2"},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if differ, err := columns.CompareParquet(dir, artifacts.FileParquet); err != nil || differ != c.want {
			t.Errorf("%s: %q, %v, want %q", name, differ, err, c.want)
		}
	}
}

// TestCompareTables makes the comparison of each other table fail.
func TestCompareTables(t *testing.T) {
	for _, c := range []struct{ name, table, file, old, new, want string }{
		{"a comment", artifacts.FileAnnotationTable, artifacts.FileAnnotation("widget__1"), `"reviewer": "bob"`, `"reviewer": "eve"`, "row 1"},
		{"its evidence", artifacts.FileAnnotationTable, artifacts.FileEvidence("widget__2"), `"anchor": "exact"`, `"anchor": "hunk"`, "row 3"},
		{"what became of it", artifacts.FileAnnotationTable, artifacts.FileEvidence("widget__2"), `"addressed":`, `"addressed": true, "was":`, "row 3"},
		{"a text", artifacts.FileContextTable, artifacts.FileContext("config_B", "widget__1"), "Review this change", "Praise this change", "row 2"},
		{"a list with a task less", artifacts.FileSplitTable, artifacts.FileSplit, `"widget__1"`, `"widget__7"`, "row 1"},
		{"another table", artifacts.FileSplitTable, "", "", "", "the columns are other ones"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "out")
			frozen(t, dir, artifactstest.Tasks())
			if differ, err := columns.CompareParquet(dir, c.table); differ != "" || err != nil {
				t.Fatal(differ, err)
			}
			if c.file == "" {
				if err := os.Rename(filepath.Join(dir, artifacts.FileContextTable), filepath.Join(dir, c.table)); err != nil {
					t.Fatal(err)
				}
			} else {
				replace(t, filepath.Join(dir, c.file), c.old, c.new)
			}
			if differ, err := columns.CompareParquet(dir, c.table); err != nil || differ != c.want {
				t.Errorf("%q, %v, want %q", differ, err, c.want)
			}
		})
	}
}

// replace edits a file where old is in it.
func replace(t *testing.T, path, old, new string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte(old)) {
		t.Fatalf("%s has no %s", path, old)
	}
	if err := os.WriteFile(path, bytes.ReplaceAll(text, []byte(old), []byte(new)), 0o644); err != nil {
		t.Fatal(err)
	}
}

func frozen(t *testing.T, dir string, tasks []*artifacts.Task) {
	t.Helper()
	if err := freeze.Freeze(t.Context(), dir, artifactstest.Dataset(tasks)); err != nil {
		t.Fatal(err)
	}
}
