package release_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/seal"
	"github.com/prforge/prforge/collectors/exchange"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/stats"
	"github.com/prforge/prforge/stages/release"
)

// target is a release to a folder.
func target(t *testing.T) (*release.Target, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "to")
	x, err := exchange.Open(dir, exchange.S3Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &release.Target{Exchange: x}, dir
}

// frozen is the sample, frozen once.
var frozen string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "release-")
	frozen = filepath.Join(dir, "dataset")
	if err == nil {
		err = freeze.Freeze(context.Background(), frozen, artifactstest.Dataset(artifactstest.Tasks()))
	}
	code := 1
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else {
		code = m.Run()
	}
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// sample is a copy of the frozen dataset, whose manifest a test may change.
func sample(t *testing.T, change func(*artifacts.Manifest)) *load.Reader {
	t.Helper()
	r, err := load.Open(copied(t, frozen))
	if err != nil {
		t.Fatal(err)
	}
	change(&r.Manifest)
	return r
}

func copied(t *testing.T, dir string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(out, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return out
}

func asIs(*artifacts.Manifest) {}

// files are the contents of a folder, by path.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A whole release is every byte of the dataset, goes on where it was interrupted, and
// never changes what is there.
func TestWhole(t *testing.T) {
	r := sample(t, asIs)
	want := files(t, r.Dir)
	to, dir := target(t)
	size := 0
	for _, text := range want {
		size += len(text)
	}
	for _, gone := range []string{artifacts.FileManifest, artifacts.FileCard} {
		to.Files, to.Bytes = 0, 0
		if err := to.Whole(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if to.Files != len(want) || to.Bytes != int64(size) {
			t.Errorf("%d files of %d bytes, want %d of %d", to.Files, to.Bytes, len(want), size)
		}
		got := files(t, dir)
		for name, text := range want {
			if got[name] != text {
				t.Errorf("%s differs", name)
			}
		}
		if err := os.Remove(filepath.Join(dir, gone)); err != nil {
			t.Fatal(err)
		}
	}
	for _, other := range []string{want[artifacts.FileCard] + "x", want[artifacts.FileCard][1:], "x" + want[artifacts.FileCard][1:]} {
		if err := os.WriteFile(filepath.Join(dir, artifacts.FileCard), []byte(other), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := to.Whole(t.Context(), r); err == nil || !strings.Contains(err.Error(), artifacts.FileCard+": another file is there") {
			t.Errorf("another card in its place: %v", err)
		}
		if text := files(t, dir)[artifacts.FileCard]; text != other {
			t.Error("what was there is changed")
		}
	}
	if err := os.Remove(filepath.Join(r.Dir, artifacts.FileSplit)); err != nil {
		t.Fatal(err)
	}
	to, dir = target(t)
	if err := to.Whole(t.Context(), r); err == nil {
		t.Error("a dataset without a file of its manifest was released")
	}
	if _, err := os.Stat(filepath.Join(dir, artifacts.FileManifest)); err == nil {
		t.Error("the manifest of a release that failed is there")
	}
}

// A sealed release has the questions and no answer; the key opens each.
func TestSealed(t *testing.T) {
	r := sample(t, func(m *artifacts.Manifest) { m.NotForPublication = true })
	key, err := seal.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	to, dir := target(t)
	if err := to.Sealed(t.Context(), r, key); err != nil {
		t.Fatal(err)
	}
	want, got := files(t, r.Dir), files(t, dir)
	tasks, questions := 0, 3
	for name := range want {
		if strings.HasPrefix(name, "annotations/") {
			tasks++
		}
		if strings.HasPrefix(name, "contexts/") {
			questions++
		}
	}
	asked := tasks
	for name, text := range got {
		same := want[name] == text
		switch {
		case name == artifacts.FileCard:
			if !strings.Contains(text, artifacts.NotForPublication) || !strings.Contains(text, artifacts.FileContextTable) || !strings.Contains(text, fmt.Sprintf("# sample, sealed\n\n%d questions, frozen as of 2026-04-15", asked)) {
				t.Errorf("the card:\n%s", text)
			}
		case strings.HasPrefix(name, "sealed"):
			tasks--
		case !same:
			t.Errorf("%s differs", name)
		default:
			questions--
		}
	}
	if tasks != -1 || questions != 0 { // and the list of seals
		t.Errorf("%d files of sealed answers and %d of questions lack", tasks+1, questions)
	}
	out := filepath.Join(t.TempDir(), "answers")
	n, err := release.Unseal(dir, out, key)
	opened := files(t, out)
	if err != nil || n != len(opened) || n == 0 {
		t.Fatalf("%d answers, %d files: %v", n, len(opened), err)
	}
	for name, text := range opened {
		if want[name] != text {
			t.Errorf("%s is not the answer that was sealed", name)
		}
	}

	open, dir := target(t)
	if err := open.Sealed(t.Context(), sample(t, asIs), key); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(files(t, dir)[artifacts.FileCard], artifacts.NotForPublication) {
		t.Error("a public dataset is called one not for publication")
	}
	for b, sealable := range map[artifacts.Benchmark]bool{"": true, artifacts.Review: true, artifacts.Bugs: false} {
		to, _ := target(t)
		err := to.Sealed(t.Context(), sample(t, func(m *artifacts.Manifest) { m.Benchmark = b }), key)
		if (err == nil) != sealable {
			t.Errorf("a dataset of %q: %v", b, err)
		}
	}
}

// What is missing from a dataset is missing from no release in silence.
func TestSealed_Missing(t *testing.T) {
	key, err := seal.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{artifacts.FileAnnotation("widget__1"), artifacts.FileContext(artifacts.Configs[0], "widget__1"), artifacts.FileContextTable, artifacts.FileManifest, artifacts.FileRecords} {
		r := sample(t, asIs)
		if err := os.Remove(filepath.Join(r.Dir, name)); err != nil {
			t.Fatal(err)
		}
		to, _ := target(t)
		if err := to.Sealed(t.Context(), r, key); err == nil {
			t.Errorf("released without %s", name)
		}
	}
}

// Every damage of a sealed release is found, named by its task, and nothing is written.
func TestUnseal_Damage(t *testing.T) {
	key, err := seal.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	other, err := seal.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	r := sample(t, asIs)
	to, sealed := target(t)
	if err := to.Sealed(t.Context(), r, key); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		damage func(dir string, list *seal.List)
		key    seal.Key
		want   string
	}{
		"another key":    {func(string, *seal.List) {}, other, "widget__1"},
		"another method": {func(_ string, l *seal.List) { l.Method = "rot13" }, key, `the method "rot13" is not known`},
		"a way out":      {func(_ string, l *seal.List) { l.Seals[0].TaskID = "../../x" }, key, "../../x"},
		"one altered": {func(dir string, _ *seal.List) {
			_ = os.WriteFile(filepath.Join(dir, seal.Box("widget__1")), []byte("altered"), 0o644)
		}, key, "widget__1"},
		"one gone": {func(dir string, _ *seal.List) { _ = os.Remove(filepath.Join(dir, seal.Box("widget__1"))) }, key, "widget__1"},
		"two change": {func(_ string, l *seal.List) {
			l.Seals[0].SHA256, l.Seals[1].SHA256 = l.Seals[1].SHA256, l.Seals[0].SHA256
		}, key, first(t, r)},
		"the answer of another task": {func(dir string, l *seal.List) {
			answer, _ := json.Marshal(artifacts.Annotation{TaskID: "other__1"})
			s, box, _ := key.Close(l.Seals[0].TaskID, answer)
			l.Seals[0] = s
			_ = os.WriteFile(filepath.Join(dir, seal.Box(s.TaskID)), box, 0o644)
		}, key, "the answer is that of other__1"},
	} {
		dir := copied(t, sealed)
		list, err := load.ReadJSON[seal.List](dir, seal.File)
		if err != nil {
			t.Fatal(err)
		}
		c.damage(dir, list)
		text, _ := json.Marshal(list)
		if err := os.WriteFile(filepath.Join(dir, seal.File), text, 0o644); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "answers")
		if n, err := release.Unseal(dir, out, c.key); err == nil || n != 0 || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %d answers, error %v", name, n, err)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: answers are written", name)
		}
	}
	if _, err := release.Unseal(t.TempDir(), t.TempDir(), key); err == nil || !strings.Contains(err.Error(), "is no sealed release") {
		t.Errorf("an empty folder: %v", err)
	}
}

