//go:build unix

package cli

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/convert"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/report"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/page/pagetest"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/stages/review"
)

// BenchmarkPage measures the audit page of the demo's dataset, multiplied, in a
// real browser: in one file and as a folder. For each record 30 pull requests
// were looked at.
func BenchmarkPage(b *testing.B) {
	sample := readSample(b)
	ctx := pagetest.Browser(b)
	for _, records := range []int{40, 1_000, 5_000} {
		b.Run(fmt.Sprintf("records=%d", records), func(b *testing.B) {
			dir := filepath.Join(b.TempDir(), "dataset")
			if err := freeze.Freeze(context.Background(), dir, sample.dataset(records)); err != nil {
				b.Fatal(err)
			}
			r, err := load.Open(dir)
			if err != nil {
				b.Fatal(err)
			}
			for _, kind := range []string{"file", "folder"} {
				b.Run(kind, func(b *testing.B) {
					for b.Loop() {
						at, first, all := sample.page(b, r, records, kind == "folder")
						b.ReportMetric(float64(first)/1e6, "first-MB")
						b.ReportMetric(float64(all)/1e6, "all-MB")
						lookAt(b, ctx, at)
					}
				})
			}
		})
	}
}

// lookAt opens a page and measures, in milliseconds from when each was asked
// for, its views and searches, and how much memory its script then holds.
func lookAt(b *testing.B, ctx context.Context, path string) {
	tab := pagetest.Open(b, ctx, path)
	tab.Wait("performance.getEntriesByName('first-contentful-paint').length && document.querySelector('.tiles')")
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(pagetest.Get[float64](tab, "performance.getEntriesByName('first-contentful-paint')[0].startTime"), "first-view-ms")
	for _, v := range []struct{ name, at, until string }{
		{"list", "#/pulls", "document.getElementById('found') && document.querySelector('h1').innerText === 'Pull requests'"},
		{"search", "#/pulls?q=shipping", "location.hash.includes('q=') && document.querySelector('#found, .nothing')"},
		{"comments", "#/comments?label=ground_truth", "document.querySelector('article.comment')"},
		{"search-in-comments", "#/comments?q=buffer", "document.querySelector('.comment mark')"},
		{"deep-search", "#/pulls?deep=1&q=buffer", "document.querySelector('.hit mark')"},
	} {
		script := fmt.Sprintf("new Promise((done) => { const from = performance.now(); main.replaceChildren(); location.hash = %q; const look = () => { let is = false; try { is = %s; } catch {} if (is) done(performance.now() - from); else setTimeout(look, 5); }; look(); })", v.at, v.until)
		ms, err := chromedp.Run(tab.Context(), chromedp.Evaluate[float64](script, chromedp.EvalAwaitPromise))
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(ms, v.name+"-ms")
	}
	b.ReportMetric(pagetest.Get[float64](tab, "performance.memory.usedJSHeapSize / 1e6"), "heap-MB")
	tab.Seen() // of a page with files: its requests for them
	tab.Do(chromedp.Navigate("about:blank"))
	tab.Seen()
}

// pageSample is what a demo's dataset holds.
type pageSample struct {
	manifest   artifacts.Manifest
	tasks      []*artifacts.Task
	rejections []*artifacts.Rejection
	seen       []*convert.Seen
	funnel     verdict.Funnel
}

func readSample(b *testing.B) *pageSample {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "demo")
	if out, err := exec.Command(buildProgram(b), "demo", "-q", "-o", dir).CombinedOutput(); err != nil {
		b.Fatalf("demo: %v\n%s", err, out)
	}
	r, err := load.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	s := &pageSample{manifest: r.Manifest}
	s.tasks = all(b, r.Tasks())
	s.rejections = slices.DeleteFunc(all(b, r.Rejections()), func(d *artifacts.Rejection) bool { return d.PRNumber == nil })
	raw, err := review.Raw(dir)
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range all(b, iter.Seq2[report.RawFact, error](raw)) {
		if f.Seen != nil {
			s.seen = append(s.seen, f.Seen)
		}
	}
	funnel, err := r.Funnel()
	if err != nil {
		b.Fatal(err)
	}
	s.funnel = *funnel
	return s
}

