package substance

import (
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/model"
)

// BenchmarkLabel labels the corpus, comment by comment.
func BenchmarkLabel(b *testing.B) {
	registry, corpus := testRegistry(b), readCorpus(b)
	for i := 0; b.Loop(); i++ {
		Label(corpus[i%len(corpus)].pull(), registry, DefaultOptions())
	}
}

// BenchmarkLongest labels a comment as long as GitHub allows.
func BenchmarkLongest(b *testing.B) {
	registry := testRegistry(b)
	pull := withThreads([]model.Comment{remark(strings.Repeat("Should this be closed? ", 262144/23))})
	for b.Loop() {
		Label(pull, registry, DefaultOptions())
	}
}