// first is the first task of a dataset.
func first(t *testing.T, r *load.Reader) string {
	t.Helper()
	for record, err := range r.Records() {
		if err != nil {
			t.Fatal(err)
		}
		return record.TaskID
	}
	return ""
}

// Results have the metric that ranks, in percent, of each model that has one.
func TestResults(t *testing.T) {
	value := func(v float64) evaluation.Value {
		return evaluation.Value{Micro: stats.Estimate{Value: stats.Number(v)}}
	}
	report := evaluation.Report{
		Plan:    evaluation.Plan{Benchmark: string(artifacts.Review), Protocol: "prforge/1"},
		Metrics: []evaluation.Metric{{Name: "recall"}, {Name: "f1", Ranks: true}},
		Models: []evaluation.ModelReport{
			{Model: "acme/large 2", Planned: 4, Scored: 3, Values: []evaluation.Value{value(0.9), value(0.123456)}},
			{Model: "none", Planned: 4, Values: []evaluation.Value{value(0.9), value(math.NaN())}},
		},
	}
	report.Plan.Judge.ID = "rules"
	for benchmark, config := range map[artifacts.Benchmark]string{artifacts.Review: "  config: contexts\n", artifacts.Bugs: ""} {
		report.Plan.Benchmark = string(benchmark)
		to, dir := target(t)
		if err := to.Results(t.Context(), "acme/pulls", report); err != nil {
			t.Fatal(err)
		}
		got := files(t, dir)
		want := map[string]string{
			load.HubBoard: "name: pulls\ndescription: The ranking metric of prforge eval, prforge/1, in percent.\ntasks:\n- id: default\n" + config + "  split: test\n",
			load.HubResults + "/acme-large-2.yaml": "- dataset:\n    id: acme/pulls\n    task_id: default\n  value: 12.35\n" +
				"  notes: f1 of acme/large 2, 3 of 4 records scored, judge rules\n",
		}
		for name, text := range want {
			if got[name] != text {
				t.Errorf("%s:\n%s", name, got[name])
			}
		}
		if len(got) != len(want) {
			t.Errorf("%d files", len(got))
		}
		report.Models[0].Scored = 2
		if err := to.Results(t.Context(), "acme/pulls", report); err == nil {
			t.Error("other results in the same place")
		}
		report.Models[0].Scored = 3
		if err := to.Results(t.Context(), "acme/others", report); err == nil {
			t.Error("another benchmark in the same place")
		}
	}
}

// A canceled release says so.
func TestWhole_Canceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	to, dir := target(t)
	if err := to.Whole(ctx, sample(t, asIs)); err == nil || bytes.Contains([]byte(err.Error()), []byte("another file")) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, artifacts.FileManifest)); err == nil {
		t.Error("its manifest is there")
	}
}
