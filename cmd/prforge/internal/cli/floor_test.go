//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/syntax"
)

// floor is the CPU time, in seconds, that no build of a world could do without:
// that of git alone in three transfers a repository, that of parsing as many bytes
// of source as the build did, and that of counting the tokens of the contexts and
// compressing the raw records once. A build that learns to do without a parse
// lowers its own floor, so unparsed is what the sources that it kept and did not
// parse would take besides: with it the floor is the same for every program.
type floor struct{ git, parsed, unparsed, rest float64 }

func (f floor) warm() float64 { return f.parsed + f.rest }

func (f floor) cold() float64 { return f.git + f.warm() }

// floorOf measures the floor of the build in dir/warm from what it left.
func floorOf(b *testing.B, dir, server string) floor {
	b.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "warm", "raw", "*.jsonl.zst"))
	if err != nil || len(files) == 0 {
		b.Fatalf("no raw records: %v", err)
	}
	counter, err := tokens.NewCounter()
	if err != nil {
		b.Fatal(err)
	}
	var f floor
	sources := map[string]source{}
	for _, name := range files {
		raw := readRaw(b, name)
		if raw.repository != "" {
			f.git += raw.fetch(b, filepath.Join(b.TempDir(), "floor.git"), server+"/"+raw.repository+".git")
		}
		f.rest += cpu(func() { compress(b, raw.bytes) })
		for oid, s := range raw.sources() {
			sources[oid] = s
		}
	}
	all, share := parsing(sources), parsedShare(b, dir, sources)
	f.parsed, f.unparsed = all*share, all*max(0, 1-share)
	texts := contexts(b, filepath.Join(dir, "warm"))
	f.rest += cpu(func() {
		for _, text := range texts {
			counter.Count(text)
		}
	})
	return f
}

// cpu is the CPU time of this process while f runs; nothing else may run in it.
func cpu(f func()) float64 {
	spent := func() float64 {
		var u syscall.Rusage
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // cannot fail for oneself
		return (time.Duration(u.Utime.Nano()) + time.Duration(u.Stime.Nano())).Seconds()
	}
	before := spent()
	f()
	return spent() - before
}

// rawWorld is what the floor needs of one repository's raw records.
type rawWorld struct {
	repository string
	bytes      []byte
	bases      []string // fork points
	blobs      map[string]string
	names      map[string]string // blob -> name of a file that has it
}

func readRaw(b *testing.B, name string) *rawWorld {
	b.Helper()
	f, err := os.Open(name)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	defer z.Close()
	w := &rawWorld{blobs: map[string]string{}, names: map[string]string{}}
	if w.bytes, err = io.ReadAll(z); err != nil {
		b.Fatal(err)
	}
	w.repository = strings.Replace(strings.TrimSuffix(filepath.Base(name), ".jsonl.zst"), "+", "/", 1)
	lines := bufio.NewScanner(bytes.NewReader(w.bytes))
	lines.Buffer(nil, 1<<30)
	for lines.Scan() {
		var r struct {
			Kind, Key, Text string
			Data            json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			b.Fatal(err)
		}
		w.add(b, r.Kind, r.Key, r.Text, r.Data)
	}
	if len(w.bases) == 0 {
		w.repository = ""
	}
	return w
}

func (w *rawWorld) add(b *testing.B, kind, key, text string, data []byte) {
	b.Helper()
	decode := func(v any) {
		if err := json.Unmarshal(data, v); err != nil {
			b.Fatal(err)
		}
	}
	switch kind {
	case "base":
		var base model.Base
		decode(&base)
		if base.ForkPoint != "" {
			w.bases = append(w.bases, base.ForkPoint)
		}
	case "blob":
		w.blobs[key] = text
	case "listing":
		var list []struct{ Name, Oid string }
		decode(&list)
		for _, f := range list {
			if languages.Detect(f.Name) != nil {
				w.names[f.Oid] = f.Name
			}
		}
	}
}

// source is a source file's text and language.
type source struct {
	language *syntax.Language
	text     string
}

func (w *rawWorld) sources() map[string]source {
	out := map[string]source{}
	for oid, name := range w.names {
		if text, ok := w.blobs[oid]; ok {
			language := languages.Detect(name)
			out[oid] = source{language, text}
		}
	}
	return out
}

// parsing parses every source once, without looking at the trees.
func parsing(sources map[string]source) float64 {
	return cpu(func() {
		for _, s := range sources {
			syntax.Parses(s.language, s.text)
		}
	})
}

// parsedShare is how many of the sources' bytes the build parsed.
func parsedShare(b *testing.B, dir string, sources map[string]source) float64 {
	b.Helper()
	text, err := os.ReadFile(filepath.Join(dir, ".prforge", "report.json"))
	if err != nil {
		b.Fatal(err)
	}
	var report struct {
		Parsed struct{ Bytes float64 }
	}
	if err := json.Unmarshal(text, &report); err != nil {
		b.Fatal(err)
	}
	all := 0.0
	for _, s := range sources {
		all += float64(len(s.text))
	}
	return report.Parsed.Bytes / max(1, all)
}

// contexts are the rendered texts of a dataset.
func contexts(b *testing.B, dataset string) []string {
	b.Helper()
	files, err := filepath.Glob(filepath.Join(dataset, "contexts", "*", "*.json"))
	if err != nil {
		b.Fatal(err)
	}
	var out []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		var c struct{ Rendered string }
		if err := json.Unmarshal(text, &c); err != nil {
			b.Fatal(err)
		}
		out = append(out, c.Rendered)
	}
	return out
}

func compress(b *testing.B, data []byte) {
	z, err := zstd.NewWriter(io.Discard, zstd.WithEncoderConcurrency(1))
	if err == nil {
		_, err = z.Write(data)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		b.Fatal(err)
	}
}

// fetch transfers the history of the bases, their trees, and the blobs that were kept,
// by git alone, and gives git's CPU time.
func (w *rawWorld) fetch(b *testing.B, dir, url string) (seconds float64) {
	b.Helper()
	git := func(stdin string, args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "fetch.negotiationAlgorithm=noop", "-c", "gc.auto=0"}, args...)...)
		cmd.Stdin = strings.NewReader(stdin)
		cmd.Env = append(os.Environ(), "GIT_NO_LAZY_FETCH=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
		out, err := cmd.Output()
		if err != nil {
			b.Fatalf("git %v: %v", args, err)
		}
		seconds += (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
		return string(out)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	git("", "init", "-q", "--bare")
	git("", "remote", "add", "origin", url)
	git("", "config", "remote.origin.promisor", "true")
	fetch := func(filter string, oids []string) {
		git(strings.Join(slices.Compact(slices.Sorted(slices.Values(oids))), "\n")+"\n", "fetch", "-q", "--no-tags", "--no-write-fetch-head", "--filter="+filter, "--stdin", "origin")
	}
	fetch("tree:0", w.bases)
	args := []string{"log", "--no-walk", "--format=%T"}
	fetch("blob:none", strings.Fields(git("", append(args, w.bases...)...)))
	var blobs []string
	for oid := range w.blobs {
		blobs = append(blobs, oid)
	}
	fetch("blob:none", blobs)
	return seconds
}
