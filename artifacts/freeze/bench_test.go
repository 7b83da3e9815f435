package freeze_test

import (
	"fmt"
	"iter"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/freeze"
)

// stream makes n tasks as they are asked for, and notes the most memory in use.
func stream(n int, peak *uint64) iter.Seq2[*artifacts.Task, error] {
	return func(yield func(*artifacts.Task, error) bool) {
		for i := range n {
			t := artifactstest.Tasks()[i%3]
			t.Record.TaskID = fmt.Sprintf("widget__%d", i+1)
			if i%100 == 99 {
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				*peak = max(*peak, m.HeapAlloc)
			}
			if !yield(t, nil) {
				return
			}
		}
	}
}

// BenchmarkFreeze reports the heap beside the time: it must not grow with n.
func BenchmarkFreeze(b *testing.B) {
	for _, n := range []int{300, 3000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var peak uint64
			for b.Loop() {
				d := artifactstest.Dataset(artifactstest.Tasks())
				d.Tasks = stream(n, &peak)
				if err := freeze.Freeze(b.Context(), filepath.Join(b.TempDir(), "out"), d); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(peak)/1e6, "MB-heap")
		})
	}
}
