package config

import (
	"fmt"
	"strings"
	"testing"
)

// A text of a few hundred bytes must not take gigabytes, and no text a crash.
func TestHostileTextsAreRefusedBeforeTheyAreDecoded(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 10; i++ {
		fmt.Fprintf(&bomb, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), ", "))
	}
	for name, text := range map[string]string{
		"aliases":       bomb.String(),
		"a merge key":   "base: {a: 1}\nx:\n  <<: {a: 2}\n",
		"deep brackets": "x: " + strings.Repeat("[", 200_000),
		"deep braces":   "x: " + strings.Repeat("{a: ", 50_000),
		"deep blocks":   deepBlocks(1_500),
		"many words":    "repositories:\n" + strings.Repeat("- a/b\n", 120_000),
	} {
		if _, err := Parse("x.yaml", []byte(text)); err == nil || len(err.Error()) > 200 {
			t.Errorf("%s: %.300v", name, err)
		}
	}
}

func deepBlocks(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func FuzzParse(f *testing.F) {
	f.Add(minimal)
	f.Add("a: &a [*a]")
	f.Add("x: " + strings.Repeat("[", 60))
	f.Fuzz(func(_ *testing.T, text string) {
		if len(text) < 1<<16 {
			_, _ = Parse("x.yaml", []byte(text)) // it must end, and not panic
		}
	})
}
