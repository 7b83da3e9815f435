package report_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/card"
	"github.com/prforge/prforge/artifacts/convert"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/report"
	"github.com/prforge/prforge/internal/page/pagetest"
)

var update = flag.Bool("update", false, "write the golden file")

func frozen(t *testing.T, d freeze.Dataset) *load.Reader {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "dataset")
	if err := freeze.Freeze(context.Background(), dir, d); err != nil {
		t.Fatal(err)
	}
	r, err := load.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSummarize(t *testing.T) {
	s, err := report.Summarize(frozen(t, artifactstest.Dataset(artifactstest.Tasks())))
	if err != nil {
		t.Fatal(err)
	}
	type counts = []card.Count
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"records", []int{s.Records, s.LookedAt, s.Comments, s.Substantive, s.InDiff}, []int{3, 5, 16, 6, 4}},
		{"outcomes", s.Outcomes, counts{{Name: "selected", Count: 3}, {Name: "rejected", Count: 1}, {Name: "undetermined", Count: 1}, {Name: "failed", Count: 0}}},
		{"languages", s.Languages, counts{{Name: "Python", Count: 3}}},
		{"difficulty", s.Difficulty, counts{{Name: "Type1_Direct", Count: 1}, {Name: "Type2_Contextual", Count: 1}, {Name: "Type3_Latent_Candidate", Count: 1}}},
		{"anchors", s.Anchors, counts{{Name: "exact", Count: 3}, {Name: "hunk", Count: 1}, {Name: "none", Count: 1}, {Name: "remapped", Count: 1}}},
		{"shown", s.Shown, counts{{Name: "A", Count: 5}, {Name: "B", Count: 5}, {Name: "C", Count: 5}, {Name: "nowhere", Count: 1}}},
		{"reasons", s.LabelReasons, counts{{Name: "by_bot", Count: 3}, {Name: "by_deleted_account", Count: 3}, {Name: "too_few_words", Count: 3}, {Name: "by_pull_author", Count: 1}}},
		{"rqs", []artifacts.Float{s.RQS.Min, s.RQS.Median, s.RQS.Max}, []artifacts.Float{12, 80, 80}},
		{"kinds", []artifacts.Kind{s.Funnel[0].Of, s.Funnel[1].Of}, []artifacts.Kind{artifacts.KindRepository, artifacts.KindPullRequest}},
		{"why", s.Repositories[2].Reasons, counts{{Name: "base_missing", Count: 1}, {Name: "not_merged", Count: 1}}},
		{"yield", []int{s.Repositories[2].LookedAt, s.Repositories[2].Released, s.Repositories[2].GroundTruth}, []int{4, 2, 4}},
	} {
		if d := cmp.Diff(c.want, c.got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
	for _, d := range []report.Distribution{s.RVS, s.RQS, s.LinesChanged, s.FilesChanged, s.GroundTruth, s.Tokens[0].Sizes} {
		n := 0
		for _, b := range d.Bins {
			n += b.Count
		}
		if d.N != 3 || n != d.N {
			t.Errorf("%d numbers, %d in the bins", d.N, n)
		}
	}
}

func TestEmptyDataset(t *testing.T) {
	r := frozen(t, artifactstest.Dataset(nil))
	s, err := report.Summarize(r)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if s.Records != 0 || s.LookedAt != 2 {
		t.Errorf("%d records of %d", s.Records, s.LookedAt)
	}
	if err := report.WriteHTML(&b, r, report.PageOptions{}); err != nil {
		t.Error(err)
	}
}

// TestGolden compares the data of the sample's page with a golden file.
func TestGolden(t *testing.T) {
	tasks := artifactstest.Tasks()
	raw := func(yield func(report.RawFact, error) bool) {
		for f, err := range rawOf(tasks) {
			if !yield(f, err) {
				return
			}
		}
		for _, number := range []int{1, 999} { // one whose words the record has, one that nothing was decided about
			if !yield(report.RawFact{Seen: &convert.Seen{Repo: "acme/widget", Number: number, Title: "other words"}}, nil) {
				return
			}
		}
	}
	var page, got bytes.Buffer
	if err := report.WriteHTML(&page, frozen(t, artifactstest.Dataset(tasks)), report.PageOptions{Raw: raw}); err != nil {
		t.Fatal(err)
	}
	blocks := pagetest.Blocks(t, page.Bytes())
	for _, name := range slices.Sorted(maps.Keys(blocks)) {
		fmt.Fprintf(&got, "%s\n", name)
		if err := json.Indent(&got, blocks[name], "", " "); err != nil {
			t.Fatal(err)
		}
		got.WriteByte('\n')
	}
	path := filepath.Join("testdata", "page.txt")
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestPageBytes(t *testing.T) {
	var pages [2]bytes.Buffer
	for i := range pages {
		tasks := artifactstest.Tasks()
		makeHostile(tasks[1])
		if err := report.WriteHTML(&pages[i], frozen(t, artifactstest.Dataset(tasks)), report.PageOptions{Raw: rawOf(tasks)}); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(pages[0].Bytes(), pages[1].Bytes()) {
		t.Error("equal datasets give different pages")
	}
	text := pages[0].String()
	if n := strings.Count(text, "<script>"); n != 1 {
		t.Errorf("%d scripts, one is ours", n)
	}
	for _, name := range []string{"why-1", "talk-1", "diff-1", "went-1", "lists"} {
		if n := strings.Count(text, `<script type="application/gzip" id="`+name+`">H4sI`); n != 1 {
			t.Errorf("block %s is there %d times", name, n)
		}
	}
	blocks := strings.Count(text, `<script type="application/gzip" id="`)
	if got := strings.Count(text, "</script>"); got != blocks+2 { // the index, the script
		t.Errorf("%d ends of scripts", got)
	}
	for _, never := range []string{"<img", "\u2028", "style=", "src=\"", "unsafe-inline"} {
		if i := strings.Index(text, never); i >= 0 {
			t.Errorf("%q is in the page: %s", never, text[max(0, i-40):i+40])
		}
	}
	head, _, _ := strings.Cut(text, "<style>")
	if !strings.Contains(head, "default-src 'none'; script-src 'sha256-") {
		t.Error("the policy does not come before the style and the script")
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, context.DeadlineExceeded }

func TestPageErrors(t *testing.T) {
	r := frozen(t, artifactstest.Dataset(artifactstest.Tasks()))
	if err := report.WriteHTML(full{}, r, report.PageOptions{}); err == nil {
		t.Error("a full disk was not told of")
	}
	r.Dir = t.TempDir()
	if err := report.WriteHTML(&bytes.Buffer{}, r, report.PageOptions{}); err == nil {
		t.Error("a missing file was not told of")
	}
	if !slices.Equal(artifacts.Configs, []string{"config_A", "config_B", "config_C"}) {
		t.Error("the page names the contexts A, B and C")
	}
}
