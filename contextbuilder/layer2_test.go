package contextbuilder

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// TestLayer2_Room changes functions of two production files and of a test file
// and shows the change in more and more room: production files first by shares,
// then every file takes what is left.
func TestLayer2_Room(t *testing.T) {
	base, text := memory{}, ""
	for _, f := range []struct {
		path              string
		functions, change int
	}{{"shop/order.py", 9, 3}, {"shop/price.py", 6, 2}, {"tests/test_order.py", 6, 2}} {
		lines, edits := changedFunctions(f.functions, f.change)
		base[f.path] = strings.Join(lines, "\n") + "\n"
		text += diffOf(f.path, lines, edits)
	}
	p, err := newTestBuilder(DefaultOptions()).study(t.Context(), &Input{Diff: mustParse(t, text), Base: base})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		limit              int
		order, price, test int // hunks shown
	}{
		{110, 0, 0, 0},
		{111, 1, 0, 0}, // the first has the greater share
		{252, 2, 0, 0},
		{253, 1, 1, 0},
		{419, 2, 2, 0},
		{502, 3, 2, 0},
		{609, 3, 2, 0}, // what the production files leave is too little
		{610, 3, 2, 1},
		{692, 3, 2, 1},
		{693, 3, 2, 2},
	} {
		t.Run(fmt.Sprint(tc.limit, " tokens"), func(t *testing.T) {
			layer := newDiffLayer(measure{counter: sharedCounter().Lines()}, p, DefaultOptions())
			layer.fill(tc.limit)
			got := map[string]int{}
			for _, block := range diffBlocks(layer.text()) {
				for _, f := range mustParse(t, block).Files {
					got[f.Path()] = len(f.Hunks)
				}
			}
			want := map[string]int{"shop/order.py": tc.order, "shop/price.py": tc.price, "tests/test_order.py": tc.test}
			maps.DeleteFunc(want, func(_ string, n int) bool { return n == 0 })
			if !maps.Equal(got, want) {
				t.Errorf("%v, want %v, in %d tokens", got, want, layer.tokens())
			}
		})
	}
}

// changedFunctions is a file of functions of which the first few change a line.
func changedFunctions(functions, changed int) ([]string, []edit) {
	var lines []string
	edits := make([]edit, 10*functions+1)
	for i := range functions {
		if i < changed {
			edits[len(lines)+5] = edit{insert: []string{fmt.Sprintf("    c = a * b + %d", i)}, delete: true}
		}
		lines = append(lines, fmt.Sprintf("def function_%d(a, b):", i))
		for range 7 {
			lines = append(lines, fmt.Sprintf("    c = a + b + %d", i))
		}
		lines = append(lines, "", "")
	}
	return lines, edits
}
