package stages

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/review"
	"github.com/prforge/prforge/stages/run"
	"github.com/prforge/prforge/stages/run/runtest"
)

// whole is a dataset in memory, to be frozen again with a lie in it: manifest,
// tables, card and metadata then all agree with the lie.
type whole struct {
	freeze.Dataset
	tasks  []*artifacts.Task
	lines  []artifacts.Rejection
	tokens func(string) int
}

// task is the task of that id.
func (w *whole) task(id string) *artifacts.Task {
	for _, t := range w.tasks {
		if t.Record.TaskID == id {
			return t
		}
	}
	panic("no task " + id)
}

// line is the decision about a pull request.
func (w *whole) line(number int) *artifacts.Rejection {
	for i := range w.lines {
		if n := w.lines[i].PRNumber; n != nil && *n == number {
			return &w.lines[i]
		}
	}
	panic(fmt.Sprint("no decision about ", number))
}

// refreeze freezes the dataset again after a damage.
func refreeze(c *runtest.Copy, cfg *config.Config, o verify.Options, damage func(*whole)) {
	c.T.Helper()
	r, err := load.Open(c.Dir)
	c.Must(err)
	w := &whole{tokens: o.Tokens, Dataset: freeze.Dataset{Manifest: r.Manifest, Card: run.CardOf(cfg.Dataset), Config: []byte(c.Read(artifacts.FileConfig))}}
	for t, err := range r.Tasks() {
		c.Must(err)
		w.tasks = append(w.tasks, t)
	}
	rejected := map[string]*artifacts.Rejection{}
	for x, err := range r.Rejections() {
		c.Must(err)
		rejected[lineName(x.Decision)] = x
	}
	for x, err := range r.Decisions() {
		c.Must(err)
		line := artifacts.Rejection{Decision: *x}
		if full := rejected[lineName(*x)]; full != nil {
			line = *full
		}
		w.lines = append(w.lines, line)
	}
	for x, err := range r.Repositories() {
		c.Must(err)
		w.Repositories = append(w.Repositories, *x)
	}
	split, err := load.ReadJSON[modelSplit](c.Dir, artifacts.FileSplit)
	c.Must(err)
	funnel, err := r.Funnel()
	c.Must(err)
	w.Split, w.Funnel = *split, *funnel
	damage(w)
	w.Tasks, w.Decisions = freeze.Seq(w.tasks...), freeze.Seq(w.lines...)
	for _, path := range slices.Sorted(maps.Keys(r.Manifest.Files)) {
		if strings.HasPrefix(path, artifacts.DirRaw) {
			w.rawPaths(c.Dir, path)
		}
	}
	again := c.Dir + "-again"
	c.Must(freeze.Freeze(c.T.Context(), again, w.Dataset))
	c.Dir = again
}

func lineName(d artifacts.Decision) string {
	if d.PRNumber == nil {
		return d.Repo
	}
	return fmt.Sprintf("%s#%d", d.Repo, *d.PRNumber)
}

// rawPaths adds a raw file of a folder.
func (w *whole) rawPaths(dir, path string) {
	before, file := w.Raw, freeze.File{Path: path, Open: func() (io.ReadCloser, error) { return load.OpenFile(dir, path) }}
	w.Raw = func(yield func(freeze.File, error) bool) {
		if before != nil {
			for f, err := range before {
				if !yield(f, err) {
					return
				}
			}
		}
		yield(file, nil)
	}
}

// refused is what a folder is that verify does not read at all.
const refused verify.Kind = "refused"

// found verifies a copy and gives the kinds of faults that were found. With
// contexts these are built again, too.
func foundIn(c *runtest.Copy, o verify.Options, contexts bool) (kinds []verify.Kind, text string) {
	c.T.Helper()
	r, err := verify.Dataset(c.T.Context(), c.Dir, o)
	if err != nil {
		return []verify.Kind{refused}, err.Error()
	}
	env := run.Env{Host: pipeline.Quiet(2), Shards: 2}
	before := r.Checks
	c.Must(Recheck(c.T.Context(), env, c.Dir, contexts, r))
	if same := contexts && r.OK(); (r.Rebuilt > 0) != same || same && r.Checks != before+r.Rebuilt {
		c.T.Errorf("%d files were built again, with %d checks after %d", r.Rebuilt, r.Checks, before)
	}
	b, err := artifacts.Canonical(r.Faults)
	c.Must(err)
	for _, f := range r.Faults {
		kinds = append(kinds, f.Kind)
	}
	return kinds, string(b)
}

// smallDemo builds the demo sample without its slow half: five records of one
// repository, one that misses the gate and one that is private.
func smallDemo(t *testing.T) *runtest.Build {
	t.Helper()
	b := world.FromCollected(t)
	b.Config.Repositories = config.Repositories{"quayside/tidelog", "solodev/scratchpad", "northgate/driftwood"}
	runtest.RunBuild(t, b)
	return b
}

// TestDamages damages copies of one dataset and has verify find each damage,
// although manifest and metadata were fixed to fit. What is damaged in memory
// was frozen again, so that tables, card and counts fit the lie, too.
func TestDamages(t *testing.T) {
	b := smallDemo(t)
	o, err := review.VerifyOptions()
	if err != nil {
		t.Fatal(err)
	}
	t.Run("honest copies", func(t *testing.T) {
		if err := artifactstest.FollowsSchemas(b.Out); err != nil {
			t.Error(err)
		}
		honest := runtest.CopyOf(t, b.Out)
		honest.Relist()
		again := runtest.CopyOf(t, b.Out)
		refreeze(again, b.Config, o, func(*whole) {})
		for _, c := range []*runtest.Copy{honest, again} {
			if kinds, text := foundIn(c, o, true); len(kinds) > 0 {
				t.Errorf("%s", text)
			}
		}
	})
	seen := map[string]bool{}
	try := func(name string, want verify.Kind, contexts bool, damage func(*runtest.Copy)) {
		if seen[name] {
			t.Errorf("%q comes twice", name)
		}
		seen[name] = true
		if testing.Short() && len(seen)%4 != 0 { // each verifies a whole dataset
			return
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := runtest.CopyOf(t, b.Out)
			damage(c)
			if kinds, text := foundIn(c, o, contexts); !slices.Contains(kinds, want) {
				t.Errorf("found %v, want %s\n%s", kinds, want, text)
			}
		})
	}
	for _, d := range fileDamages {
		try(d.name, d.want, false, func(c *runtest.Copy) {
			d.damage(c)
			if !d.unlisted {
				c.Relist()
			}
		})
	}
	for _, d := range refrozenDamages {
		try(d.name, d.want, d.contexts, func(c *runtest.Copy) { refreeze(c, b.Config, o, d.damage) })
	}
	for _, d := range manifestDamages {
		try("manifest: another "+d.name, d.want, false, func(c *runtest.Copy) { runtest.Change(c, artifacts.FileManifest, d.damage) })
	}
	if len(seen) < 120 {
		t.Errorf("%d damages", len(seen))
	}
}
