package tokens_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/internal/testenv"
	"github.com/prforge/prforge/internal/text"
)

var update = flag.Bool("update", false, "write the golden files, from the Node.js package")

// folder holds the independent implementation and the golden file.
const folder = "../testdata/tokens"

var counter = sync.OnceValue(func() *tokens.Counter {
	c, err := tokens.NewCounter()
	if err != nil {
		panic(err)
	}
	return c
})

// tricky are texts at the splitter's corners.
var tricky = []string{
	"", " ", "\n", "\r\n", "a\nb\r\nC", "a\n   \nb", "\n   \n", "x\n\n   \n\t\n  y", "   x", "\t\tx", "  \r\n  \r  x ", "end   ", "end \n ",
	"don't DON'T we'Re I'LL 'sx 'Sx it'ſ x'ſ '", "HTTPServer parseURL ABC abcDEF ǅabc ǅ", "あAB あAあB ABあ",
	"1 12 123 1234 ¼½¾² ٣٤٥٦ 12a", "a\u0301e\u0301 \u0301abc \u0301ABC \u0301", "})\n// x", "//\n\n/ /*\r\n*/", "=>\n/a",
	"\u0085x \u00a0y \u2028z\u2029 \u3000w \ufeffq \u200b", "👩‍👩‍👧‍👦 🇩🇪 e\u0301 \u00e9", "<|endoftext|> <|endofprompt|>",
	"日本語のテキスト 中文 한국어 עברית العربية हिन्दी ไทย", "ʰabc ʰABC ªº", "_a __init__ $x @y #z", "\x00\x01\x7f", "a\u00adb", "\ufffd\ufffd",
	"```diff\n@@ -1,3 +1,4 @@ func main() {\n \tx := 1\n-\ty\n+\tz\n```\n\n---\n\n## Layer 3",
}

// independent encodes texts with the Node.js package, or skips the test.
func independent(t testing.TB, texts []string) [][]uint32 {
	t.Helper()
	if _, err := os.Stat(filepath.Join(folder, "node_modules", "tiktoken")); err != nil {
		testenv.Missing(t, "the independent tokenizer is not installed: run npm ci in contextbuilder/testdata/tokens")
	}
	var in, out bytes.Buffer
	for _, text := range texts {
		line, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	cmd := exec.Command("node", filepath.Join(folder, "encode.js"))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, os.Stderr
	if err := cmd.Run(); err != nil {
		testenv.Missing(t, "node does not run: %v", err)
	}
	var ids [][]uint32
	for dec := json.NewDecoder(&out); dec.More(); {
		var one []uint32
		if err := dec.Decode(&one); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, one)
	}
	if len(ids) != len(texts) {
		t.Fatalf("%d answers for %d texts", len(ids), len(texts))
	}
	return ids
}

// TestFits compares Fits with Count one below, at and one above the limit, and
// proves that a text far too long is refused without merging anything.
func TestFits(t *testing.T) {
	c := counter()
	for _, text := range append(slices.Clone(tricky), strings.Repeat("x = f(1, 2)\n", 50), strings.Repeat(" ", 1000)) {
		want := c.Count(text)
		if ids := c.Encode(text); len(ids) != want {
			t.Errorf("%.40q: %d tokens counted, %d encoded", text, want, len(ids))
		}
		for limit, fits := range map[int]bool{want - 1: false, want: true, want + 1: true} {
			if n, ok := c.Fits(text, limit); ok != fits || ok && n != want {
				t.Errorf("%.40q of %d tokens with limit %d: %d, %v", text, want, limit, n, ok)
			}
		}
	}
	bundle := strings.Repeat("abcdefgh", 1<<19)
	if n := testing.AllocsPerRun(1, func() {
		if _, fits := c.Fits(bundle, 1000); fits {
			t.Error("4 MB fit into 1000 tokens")
		}
	}); n != 0 {
		t.Errorf("%.0f allocations to refuse a text that is far too long", n)
	}
}

