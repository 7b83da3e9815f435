package syntax

import (
	"os"
	"testing"
)

// FuzzMayVary: where it says that variance marks cannot be, there are none.
func FuzzMayVary(f *testing.F) {
	for _, src := range []string{"a<in T>", "a<\tout\nT, in\fout U>", "f(a, in)", "a<out,", "a</* x */in T>", "a, // x\nout T"} {
		f.Add([]byte(src))
	}
	whole, err := os.ReadFile("testdata/script.txtar")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Fuzz(func(t *testing.T, src []byte) {
		if !mayVary(src) && variance.Match(src) {
			t.Errorf("%q has some", src)
		}
	})
}
