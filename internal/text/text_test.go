package text_test

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/prforge/prforge/internal/testenv"
	"github.com/prforge/prforge/internal/text"
)

// invalid are ill-formed texts and what replaces them, after table 3-8 of the
// Unicode standard.
var invalid = map[string]string{
	"plain é": "plain é", "\xff": "\ufffd", "a\xe2\x82b": "a\ufffdb", "\xf0\x90\x80": "\ufffd", "\xed\xa0\x80": "\ufffd\ufffd\ufffd",
	"\xc0\xaf": "\ufffd\ufffd", "\xe0\x80\xbf": "\ufffd\ufffd\ufffd", "\xf4\x90\x80\x80": "\ufffd\ufffd\ufffd\ufffd", "x\xc3": "x\ufffd",
	"caf\xe9!": "caf\ufffd!", "\xff\xfe": "\ufffd\ufffd", "\xe2\x82\xe2\x82\xac": "\ufffd€", "\xef\xbf\xbd": "\ufffd", "\xef\xbf": "\ufffd",
	"\x61\xf1\x80\x80\xe1\x80\xc2\x62\x80\x63\x80\xbf\x64": "a\ufffd\ufffd\ufffdb\ufffdc\ufffd\ufffdd",
}

func TestValid(t *testing.T) {
	for in, want := range invalid {
		if got := text.Valid(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestValidAsPython compares Valid with Python's decoder, where there is one.
func TestValidAsPython(t *testing.T) {
	var out strings.Builder
	cmd := exec.Command("python3", "-c", "import json,sys; print(json.dumps([bytes(b).decode('utf-8','replace') for b in json.load(sys.stdin)]))")
	var in [][]int
	var want []string
	for s := range invalid {
		bytes := []int{}
		for i := range len(s) {
			bytes = append(bytes, int(s[i]))
		}
		in, want = append(in, bytes), append(want, text.Valid(s))
	}
	b, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin, cmd.Stdout = strings.NewReader(string(b)), &out
	if err := cmd.Run(); err != nil {
		testenv.Missing(t, "no python3: %v", err)
	}
	var got []string
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("Valid gives %q, Python %q", want[i], got[i])
		}
	}
}

func TestForms(t *testing.T) {
	for _, c := range []struct{ name, in, lines, plain, oneLine, printable string }{
		{"line breaks", "a\r\nb\rc\u2028d", "a\nb\nc\nd", "a\nb\nc\nd", "a b c d", `a\u000d\u000ab\u000dc` + "\u2028d"},
		{"color", "a\x1b[31mb", "a\x1b[31mb", "a[31mb", "a[31mb", `a\u001b[31mb`},
		{"direction", "a\u202eb\u061cc", "a\u202eb\u061cc", "abc", "abc", `a\u202eb\u061cc`},
		{"upper controls", "a\u009bb", "a\u009bb", "ab", "ab", `a\u009bb`},
		{"tab", "a\tb", "a\tb", "a\tb", "a b", "a\tb"},
		{"invalid", "a\xe2\x82b", "a\ufffdb", "a\ufffdb", "a\ufffdb", "a\ufffdb"},
	} {
		got := [4]string{text.Lines(c.in), text.Plain(c.in), text.OneLine(c.in), text.Printable(c.in)}
		if want := [4]string{c.lines, c.plain, c.oneLine, c.printable}; got != want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, want)
		}
	}
}

func TestClip(t *testing.T) {
	for in, want := range map[string]string{"": "", "abc": "abc", "äöü": "äöü", "abcd": "ab…", "äöüß": "äö…"} {
		if got := text.Clip(in, 3); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestHead(t *testing.T) {
	for n, want := range []string{"", "a", "a", "aé", "aéb", "aéb"} {
		if got := text.Head("aéb", n); got != want {
			t.Errorf("%d bytes: %q, want %q", n, got, want)
		}
	}
	if got := text.Head("\x80\x80", 1); got != "" {
		t.Errorf("of bytes that begin no character: %q", got)
	}
}

func TestSplitJSON(t *testing.T) {
	for _, in := range []string{"", "plain", "a\xffb"} {
		s, b := text.SplitJSON(in)
		if s+string(b) != in || !utf8.ValidString(s) {
			t.Errorf("%q: %q and %q", in, s, b)
		}
	}
}

func FuzzForms(f *testing.F) {
	for s := range invalid {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for name, form := range map[string]func(string) string{"Valid": text.Valid, "Lines": text.Lines, "Plain": text.Plain, "OneLine": text.OneLine, "Printable": text.Printable} {
			once := form(s)
			if !utf8.ValidString(once) || form(once) != once {
				t.Errorf("%s(%q) is %q", name, s, once)
			}
		}
	})
}
