package contextbuilder

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"

	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// memory is a tree in memory.
type memory map[string]string

func (m memory) Commit() string { return "0123456789012345678901234567890123456789" }

func (m memory) Entries() []model.TreeEntry {
	var out []model.TreeEntry
	for path, text := range m {
		out = append(out, model.TreeEntry{Path: path, Mode: 0o100644, Oid: fmt.Sprintf("%x", text), Size: int64(len(text))})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Path < out[j].Path })
	return out
}

func (m memory) Read(path string) ([]byte, error) {
	text, ok := m[path]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return []byte(text), nil
}

var sharedCounter = sync.OnceValue(func() *tokens.Counter {
	c, err := tokens.NewCounter()
	if err != nil {
		panic(err)
	}
	return c
})

func newTestBuilder(opts Options) *Builder {
	return NewBuilder(opts, sharedCounter(), imports.NewCache(16<<20))
}

// edit is what becomes of a line of the old file: kept or deleted, with lines
// inserted before it.
type edit struct {
	insert []string
	delete bool
}

// diffOf is the unified diff of an edited file, with three lines of context.
// There is one edit a line, and one more for the end.
func diffOf(path string, lines []string, edits []edit) string {
	var all []unidiff.Line
	for i, e := range edits {
		for _, text := range e.insert {
			all = append(all, unidiff.Line{Kind: unidiff.Added, Text: text})
		}
		if i == len(lines) {
			break
		}
		kind := unidiff.Context
		if e.delete {
			kind = unidiff.Deleted
		}
		all = append(all, unidiff.Line{Kind: kind, Text: lines[i]})
	}
	for i, j := 0, 0; i < len(all); i = j { // git writes what is deleted before what replaces it
		for j = i + 1; j < len(all) && all[j-1].Kind != unidiff.Context && all[j].Kind != unidiff.Context; j++ {
		}
		slices.SortStableFunc(all[i:j], func(a, b unidiff.Line) int { return int(b.Kind) - int(a.Kind) })
	}
	near := make([]bool, len(all))
	for i, l := range all {
		if l.Kind != unidiff.Context {
			for j := max(0, i-3); j <= min(len(all)-1, i+3); j++ {
				near[j] = true
			}
		}
	}
	whole := unidiff.Hunk{OldStart: 1, NewStart: 1, OldLines: 1, NewLines: 1, Lines: all}
	var b strings.Builder
	fmt.Fprintf(&b, "diff --git a/%s b/%s\nindex 1111111..2222222 100644\n--- a/%s\n+++ b/%s\n", path, path, path, path)
	for i := 0; i < len(all); i++ {
		if !near[i] {
			continue
		}
		j := i
		for j < len(all) && near[j] {
			j++
		}
		b.WriteString(whole.Slice(i, j).String())
		i = j
	}
	return b.String()
}

// randomEdits changes lines here and there, in runs.
func randomEdits(rng *rand.Rand, n int) []edit {
	edits := make([]edit, n+1)
	for range 1 + rng.IntN(4) {
		at := rng.IntN(n + 1)
		for range rng.IntN(30) {
			edits[at].insert = append(edits[at].insert, fmt.Sprintf("    added_%d = compute(%d)", rng.IntN(1000), rng.IntN(1000)))
			if rng.IntN(5) == 0 {
				edits[at].insert = append(edits[at].insert, "", fmt.Sprintf("def added_%d():", rng.IntN(1000)))
			}
		}
		for i := range rng.IntN(12) {
			if at+i < n {
				edits[at+i].delete = true
			}
		}
	}
	return edits
}

// pythonFile is a file of functions.
func pythonFile(rng *rand.Rand, functions int) []string {
	var lines []string
	for i := range functions {
		lines = append(lines, fmt.Sprintf("def function_%d(a, b):", i))
		for j := range 1 + rng.IntN(10) {
			lines = append(lines, fmt.Sprintf("    value_%d = function_%d(a, %d)", j, rng.IntN(functions), rng.IntN(100)))
		}
		lines = append(lines, "    return a", "", "")
	}
	return lines
}

func mustParse(t testing.TB, text string) *unidiff.Diff {
	t.Helper()
	d, err := unidiff.Parse(unidiff.WithHeader(text))
	if err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	return d
}
