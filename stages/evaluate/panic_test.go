package evaluate

import (
	"testing"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/pipeline"
)

// TestEach_Panic: a panic about one record reaches the caller, who can say where to
// report it. In a goroutine of its own it would end the program.
func TestEach_Panic(t *testing.T) {
	s := &session{Evaluation: &Evaluation{Host: pipeline.Quiet(2)}, records: make([]evaluation.RecordKey, 3)}
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	_, _ = s.each(t.Context(), &askers{}, func(evaluation.Result) {})
}
