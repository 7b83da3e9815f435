package convert_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/convert"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
	"github.com/prforge/prforge/internal/verdict"
)

var update = flag.Bool("update", false, "write the golden files")

func ref(repo string, number int) model.PullRef {
	r, err := model.ParseRepoRef(repo)
	if err != nil {
		panic(err)
	}
	return model.PullRef{Repo: r, Number: number}
}

func TestTaskIDs(t *testing.T) {
	repos := []model.RepoRef{{Owner: "a", Name: "one"}, {Owner: "b", Name: "Two"}, {Owner: "c", Name: "two"}, {Owner: "d", Name: "e__f"}, {Owner: "e", Name: "f"}}
	ids := artifacts.NewTaskIDs(append(repos, repos[0]))
	for repo, want := range map[string]string{"a/one": "one__7", "b/Two": "b__Two__7", "c/two": "c__two__7", "e/f": "f__7", "d/e__f": "d__e__f__7"} {
		if got := ids.Of(ref(repo, 7)); got != want {
			t.Errorf("%s: %s, want %s", repo, got, want)
		}
	}
}

func TestFloat(t *testing.T) {
	for f, want := range map[artifacts.Float]string{0: "0.0", 1: "1.0", .334: "0.334", 60: "60.0", 1e21: "1000000000000000000000.0", artifacts.Float(math.Copysign(0, -1)): "0.0", 1e-7: "0.0000001"} {
		b, err := json.Marshal(f)
		if err != nil || string(b) != want {
			t.Errorf("%v: %s, %v, want %s", float64(f), b, err, want)
		}
	}
	for _, f := range []float64{math.NaN(), math.Inf(1)} {
		if _, err := json.Marshal(artifacts.Float(f)); err == nil {
			t.Errorf("%v was written", f)
		}
	}
}

// TestCanonical proves that no line of a .jsonl file can be cut by a reader that
// splits at any of the line breaks that Unicode has.
func TestCanonical(t *testing.T) {
	in := "<a href='x'>&\u0085\u2028\u2029\v\f\x1c\x1d\x1e\r\n\x00"
	b, err := artifacts.CanonicalLine(in)
	if err != nil {
		t.Fatal(err)
	}
	line := strings.TrimSuffix(string(b), "\n")
	if strings.ContainsAny(line, "\u0085\u2028\u2029\v\f\x1c\x1d\x1e\r\n") || !strings.Contains(line, "<a href='x'>&") {
		t.Errorf("%q", line)
	}
	var out string
	if err := json.Unmarshal(b, &out); err != nil || out != in {
		t.Errorf("read back %q, %v", out, err)
	}
}

// source is the first candidate of the sample, with odd bytes.
func source(t *testing.T) convert.Source {
	t.Helper()
	c := artifactstest.Candidates()[0]
	c.SetDiff(c.Diff)
	return convert.Source{TaskID: "widget__1", Candidate: c}
}

func TestInvalidTextIsReplacedAndSaid(t *testing.T) {
	s := source(t)
	s.Candidate.Diff.Text += "\xe2\x82" // one character cut short: one replacement
	got, err := convert.NewTask(s)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(got.Record.DiffPatch, "\n\ufffd") {
		t.Errorf("diff_patch ends in %q", got.Record.DiffPatch[len(got.Record.DiffPatch)-9:])
	}
	if diff := cmp.Diff([]string{"diff_patch"}, got.Evidence.Replaced); diff != "" {
		t.Error(diff)
	}
}

