package script

import (
	"os"
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
