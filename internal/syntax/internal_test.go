package syntax

import "testing"

func TestParameters(t *testing.T) {
	for signature, want := range map[string]int{
		"void m()":                             0,
		"void m( )":                            0,
		"void m(int a)":                        1,
		"void m(Map<String, Integer> a, T b)":  2,
		"void m(int a, Object... b)":           -2,
		"void m(Object... b)":                  -1,
		"Point":                                0,
		"void m(@A(x = 1, y = {1, 2}) int a) ": 1,
	} {
		if got := Parameters(signature); got != want {
			t.Errorf("Parameters(%q) = %d, want %d", signature, got, want)
		}
	}
}

func TestNesting(t *testing.T) {
	for src, want := range map[string]int{
		"":                0,
		"((()))":          3,
		"()()()":          1,
		"))((":            2,
		`"(((" (`:         1,
		"don't ((":        2,
		`'\'((' [{`:       2,
		"`((`\n(\"\n((\"": 3,
	} {
		if got := nesting([]byte(src)); got != want {
			t.Errorf("nesting(%q) = %d, want %d", src, got, want)
		}
	}
}