func TestIncomplete(t *testing.T) {
	for name, damage := range map[string]func(*convert.Source){
		"no base":                  func(s *convert.Source) { s.Candidate.Base = nil },
		"no diff":                  func(s *convert.Source) { s.Candidate.SetDiff(nil) },
		"no RVS":                   func(s *convert.Source) { s.Candidate.RVS = nil },
		"no grade":                 func(s *convert.Source) { s.Candidate.Grade = nil },
		"no merge time":            func(s *convert.Source) { s.Candidate.Pull.MergedAt = nil },
		"no labels":                func(s *convert.Source) { s.Candidate.Labels = nil },
		"comment 100 has no label": func(s *convert.Source) { s.Candidate.Labels.Comments = s.Candidate.Labels.Comments[1:] },
	} {
		s := source(t)
		damage(&s)
		if _, err := convert.NewTask(s); !errors.Is(err, convert.ErrIncomplete) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A comment that nobody submitted is its writer's own: it is evidence, and no review.
func TestPendingComments(t *testing.T) {
	before, err := convert.NewTask(source(t))
	if err != nil {
		t.Fatal(err)
	}
	s := source(t)
	pull := *s.Candidate.Pull
	pull.Threads = slices.Clone(pull.Threads)
	first := &pull.Threads[0]
	first.Comments = slices.Clone(first.Comments)
	first.Comments[0].State = string(model.Pending)
	s.Candidate.Pull = &pull
	after, err := convert.NewTask(s)
	if err != nil {
		t.Fatal(err)
	}
	was, is := len(before.Record.HumanReviewComments), len(after.Record.HumanReviewComments)
	if is != was-1 || !after.Evidence.Comments[0].Pending {
		t.Errorf("%d comments of people became %d", was, is)
	}
}

// TestEvidenceOfAnyCandidate makes evidence for one that came no further than
// its labels.
func TestEvidenceOfAnyCandidate(t *testing.T) {
	s := source(t)
	c := s.Candidate
	s.Candidate = &model.Candidate{Pull: c.Pull, Labels: c.Labels}
	e, err := convert.NewEvidence(s)
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Comments) != 6 || e.Comments[0].Addressed != nil || e.Difficulty.Value != "" {
		t.Errorf("%d comments, %+v", len(e.Comments), e.Difficulty)
	}
}

// TestLabelsByID proves that labels are matched by comment, not by place.
func TestLabelsByID(t *testing.T) {
	s := source(t)
	want, err := convert.NewTask(s)
	if err != nil {
		t.Fatal(err)
	}
	l, a := s.Candidate.Labels.Comments, s.Candidate.Anchors
	l[0], l[3], a[0], a[3] = l[3], l[0], a[3], a[0]
	got, err := convert.NewTask(s)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestGolden_Conversions pins what becomes of every field: of the sample's candidates,
// of one whose facts are all there, and of a repository.
func TestGolden_Conversions(t *testing.T) {
	var all []any
	convertAll := func(c *model.Candidate, s convert.Source) {
		c.SetDiff(c.Diff)
		s.TaskID, s.Candidate = "widget__1", c
		task, err := convert.NewTask(s)
		if err != nil {
			t.Fatal(err)
		}
		seen, err := convert.NewSeen(c.Pull, c.Labels)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, task, seen)
	}
	for _, c := range artifactstest.Candidates() {
		convertAll(c, convert.Source{})
	}
	full, s := artifactstest.Candidates()[0], convert.Source{}
	n, other := 0, 99
	full.Anchors[0].OriginalLine = &other
	fill(reflect.ValueOf(full).Elem(), "", &n)
	fill(reflect.ValueOf(&s).Elem(), "", &n)
	full.Diff.Text += "diff --git a/src/app.py b/src/app.py\nold mode 100644\nnew mode 100755\n"
	convertAll(full, s)
	var facts model.Repository
	var score model.RepositoryScore
	fill(reflect.ValueOf(&facts).Elem(), "", &n)
	fill(reflect.ValueOf(&score).Elem(), "", &n)
	asked := model.RepoRef{Owner: "acme", Name: "old"}
	v := verdict.Reject(verdict.TooFewWords, "said")
	all = append(all, convert.NewRepositoryAudit(asked, &facts, &score, v, true), convert.NewRepositoryAudit(asked, nil, nil, v, false))

	got, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	const name = "testdata/conversions.json"
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Error(cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")))
	}
}

// fill gives each field that has nothing a value of its own: a text its name, a
// number the next one.
func fill(v reflect.Value, name string, n *int) {
	*n++
	switch v.Interface().(type) {
	case time.Time:
		if v.IsZero() {
			v.Set(reflect.ValueOf(time.Date(2026, 1, 1, 0, *n, 0, 0, time.UTC)))
		}
		return
	case *unidiff.Diff, error:
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				fill(v.Field(i), f.Name, n)
			}
		}
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		fill(v.Elem(), name, n)
	case reflect.Slice:
		if v.Len() == 0 && v.Type().Elem().Kind() != reflect.Interface {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
		for i := range v.Len() {
			fill(v.Index(i), name, n)
		}
	case reflect.String:
		if v.IsZero() {
			v.SetString(name)
		}
	case reflect.Bool:
		v.SetBool(v.Bool() || *n%2 == 0)
	case reflect.Int, reflect.Int64:
		if v.IsZero() {
			v.SetInt(int64(*n))
		}
	case reflect.Float64:
		if v.IsZero() {
			v.SetFloat(float64(*n) / 64)
		}
	}
}
