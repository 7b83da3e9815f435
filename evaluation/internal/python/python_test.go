package python

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestJSON(t *testing.T) {
	for text, want := range map[string]any{
		` null `: nil, "true": true, "[]": []any{}, "[ ]": []any{}, "{}": map[string]any{}, "-0": int64(0), "17": int64(17),
		"1.5": 1.5, "1e3": 1000.0, "1E-2": 0.01, "1e400": math.Inf(1), "NaN": math.NaN(), "-Infinity": math.Inf(-1),
		"123456789012345678901":             big("123456789012345678901"),
		`{"a": [1, {"b": "x"}], "a": "y" }`: map[string]any{"a": "y"},
		`"a b"`:                             "a b",
		`"a\n\u00e9\ud83d\ude00\/"`:         "a\né😀/", `"\ud83d!"`: "\ufffd!", `"\ud83d\u0041"`: "\ufffdA",
	} {
		got, ok := JSON(text)
		if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); !ok || diff != "" {
			t.Errorf("%s: %v %s", text, ok, diff)
		}
	}
	for _, text := range []string{"", " ", "[1,]", "{,}", `{"a"}`, `{1:2}`, "01", "+1", ".5", "1.", "1e", "-", "nul", "'a'",
		"\"a\nb\"", `"\x"`, `"\u12"`, `"a`, `"\`, `{`, `{"a":1,`, "[1 2]", "\ufeff[]", "[] x", strings.Repeat("[", 1000) + strings.Repeat("]", 1000),
		strings.Repeat(`{"a":`, 1000) + "1" + strings.Repeat("}", 1000)} {
		if got, ok := JSON(text); ok {
			t.Errorf("%.20q was read as %v", text, got)
		}
	}
	if got, end, ok := JSONAt("x [1] y", 2); !ok || len(got.([]any)) != 1 || end != 5 {
		t.Errorf("a value inside a text: %v %d %v", got, end, ok)
	}
}

func TestInt(t *testing.T) {
	for _, tc := range []struct {
		in   any
		want int64
	}{{true, 1}, {false, 0}, {int64(-4), -4}, {-42.9, -42}, {" +42 ", 42}, {"1_7", 17}, {"\u0664\u0662", 42}, {"\uff19\U0001d7ff", 99}, {"\x1c7\u00a0", 7}, {"007", 7}, {"\U0001d7d9\U0001d7da", 12}} {
		if got, ok := Int(tc.in); !ok || got != tc.want {
			t.Errorf("Int(%v) = %d, %v", tc.in, got, ok)
		}
	}
	for _, in := range []any{nil, "", "+", "_1", "1_", "1__2", "42.0", "L42", "0x1", "1 2", "--1", math.NaN(), math.Inf(1), big("99999999999999999999"), "99999999999999999999", []any{}, map[string]any{}} {
		if got, ok := Int(in); ok {
			t.Errorf("Int(%v) = %d", in, got)
		}
	}
}

func TestTruthy(t *testing.T) {
	for want, values := range map[bool][]any{
		false: {nil, false, int64(0), 0.0, "", []any{}, map[string]any{}},
		true:  {true, int64(-1), 0.5, math.NaN(), "0", []any{nil}, map[string]any{"": nil}, big("99999999999999999999")},
	} {
		for _, v := range values {
			if Truthy(v) != want {
				t.Errorf("Truthy(%#v) is %v", v, !want)
			}
		}
	}
}

func TestText(t *testing.T) {
	for _, tc := range []struct {
		in   any
		want string
	}{{nil, "None"}, {true, "True"}, {false, "False"}, {int64(7), "7"}, {1.5, "1.5"}, {17.0, "17.0"}, {1e16, "1e+16"}, {1e15, "1000000000000000.0"},
		{0.0001, "0.0001"}, {0.00001, "1e-05"}, {math.NaN(), "nan"}, {math.Inf(-1), "-inf"}, {"x", "x"}, {[]any{nil}, "[None]"},
		{[]any{"a'b", `q"`, `both'"`, "\x00\n\t\\"}, `["a'b", 'q"', 'both\'"', '\x00\n\t\\']`},
		{[]any{"\u200b\ue000\U000e0001é漢", map[string]any{"z": []any{true, 1.5}, "k": nil}}, `['\u200b\ue000\U000e0001é漢', {'k': None, 'z': [True, 1.5]}]`},
		{-0.7071067811865475, "-0.7071067811865475"}} {
		if got := Text(tc.in); got != tc.want {
			t.Errorf("Text(%v) = %s, want %s", tc.in, got, tc.want)
		}
	}
}

func TestLinesTrimLower(t *testing.T) {
	if diff := cmp.Diff([]string{"a", "b", "", "c", "d", "e"}, Lines("a\nb\r\n\rc\u2028d\x1ce\n")); diff != "" {
		t.Error(diff)
	}
	if got := Trim("\x1f\u3000 a \x1c"); got != "a" {
		t.Errorf("%q", got)
	}
	if got := Lower("İΣΑΣ K"); got != "i\u0307σας k" {
		t.Errorf("%q", got)
	}
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{`[{"a":1.5e3}]`, `["[","[`, `{"a":"\ud83d\ude00"}`, "NaN"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, ok := JSON(s)
		if ok {
			Text(v)
			Int(v)
			Truthy(v)
		}
	})
}
