package contextbuilder

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
	"sync"
	"testing"

	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/internal/demo"
	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/unidiff"
)

// worldPull is what the tests need of a pull request of the world.
type worldPull struct {
	Repo    string `json:"repo"`
	Number  int    `json:"number"`
	Title   string `json:"title"`
	Body    string `json:"body"`
	BaseSHA string `json:"base_sha"`
	HeadSHA string `json:"head_sha"`
	State   string `json:"state"`
}

// world loads the pull requests that PRFORGE_WORLD and PRFORGE_MIRRORS name, or
// else those of the demo.
func world(t testing.TB) []Input {
	t.Helper()
	dir, mirrors := os.Getenv("PRFORGE_WORLD"), os.Getenv("PRFORGE_MIRRORS")
	if dir == "" || mirrors == "" {
		w, err := demo.World()
		dir = t.TempDir()
		if err := errors.Join(err, w.Export(dir)); err != nil {
			t.Fatal(err)
		}
		mirrors = dir
	}
	data, err := os.ReadFile(filepath.Join(dir, "pulls.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	repos := map[string]*gitObjects{}
	var out []Input
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var p worldPull
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		if only := os.Getenv("PRFORGE_ONLY"); only != "" && !strings.Contains(fmt.Sprintf("%s#%d", p.Repo, p.Number), only) {
			continue
		}
		ref, err := model.ParseRepoRef(p.Repo)
		if err != nil {
			t.Fatal(err)
		}
		git := repos[p.Repo]
		if git == nil {
			git = openGit(t, filepath.Join(mirrors, ref.Owner+"+"+ref.Name, "repo"))
			repos[p.Repo] = git
		}
		diff, err := unidiff.Parse(string(git.run(t, "diff", "--full-index", "-M", p.BaseSHA, p.HeadSHA)))
		if err != nil {
			t.Fatalf("%s#%d: %v", p.Repo, p.Number, err)
		}
		out = append(out, Input{Repo: ref, Title: p.Title, Description: p.Body, Diff: diff,
			Base: git.snapshot(t, p.BaseSHA), Language: language(diff), PRType: "feature", FilesChanged: len(diff.Paths())})
		if len(diff.Files) == 0 || diff.AddedLines > 800 {
			out = out[:len(out)-1] // no later stage sees these
			continue
		}
		pullNames[diff] = fmt.Sprintf("%s#%d", p.Repo, p.Number)
	}
	return out
}

// pullNames says which pull request a diff of the world is of.
var pullNames = map[*unidiff.Diff]string{}

// language is that of most changed lines of production files.
func language(d *unidiff.Diff) string {
	lines := map[string]int{}
	for _, f := range d.Files {
		if pathkind.IsProduction(f.Path()) {
			lines[pathkind.Language(f.Path())] += f.AddedLines + f.DeletedLines
		}
	}
	best := "none"
	for lang, n := range lines {
		if n > lines[best] || n == lines[best] && lang < best {
			best = lang
		}
	}
	return best
}

func builder(t testing.TB) *Builder {
	t.Helper()
	counter, err := tokens.NewCounter()
	if err != nil {
		t.Fatal(err)
	}
	return NewBuilder(DefaultOptions(), counter, imports.NewCache(256<<20))
}

// TestWorld builds the contexts of every pull request and prints how well they
// are filled. PRFORGE_OUT names a folder to write them to, PRFORGE_ONLY a part
// of the name of the pull requests wanted.
func TestWorld(t *testing.T) {
	pulls := world(t)
	b := builder(t)
	stats := map[string]*tally{}
	results := make([]Result, len(pulls))
	for i, in := range pulls {
		r, err := b.Build(t.Context(), in)
		if err != nil {
			t.Errorf("%s: %v", pullNames[in.Diff], err)
			continue
		}
		results[i] = r
		for _, key := range []string{in.Language, "all"} {
			if stats[key] == nil {
				stats[key] = &tally{}
			}
			stats[key].add(r)
		}
		for i, c := range []Context{r.A, r.B, r.C} {
			holds(t, c, []int{2000, 2200, 2500}[i])
			checkHunksOf(t, in, c.Rendered)
			if in.Diff.AddedLines+in.Diff.DeletedLines > 0 && !strings.Contains(c.Rendered, "\n@@ -") {
				t.Errorf("%s %s: no hunk", pullNames[in.Diff], c.Config)
			}
			write(t, in, c)
		}
	}
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := w; i < len(pulls); i += 8 {
				if r, err := b.Build(t.Context(), pulls[i]); err != nil || !reflect.DeepEqual(r, results[i]) {
					t.Errorf("%s: eight workers give another result (%v)", pullNames[pulls[i].Diff], err)
				}
			}
		})
	}
	wg.Wait()
	keys := make([]string, 0, len(stats))
	for k := range stats {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		t.Logf("%-10s %s", k, stats[k])
	}
}

func write(t *testing.T, in Input, c Context) {
	dir := os.Getenv("PRFORGE_OUT")
	if dir == "" {
		return
	}
	name := strings.NewReplacer("/", "_", "#", "_").Replace(pullNames[in.Diff]) + "_" + string(c.Config) + ".md"
	if err := os.WriteFile(filepath.Join(dir, name), []byte(c.Rendered), 0o644); err != nil {
		t.Fatal(err)
	}
}

// tally sums up how contexts are filled.
type tally struct {
	n, bNotA, cNotB, problems int
	layers                    [7]int // of C
	used                      [3]float64
}

func (s *tally) add(r Result) {
	s.n++
	s.problems += len(r.Problems)
	for _, l := range r.C.Layers {
		if l.Filled {
			s.layers[l.Layer]++
		}
	}
	for i, c := range []Context{r.A, r.B, r.C} {
		s.used[i] += float64(c.Tokens) / float64([]int{2000, 2200, 2500}[i])
	}
	if r.A.Rendered != r.B.Rendered {
		s.bNotA++
	}
	if r.B.Rendered != r.C.Rendered {
		s.cNotB++
	}
}

func (s *tally) String() string {
	share := func(n int) float64 { return 100 * float64(n) / float64(s.n) }
	return fmt.Sprintf("n=%d  layer 3 %.1f %%  layer 4 %.1f %%  layer 5 %.1f %%  used A %.1f B %.1f C %.1f %%  B!=A %.1f %%  C!=B %.1f %%  problems %d",
		s.n, share(s.layers[3]), share(s.layers[4]), share(s.layers[5]),
		100*s.used[0]/float64(s.n), 100*s.used[1]/float64(s.n), 100*s.used[2]/float64(s.n), share(s.bNotA), share(s.cNotB), s.problems)
}