func all[T any](b *testing.B, values iter.Seq2[T, error]) []T {
	b.Helper()
	var out []T
	for v, err := range values {
		if err != nil {
			b.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// looked is how many pull requests were looked at for each record.
const looked = 30

// dataset multiplies the sample. No two copies share their longer words: what
// is alike in them must not make a page small.
func (s *pageSample) dataset(records int) freeze.Dataset {
	d := freeze.Dataset{Manifest: s.manifest, Split: model.Split{Strata: []model.Stratum{}, TaskIDs: []string{}}, Funnel: s.funnel}
	d.Manifest.Files = nil
	d.Tasks = func(yield func(*artifacts.Task, error) bool) {
		for i := range records {
			if !yield(s.task(i), nil) {
				return
			}
		}
	}
	d.Decisions = func(yield func(artifacts.Rejection, error) bool) {
		for i := range records * looked {
			if !yield(s.decision(i, records), nil) {
				return
			}
		}
	}
	return d
}

func (s *pageSample) task(i int) *artifacts.Task {
	t := *s.tasks[i%len(s.tasks)]
	number := i + 1
	t.Record.TaskID = fmt.Sprintf("copy__%d", number)
	t.Record.Repo, t.Record.PRNumber = "copies/copy", number
	t.Record.Title, t.Record.Description, t.Record.DiffPatch = vary(t.Record.Title, i), vary(t.Record.Description, i), vary(t.Record.DiffPatch, i)
	t.Annotation.TaskID, t.Annotation.PRNumber = t.Record.TaskID, number
	t.Evidence.TaskID, t.Evidence.PRNumber = t.Record.TaskID, number
	t.Evidence.Comments = varied(t.Evidence.Comments, i)
	t.Contexts = slices.Clone(t.Contexts)
	for k := range t.Contexts {
		t.Contexts[k].TaskID, t.Contexts[k].PRNumber, t.Contexts[k].Rendered = t.Record.TaskID, number, vary(t.Contexts[k].Rendered, i)
	}
	return &t
}

func (s *pageSample) decision(i, records int) artifacts.Rejection {
	number := i + 1
	if i < records {
		return artifacts.Rejection{Decision: artifacts.Decision{Kind: artifacts.KindPullRequest, Repo: "copies/copy", PRNumber: &number, Stage: verdict.StageContexts, Outcome: artifacts.Selected}}
	}
	d := *s.rejections[i%len(s.rejections)]
	d.Repo, d.PRNumber = "copies/copy", &number
	return d
}

// raw gives the words of the rejected copies.
func (s *pageSample) raw(records int) report.Raw {
	return func(yield func(report.RawFact, error) bool) {
		for i := records; i < records*looked; i++ {
			seen := *s.seen[i%len(s.seen)]
			seen.Repo, seen.Number = "copies/copy", i+1
			seen.Title, seen.Description, seen.Comments = vary(seen.Title, i), vary(seen.Description, i), varied(seen.Comments, i)
			if !yield(report.RawFact{Seen: &seen}, nil) {
				return
			}
		}
	}
}

// page writes the page and returns the file to open, how many bytes it has, and
// how many all files have.
func (s *pageSample) page(b *testing.B, r *load.Reader, records int, folder bool) (path string, first, all int64) {
	b.Helper()
	dir := b.TempDir()
	open := func(name string) (io.WriteCloser, error) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		return os.Create(path)
	}
	o := report.PageOptions{Raw: s.raw(records)}
	if folder {
		o.Create = open
	}
	w, err := open("index.html")
	if err != nil {
		b.Fatal(err)
	}
	if err := report.WriteHTML(w, r, o); err != nil {
		b.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	err = filepath.WalkDir(dir, func(_ string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			all += info.Size()
			if e.Name() == "index.html" {
				first = info.Size()
			}
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return filepath.Join(dir, "index.html"), first, all
}

func varied(comments []artifacts.EvidenceComment, seed int) []artifacts.EvidenceComment {
	out := slices.Clone(comments)
	for k := range out {
		out[k].Body, out[k].DiffHunk, out[k].Path = vary(out[k].Body, seed), vary(out[k].DiffHunk, seed), vary(out[k].Path, seed)
	}
	return out
}

// vary puts another word, the same wherever it stands in a copy, in the place of
// every third long word of a text. It takes them from as many as a large
// collection of code and prose has.
func vary(text string, seed int) string {
	const vocabulary = 300_000
	out := []byte(text)
	for at := 0; at < len(out); {
		end := at
		for end < len(out) && 'a' <= out[end]|0x20 && out[end]|0x20 <= 'z' {
			end++
		}
		word := out[at:end]
		n := mix(uint64(seed))
		for _, c := range word {
			n = mix(n ^ uint64(c))
		}
		if end-at >= 6 && n%3 == 0 && string(word) != "suggestion" && string(word) != "deleted" {
			other := mix(n % vocabulary)
			for i := range word {
				word[i] = "etaoinshrdlucmfwypvbgk"[other%22]
				other = mix(other)
			}
		}
		at = end + 1
	}
	return string(out)
}

// mix is the finalizer of SplitMix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
