package injection_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/prforge/prforge/injection"
)

func TestEditsAreAppliedAndUndone(t *testing.T) {
	src := "a = 1\nb = 2\nc = 3\n"
	for _, tc := range []struct {
		name, want string
		edits      []injection.Edit
	}{
		{"one", "a = 1\nx = 2\nc = 3\n", []injection.Edit{{Offset: 6, Line: 2, Old: "b", New: "x"}}},
		{"insert", "za = 1\nb = 2\nc = 3\n", []injection.Edit{{Offset: 0, Line: 1, New: "z"}}},
		{"at the end", src + "d", []injection.Edit{{Offset: len(src), Line: 4, New: "d"}}},
		{"lines exchanged", "b = 2\na = 1\nc = 3\n", []injection.Edit{
			{Offset: 0, Line: 1, Old: "a = 1\n"}, {Offset: 12, Line: 3, New: "a = 1\n"},
		}},
		{"two that change the length", "aa = 1\n= 2\nccc = 3\n", []injection.Edit{
			{Offset: 0, Line: 1, Old: "a", New: "aa"}, {Offset: 6, Line: 2, Old: "b "}, {Offset: 12, Line: 3, Old: "c", New: "ccc"},
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := injection.Apply([]byte(src), tc.edits)
			if err != nil || string(got) != tc.want {
				t.Fatalf("Apply = %q, %v; want %q", got, err, tc.want)
			}
			back, err := injection.Undo(got, tc.edits)
			if err != nil || string(back) != src {
				t.Fatalf("Undo = %q, %v", back, err)
			}
		})
	}
}

func TestEditsThatDoNotFitAreRefused(t *testing.T) {
	src := []byte("a = 1\nb = 2\n")
	for name, edits := range map[string][]injection.Edit{
		"other bytes":    {{Offset: 0, Line: 1, Old: "b", New: "x"}},
		"other line":     {{Offset: 6, Line: 1, Old: "b", New: "x"}},
		"nothing done":   {{Offset: 6, Line: 2, Old: "b", New: "b"}},
		"beyond the end": {{Offset: 99, Line: 3, New: "x"}},
		"negative":       {{Offset: -1, Line: 1, New: "x"}},
		"wrong order":    {{Offset: 6, Line: 2, Old: "b", New: "x"}, {Offset: 0, Line: 1, Old: "a", New: "x"}},
		"overlap":        {{Offset: 0, Line: 1, Old: "a =", New: "x"}, {Offset: 2, Line: 1, Old: "=", New: "x"}},
	} {
		if out, err := injection.Apply(src, edits); !errors.Is(err, injection.ErrEdit) || out != nil {
			t.Errorf("%s: Apply = %q, %v", name, out, err)
		}
	}
}

func FuzzApplyThenUndoIsTheOriginal(f *testing.F) {
	f.Add([]byte("a\nb\n"), 0, 1, "x", 2, 1, "yy\n")
	f.Fuzz(func(t *testing.T, src []byte, at1, n1 int, new1 string, at2, n2 int, new2 string) {
		edit := func(at, n int, replacement string) injection.Edit {
			at = min(max(at, 0), len(src))
			n = min(max(n, 0), len(src)-at)
			return injection.Edit{Offset: at, Line: 1 + bytes.Count(src[:at], []byte("\n")), Old: string(src[at : at+n]), New: replacement}
		}
		m := injection.Mutation{Edits: []injection.Edit{edit(at1, n1, new1), edit(at2, n2, new2)}}
		m.Order()
		out, err := injection.Apply(src, m.Edits)
		if err != nil {
			return
		}
		if back, err := injection.Undo(out, m.Edits); err != nil || !bytes.Equal(back, src) {
			t.Fatalf("Undo(%q, %+v) = %q, %v; want %q", out, m.Edits, back, err, src)
		}
	})
}
