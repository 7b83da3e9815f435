package script

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// FuzzMask: where it is said that what is blanked out cannot be, there is none.
func FuzzMask(f *testing.F) {
	for _, src := range []string{"a<in T>", "a<\tout\nT, in\fout U>", "f(a, in)", "a<out,", "a</* x */in T>", "a, // x\nout T", "a,/*" + strings.Repeat("x", maxComments) + "*/out T", "a,/*" + strings.Repeat("x", maxComments-6) + "*/out T", "export type\n *"} {
		f.Add([]byte(src))
	}
	whole, err := os.ReadFile("testdata/syntax.txtar")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Fuzz(func(t *testing.T, src []byte) {
		if !mayVary(src) && variance.Match(src) {
			t.Errorf("%q has variance marks", src)
		}
		if !mayExportType(src) && exportType.Match(src) {
			t.Errorf("%q exports types", src)
		}
	})
}

func TestMayVary(t *testing.T) {
	for src, want := range map[string]bool{
		"a<in T, b, c>": true, "a<out T> = b": true, "a<b> = x + y": false, "f(a, b, index, outer)": false, "a,/* in */ b + c": false, "a, // in\nb + c": false,
		"a,bcde": false, "a,bcd": true, "in out in out": false,
	} {
		if got := mayVary([]byte(src)); got != want {
			t.Errorf("%q may vary: %v", src, got)
		}
	}
}

// Conditions that nobody knows keep the order of their names.
func TestTargetsOf(t *testing.T) {
	if got := targetsOf([]byte(`{"z": "./z.js", "b": ["./b.js", {"y": "./y.js"}], "a": "./a.js"}`), 0); !slices.Equal(got, []string{"./a.js", "./b.js", "./y.js", "./z.js"}) {
		t.Errorf("%q", got)
	}
}
