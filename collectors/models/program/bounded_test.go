package program

import "testing"

// The first bytes are kept, however they come, and what is full is said at once.
func TestBounded(t *testing.T) {
	b := bounded{left: 5}
	for _, part := range []string{"abc", "defg", "h"} {
		if n, err := b.Write([]byte(part)); n != len(part) || err != nil {
			t.Errorf("%s: %d, %v", part, n, err)
		}
		if b.over != (part != "abc") {
			t.Errorf("%s: over is %t", part, b.over)
		}
	}
	if b.String() != "abcde" {
		t.Errorf("kept %q", b.String())
	}
	told := 0
	b = bounded{left: 3, full: func() { told++ }}
	if _, err := b.Write([]byte("abc")); err != nil || told != 0 {
		t.Errorf("at its limit: told %d times, error %v", told, err)
	}
	if _, err := b.Write([]byte("d")); err == nil || told != 1 {
		t.Errorf("beyond its limit: told %d times, error %v", told, err)
	}
}
