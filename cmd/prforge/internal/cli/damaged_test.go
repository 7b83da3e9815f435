package cli

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/prforge/prforge/artifacts"
)

var tryDamages = flag.Int("damages", 0, "how many damages of each dataset TestDamaged tries (default a few, or more without -short)")

// reader is a command that reads a dataset: its arguments for a damaged one, the
// whole one, what explain is asked about, and a new folder to write to.
type reader struct {
	name string
	args func(dataset, whole, pull, out string) []string
}

// datasetReaders are the commands that read datasets of a benchmark, whose build is a
// command of its own.
func datasetReaders(references string, build ...string) []reader {
	eval := "version: 1\njudge: {id: rules, provider: rules}\ndraws: 100\nmodels:\n"
	for _, name := range strings.Fields(references) {
		eval += fmt.Sprintf("  - {id: %s, provider: reference, reference: %s}\n", name, name)
	}
	return []reader{
		{"audit", func(dataset, _, _, _ string) []string { return []string{"audit", dataset} }},
		{"audit --html", func(dataset, _, _, out string) []string { return []string{"audit", dataset, "--html", out + ".html"} }},
		{"explain", func(dataset, _, pull, _ string) []string { return []string{"explain", pull, "--dataset", dataset} }},
		{"diff to", func(dataset, whole, _, _ string) []string { return []string{"diff", whole, dataset} }},
		{"diff from", func(dataset, whole, _, _ string) []string { return []string{"diff", dataset, whole} }},
		{"eval run", func(dataset, _, _, out string) []string {
			_ = os.WriteFile(out+".yaml", []byte(eval), 0o644)
			return []string{"eval", "run", dataset, "-c", out + ".yaml", "-o", out, "--yes"}
		}},
		{"build --from", func(dataset, _, _, out string) []string {
			return append(build, "build", "--from", dataset, "-o", out, "--state", out+"-state", "--allow-partial")
		}},
	}
}

// TestDamaged damages one field of a dataset and has every command read it. None
// may crash. Where the manifest does not list the damaged file as it is, each
// ends with a sentence and exit code 1.
func TestDamaged(t *testing.T) {
	dir, err := made["demo"]()
	must(t, err)
	for _, tc := range []struct {
		dataset, pull string
		readers       []reader
	}{
		{"demo", "quayside/tidelog#61", append(datasetReaders("oracle silent echo shotgun"), controlsReader(t))},
		{"demo-bugs", "lanternworks/parcelpost#43", datasetReaders("oracle silent", "bugs")},
		{"demo-debugging", "table_orders__s1", datasetReaders("oracle silent effect", "debugging")},
	} {
		t.Run(tc.dataset, func(t *testing.T) {
			whole := filepath.Join(dir, "out", tc.dataset)
			damages := damagesOf(t, whole)
			rng := rand.New(rand.NewPCG(23, 3))
			rng.Shuffle(len(damages), func(i, j int) { damages[i], damages[j] = damages[j], damages[i] })
			slices.SortStableFunc(damages, func(a, b damage) int { return crashedOnce(b) - crashedOnce(a) })
			tries, listed := 40, 40
			if testing.Short() {
				tries, listed = 12, 1
			}
			if *tryDamages > 0 {
				tries, listed = *tryDamages, *tryDamages
			}
			damages = damages[:min(tries, len(damages))]
			var count sync.Map
			t.Cleanup(func() { t.Logf("%s: %d damages, %v", tc.dataset, len(damages), tally(&count)) })
			for i, d := range damages {
				if d.pull == "" || tc.dataset == "demo-bugs" && !strings.Contains(d.pull, "#") {
					d.pull = tc.pull
				}
				t.Run(fmt.Sprint(i, " ", d), func(t *testing.T) {
					t.Parallel()
					for _, listed := range []bool{false, true}[:1+min(1, max(0, listed-i))] {
						copied := damaged(t, whole, d, listed)
						for _, r := range tc.readers {
							args := r.args(copied, whole, d.pull, filepath.Join(t.TempDir(), "out"))
							var stdout, stderr bytes.Buffer
							code := Main(args, strings.NewReader(""), &stdout, &stderr)
							said := stderr.String()
							n, _ := count.LoadOrStore(fmt.Sprint(r.name, " listed ", listed, " exit ", code), new(counter))
							n.(*counter).add()
							if strings.Contains(said, "internal error") || strings.Contains(stdout.String()+said, "panic") {
								t.Errorf("%s: crash: %.3000s", r.name, said)
							}
							if !listed && d.file != artifacts.FileManifest && code != exitFailed || code == exitUsage || code != exitDone && said+stdout.String() == "" {
								t.Errorf("%s: listed %t, exit code %d: %.300s", r.name, listed, code, said)
							}
						}
					}
				})
			}
		})
	}
}

// crashedOnce is 1 for damages that commands crashed on once: these are tried first.
func crashedOnce(d damage) int {
	if d.of == ".comments[].validation" && d.kind == "null" {
		return 1
	}
	return 0
}

// TestMain_Panic: a panic ends the command with a sentence, exit code 1, where to
// report it, and the stack.
func TestMain_Panic(t *testing.T) {
	var stderr bytes.Buffer
	code := Main([]string{"version"}, strings.NewReader(""), panics{}, &stderr)
	for _, want := range []string{"prforge: internal error: no more paper\n", "https://github.com/prforge/prforge/issues", "panics.Write"} {
		if code != exitFailed || !strings.Contains(stderr.String(), want) {
			t.Errorf("exit code %d, no %q in %s", code, want, &stderr)
		}
	}
}

// panics is an output whose first line panics.
type panics struct{}

func (panics) Write([]byte) (int, error) { panic("no more paper") }

type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) add() { c.mu.Lock(); defer c.mu.Unlock(); c.n++ }

func tally(m *sync.Map) map[string]int {
	out := map[string]int{}
	m.Range(func(k, v any) bool { out[k.(string)] = v.(*counter).n; return true })
	return out
}

// controlsReader is 'prforge controls' with a mirror of one repository.
func controlsReader(t *testing.T) reader {
	t.Helper()
	_, err := github()
	must(t, err)
	mirrors := t.TempDir()
	clone := exec.Command("git", "clone", "-q", "--mirror", shared.server.URL()+"/quayside/tidelog.git", filepath.Join(mirrors, "quayside", "tidelog.git"))
	if out, err := clone.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return reader{"controls", func(dataset, _, _, out string) []string {
		return []string{"controls", dataset, "--mirror", mirrors, "--until", "2030-01-01", "-o", out}
	}}
}