func compare(t *testing.T, texts []string, want [][]uint32) {
	t.Helper()
	for i, text := range texts {
		got := counter().Encode(text)
		if !slices.Equal(got, want[i]) {
			t.Errorf("%.200q: %v, not %v", text, got, want[i])
		}
		if n := counter().Count(text); n != len(want[i]) {
			t.Errorf("%.200q counts %d, not %d", text, n, len(want[i]))
		}
	}
}

// TestGolden checks the ids against those the reference implementation gave.
func TestGolden(t *testing.T) {
	file := filepath.Join(folder, "golden.json")
	if *update {
		data, err := json.Marshal(independent(t, tricky))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append(bytes.ReplaceAll(data, []byte("],"), []byte("],\n")), '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var want [][]uint32
	if err := json.Unmarshal(data, &want); err != nil || len(want) != len(tricky) {
		t.Fatalf("%d golden answers for %d texts (%v): run with -update", len(want), len(tricky), err)
	}
	compare(t, tricky, want)
}

// randomTexts are made of the characters and words at which pattern and merging
// are most easily got wrong.
func randomTexts() []string {
	atoms := []string{" ", " ", "  ", "\t", "\n", "\r", "\r\n", "\n\n", "a", "B", "word", "Word", "WORD", "'s", "'LL", "'", "1", "2024", "/", "//", "_", "(", ")",
		"é", "e\u0301", "\u0301", "あ", "ǅ", "ʰ", "¼", "٣", "\u00a0", "\u2028", "\u0085", "\ufeff", "👩‍👧", "ſ", "'ſ", "中文", "{}", "\"", "==", "func ", "self."}
	rng := rand.New(rand.NewPCG(1, 2))
	texts := make([]string, 20000)
	for i := range texts {
		var b strings.Builder
		for range 1 + rng.IntN(30) {
			if rng.IntN(20) == 0 {
				b.WriteRune(rune(rng.IntN(0x3000)))
			} else {
				b.WriteString(strings.Repeat(atoms[rng.IntN(len(atoms))], 1+rng.IntN(3)))
			}
		}
		texts[i] = b.String()
	}
	for _, char := range []string{"a", "A", " ", "\n", "1", "=", "あ", "\u0301", "é", "\t ", "\n ", "ab", "/\n"} {
		texts = append(texts, strings.Repeat(char, 3000))
	}
	return texts
}

// TestIndependent compares random texts.
func TestIndependent(t *testing.T) {
	texts := randomTexts()
	compare(t, texts, independent(t, texts))
}

// TestLines: lines counted once and added up are the whole text's tokens.
func TestLines(t *testing.T) {
	lines := counter().Lines()
	for _, text := range slices.Concat(tricky, randomTexts()) {
		want := counter().Count(text)
		if n := lines.Count(text); n != want {
			t.Fatalf("%.200q: %d tokens by lines, not %d", text, n, want)
		}
		if _, fits := lines.Fits(text, want-1); fits {
			t.Fatalf("%.200q of %d tokens fits into one less", text, want)
		}
	}
}

// FuzzCount: pieces cover the text, ids spell it, and counting agrees.
func FuzzCount(f *testing.F) {
	for _, text := range tricky {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = text.Valid(s)
		n, ids := counter().Count(s), counter().Encode(s)
		if n != len(ids) || n > len(s) {
			t.Fatalf("%q: count %d, %d ids", s, n, len(ids))
		}
		if _, fits := counter().Fits(s, n-1); fits {
			t.Fatalf("%q of %d tokens fits into one less", s, n)
		}
		if lines := counter().Lines().Count(s); lines != n {
			t.Fatalf("%q: %d tokens by lines, not %d", s, lines, n)
		}
	})
}

func BenchmarkCount(b *testing.B) {
	source, err := os.ReadFile("tokens_test.go")
	if err != nil {
		b.Fatal(err)
	}
	for name, text := range map[string]string{"source": string(source), "one line": strings.Repeat("a", 100_000), "spaces": strings.Repeat(" ", 100_000)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				counter().Count(text)
			}
		})
	}
}

func ExampleCounter_Count() {
	c, err := tokens.NewCounter()
	if err != nil {
		panic(err)
	}
	fmt.Println(c.Count("Nothing is ever cut in the middle."))
	// Output: 8
}
