package contextbuilder

import (
	"syscall"
	"testing"

	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/languages"
)

// BenchmarkBuild builds the contexts of the world's pull requests with sources
// on disk, one after the other; an operation is one pull request. The floor is
// reading the files that these read, parsing each once and counting the
// result's tokens, with nothing else done. CPU time is that of the process, which
// a busy machine changes less than time on the clock; 277 operations are one
// round of the public world.
func BenchmarkBuild(b *testing.B) {
	pulls := world(b)
	counter, err := tokens.NewCounter()
	if err != nil {
		b.Fatal(err)
	}
	opts := DefaultOptions()
	read := make([]map[string]bool, len(pulls))
	results := make([]Result, len(pulls))
	b.Run("contexts", func(b *testing.B) {
		cache := imports.NewCache(512 << 20)
		builder := NewBuilder(opts, counter, cache)
		early, before := 0.0, cpuMillis()
		for i := 0; b.Loop(); i++ {
			n := i % len(pulls)
			if i == 3*len(pulls) {
				early = peakMB()
			}
			if n == 0 { // each round starts cold
				builder = NewBuilder(opts, counter, imports.NewCache(512<<20))
			}
			in := pulls[n]
			snap := &readingSnapshot{gitSnapshot: in.Base.(*gitSnapshot), read: map[string]bool{}}
			in.Base = snap
			r, err := builder.Build(b.Context(), in)
			if err != nil {
				b.Fatal(err)
			}
			read[n], results[n] = snap.read, r
		}
		b.ReportMetric((cpuMillis()-before)/float64(b.N), "cpu-ms/op")
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pulls/s")
		b.ReportMetric(peakMB(), "peak-MB")
		if early > 0 { // -benchtime 3400x: over ten thousand contexts
			b.ReportMetric(early, "peak-MB-after-3-rounds")
		}
	})
	b.Run("floor", func(b *testing.B) {
		parsed := map[string]bool{}
		before := cpuMillis()
		for i := 0; b.Loop(); i++ {
			n := i % len(pulls)
			if n == 0 {
				parsed = map[string]bool{}
			}
			for path := range read[n] {
				data, err := pulls[n].Base.Read(path)
				if ok := languages.Detect(path) != nil; err == nil && ok && !parsed[string(data)] {
					parsed[string(data)] = true
					languages.Parse(path, data, opts.Imports.Syntax)
				}
			}
			for _, c := range []Context{results[n].A, results[n].B, results[n].C} {
				counter.Count(c.Rendered)
			}
		}
		b.ReportMetric((cpuMillis()-before)/float64(b.N), "cpu-ms/op")
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pulls/s")
	})
}

// cpuMillis is the CPU time of the process so far, user and system, in
// milliseconds.
func cpuMillis() float64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e6
}

// peakMB is the most memory that the process has used, in megabytes.
func peakMB() float64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return float64(usage.Maxrss) / 1024
}

// readingSnapshot remembers what was read.
type readingSnapshot struct {
	*gitSnapshot
	read map[string]bool
}

func (s *readingSnapshot) Read(path string) ([]byte, error) {
	s.read[path] = true
	return s.gitSnapshot.Read(path)
}
