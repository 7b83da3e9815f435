package contamination

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

func ref(t *testing.T, s string) model.PullRef {
	t.Helper()
	r, err := model.ParsePullRef(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestKnown(t *testing.T) {
	in, err := Known()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range in.Sources {
		if s.Name == "" || s.Part == "" || s.URL == "" || s.Date == "" || s.Count == 0 {
			t.Errorf("a source without its facts: %+v", s)
		}
	}
	for name, want := range map[string][]string{
		"django/django#11099": {"SWE-bench"}, "Django/Django#11099": {"SWE-bench"}, "django/django#1": nil,
		"expressjs/express#5555": {"Multi-SWE-bench"}, "dask/dask#10695": {"SWE-Gym"}, "keycloak/keycloak#36880": {"Code Review Bench"}, "dask/dask#12221": nil,
		"FreeCAD/FreeCAD#19411": {"AACR-Bench"}, "keycloak/keycloak#41672": {"AACR-Bench"}, "brexhq/CrabTrap#15": {"ReviewBench"},
		"ai-code-review-evaluation/discourse-graphite#10": {"Code Review Bench"}, "tobymao/sqlglot#5284": {"SWE-CARE"},
	} {
		if got := in.of(ref(t, name)); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if in.Len() < 10_000 {
		t.Errorf("only %d instances", in.Len())
	}
}

func TestParseInstancesRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"a/b 1\n":                       "before any",
		"[x]\ncount: 2\na/b 1\n":        "count says 2",
		"[x]\ncount: 1\na/b one\n":      "no pull request number",
		"[x]\ncount: 1\na/b 0\n":        "no pull request number",
		"[x]\ncount: 1\nab 1\n":         "OWNER/NAME",
		"[x]\ncount: many\n":            "not a number",
		"[x]\nauthor: me\ncount: 0\n":   "unknown field",
		"[x]\ncount: 1\n../../etc 1\n":  "OWNER/NAME",
		"[x]\ncount: 1\na/b 1\na/b 1\n": "count says 1",
	} {
		if _, err := parseInstances(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", text, err, want)
		}
	}
}

// A list of one's own names its instances beside the benchmark that they are of.
func TestAddList(t *testing.T) {
	in, err := Known()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := in.AddList("ours", []string{"# ours", "django/django#11099", "https://github.com/a/b/pull/2"}); err != nil {
		t.Fatal(err)
	}
	got, err := Check(context.Background(), []Pull{{Ref: ref(t, "Django/django#11099")}, {Ref: ref(t, "a/b#2")}, {Ref: ref(t, "a/b#3")}}, in, nil, Builtin{}, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	if got[0].Detail != "an instance of SWE-bench, ours" || got[1].Detail != "an instance of ours" || got[2].Outcome != verdict.OutcomePass {
		t.Errorf("%+v", got)
	}
}

const story = "Close the connection pool when the worker shuts down. Until now the pool kept its sockets open, so that a restart under load ran out of file descriptors after a few hours. This adds a close call to the shutdown hook and a test that counts open sockets."

func TestCheck(t *testing.T) {
	instances, err := parseInstances("[Bench]\ncount: 1\na/b 1\n")
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(story, "a few hours", "some hours", 1)
	template := "<!-- " + strings.Repeat("please read the contribution guide before you open this ", 20) + "-->\n- [x] I have read the contribution guide and agree to everything in it\n"
	other := "Parse durations with units in the configuration file, such as 10s or 5m, and report the key and the line of a value that is no duration."
	pulls := []Pull{
		{ref(t, "a/b#1"), "Close the pool", story},
		{ref(t, "a/b#2"), "Close the pool", edited},
		{ref(t, "a/b#3"), "Parse durations", template + other},
		{ref(t, "a/b#4"), "Close the pool", ""},
		{ref(t, "a/b#5"), "Log shutdown", template + "Write one line at shutdown with the number of tasks that were still running then."},
	}
	want := []verdict.Code{verdict.BenchmarkInstance, verdict.NearBenchmark, "", "", ""}
	check := func(pulls []Pull, texts ...Text) []verdict.Verdict {
		t.Helper()
		got, err := Check(context.Background(), pulls, instances, texts, Builtin{}, DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	for i, v := range check(pulls) {
		if v.Code != want[i] || (v.Code == "") != (v.Outcome == verdict.OutcomePass) {
			t.Errorf("%s: %+v, want %q", pulls[i].Ref, v, want[i])
		}
	}
	forth := check(pulls)
	slices.Reverse(pulls)
	back := check(pulls)
	slices.Reverse(back)
	if d := cmp.Diff(forth, back); d != "" {
		t.Errorf("order matters: %s", d)
	}
	if v := check([]Pull{{ref(t, "c/d#9"), "Parse durations", other}}, Text{"Bench x", "Parse durations\n\n" + other}); v[0].Code != verdict.NearBenchmark {
		t.Errorf("a copied text passed: %+v", v[0])
	}
}

// fixed is an encoder with given vectors.
type fixed struct {
	vectors map[string][]float32
	err     error
}

func (fixed) Name() string { return "fixed" }

func (f fixed) Encode(_ context.Context, texts []string) ([][]float32, error) {
	var out [][]float32
	for _, t := range texts {
		out = append(out, f.vectors[strings.Fields(t)[0]])
	}
	return out, f.err
}

func TestCheckThreshold(t *testing.T) {
	angle := func(c float64) []float32 { return []float32{float32(c), float32(math.Sqrt(1 - c*c))} }
	enc := fixed{vectors: map[string][]float32{"known": {1, 0}, "below": angle(0.8499), "above": angle(0.8501), "zero": {0, 0}, "longer": {1, 0, 0}, "same": {3, 0}}}
	long := " one two three four five six seven eight"
	instances, _ := parseInstances("")
	for word, want := range map[string]verdict.Code{"below": "", "above": verdict.NearBenchmark, "zero": "", "longer": "", "same": verdict.NearBenchmark} {
		got, err := Check(context.Background(), []Pull{{ref(t, "a/b#1"), word + long, ""}}, instances, []Text{{"x", "known" + long}}, enc, DefaultOptions())
		if err != nil || got[0].Code != want {
			t.Errorf("%s: %+v, %v; want %q", word, got, err, want)
		}
	}
	for _, texts := range [][]Text{{{"x", "known" + long}, {"a", "known" + long}}, {{"a", "known" + long}, {"x", "known" + long}}} {
		got, err := Check(context.Background(), []Pull{{ref(t, "a/b#1"), "same" + long, ""}}, instances, texts, enc, DefaultOptions())
		if err != nil || got[0].Detail != "its text is too close to a" {
			t.Errorf("among equally close ones: %+v, %v", got, err)
		}
	}
	enc.err = errors.New("endpoint down")
	if _, err := Check(context.Background(), []Pull{{ref(t, "a/b#1"), "below" + long, ""}}, instances, []Text{{"x", "known" + long}}, enc, DefaultOptions()); err == nil {
		t.Error("an encoder that fails lets everything pass")
	}
}

func TestBuiltinProperties(t *testing.T) {
	texts := []string{story, "", "x", strings.Repeat("日本語のテキスト ", 100), "\xff\xfe invalid", strings.ToUpper(story)}
	a, err := Builtin{}.Encode(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := Builtin{}.Encode(context.Background(), texts)
	if !cmp.Equal(a, b) {
		t.Error("not deterministic")
	}
	for i := range texts {
		for j := range texts {
			c := cosine(norm(a[i]), norm(a[j]))
			if math.IsNaN(c) || c > 1+1e-9 || c < -1-1e-9 || c != cosine(norm(a[j]), norm(a[i])) {
				t.Errorf("cosine of %d and %d: %g", i, j, c)
			}
		}
	}
	if c := cosine(norm(a[0]), norm(a[5])); c < 1-1e-9 {
		t.Errorf("upper case changes the text: %g", c)
	}
}

func TestTwins(t *testing.T) {
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	changes := []Change{
		{ref(t, "a/b#1"), "x", false, day},
		{ref(t, "a/b#2"), "x", true, day.AddDate(0, 0, 2)},
		{ref(t, "a/b#3"), "x", true, day.AddDate(0, 0, 1)},
		{ref(t, "a/b#4"), "", true, day}, {ref(t, "a/b#5"), "", true, day},
		{ref(t, "a/b#6"), "y", true, day}, {ref(t, "a/b#7"), "y", true, day},
		{ref(t, "a/b#8"), "z", true, day},
	}
	want := map[model.PullRef]model.PullRef{changes[0].Ref: changes[2].Ref, changes[1].Ref: changes[2].Ref, changes[6].Ref: changes[5].Ref}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		rng.Shuffle(len(changes), func(i, j int) { changes[i], changes[j] = changes[j], changes[i] })
		if d := cmp.Diff(want, Twins(changes)); d != "" {
			t.Fatal(d)
		}
	}
}

func TestReverts(t *testing.T) {
	sha := "0123456789abcdef0123456789abcdef01234567"
	pulls := []Merged{
		{ref(t, "a/b#1"), "Add caching (#1)", "", []string{sha}},
		{ref(t, "a/b#2"), `Revert "Add caching"`, "", nil},
		{ref(t, "a/b#3"), "Undo caching", "Reverts a/b#1", nil},
		{ref(t, "a/b#4"), "Undo caching", "Reverts #1 and #3.", nil},
		{ref(t, "a/b#5"), "Undo caching", "This reverts commit 0123456789ab.", nil},
		{ref(t, "a/b#6"), "Undo caching", "This reverts commit ffffffffff.", nil},
		{ref(t, "a/b#7"), `Revert "Never seen"`, "", nil},
		{ref(t, "a/b#8"), "Undo", "Reverts https://github.com/A/B/pull/1", nil},
		{ref(t, "a/b#9"), "Itself", "Reverts a/b#9", nil},
		{ref(t, "c/d#2"), `Revert "Add caching"`, "", nil},
		{ref(t, "a/b#10"), "Nothing", "the user reverts to the former version of issue #1", nil},
	}
	want := []Revert{
		{ref(t, "a/b#2"), ref(t, "a/b#1"), "", "title"},
		{ref(t, "a/b#3"), ref(t, "a/b#1"), "", "body"},
		{ref(t, "a/b#4"), ref(t, "a/b#1"), "", "body"},
		{ref(t, "a/b#5"), ref(t, "a/b#1"), "0123456789ab", "commit"},
		{ref(t, "a/b#6"), model.PullRef{}, "ffffffffff", "commit"},
		{ref(t, "a/b#8"), ref(t, "a/b#1"), "", "body"},
	}
	if d := cmp.Diff(want, Reverts(pulls)); d != "" {
		t.Error(d)
	}
	slices.Reverse(pulls)
	if d := cmp.Diff(want, Reverts(pulls)); d != "" {
		t.Errorf("order matters: %s", d)
	}
}

// BenchmarkReverts: a tenth of the pull requests undo another one, by its title
// or its commit. Eight times as many must take eight times as long.
func BenchmarkReverts(b *testing.B) {
	for _, n := range []int{10_000, 80_000} {
		pulls := make([]Merged, n)
		for i := range pulls {
			p := &pulls[i]
			p.Ref = model.PullRef{Repo: model.RepoRef{Owner: "a", Name: fmt.Sprint(i % 100)}, Number: i + 1}
			p.Title, p.Commits = fmt.Sprintf("Change number %d", i), []string{fmt.Sprintf("%040x", i*7919)}
			switch i % 20 {
			case 0:
				p.Title = fmt.Sprintf("Revert \"Change number %d\"", i+100)
			case 1:
				p.Body = fmt.Sprintf("This reverts commit %040x.", (i+100)*7919)
			}
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Reverts(pulls)
			}
		})
	}
}

// TestLinks: both directions say the same, however the revert names its pull request.
func TestLinks(t *testing.T) {
	sha := "0123456789abcdef0123456789abcdef01234567"
	reverted := ref(t, "a/b#7")
	for name, r := range map[string]Merged{
		"number":        {Body: "Reverts a/b#7\nReverts #7"},
		"link":          {Body: "Reverts https://github.com/a/b/pull/7"},
		"commits":       {Body: "This reverts commit 0123456789abcdef.\nThis reverts commit 01234567."},
		"title":         {Title: `Revert "Add caching"`},
		"other mention": {Body: "It reverts to the old way of #7"},
	} {
		r.Ref = ref(t, "a/b#9")
		l := LinksOf([]Merged{{reverted, "Add caching", "", []string{sha}}, r})
		want := Links{map[model.PullRef][]model.PullRef{r.Ref: {reverted}}, map[model.PullRef][]model.PullRef{reverted: {r.Ref}}}
		if name == "other mention" {
			want = Links{map[model.PullRef][]model.PullRef{}, map[model.PullRef][]model.PullRef{}}
		}
		if d := cmp.Diff(want, l); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	instances, _ := parseInstances("")
	var pulls []Pull
	var texts []Text
	for i := range 300 {
		pulls = append(pulls, Pull{Ref: model.PullRef{Number: i}, Title: story, Body: story})
		texts = append(texts, Text{ID: "x", Text: story})
	}
	for b.Loop() {
		if _, err := Check(context.Background(), pulls, instances, texts, Builtin{}, DefaultOptions()); err != nil {
			b.Fatal(err)
		}
	}
}
