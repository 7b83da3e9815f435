package seal

import (
	"bytes"
	"testing"
)

// A seal gives nothing away, opens with its key alone, and shows every altered byte of it.
func TestKey_Seals(t *testing.T) {
	key, err := NewKey()
	if err != nil {
		t.Fatal(err)
	}
	answer := []byte(`{"comments":[{"body":"The counter starts too high"}]}`)
	s, sealed, err := key.Close("r__1", answer)
	if err != nil || bytes.Contains(sealed, []byte("counter")) {
		t.Fatalf("%q, %v", sealed, err)
	}
	if again, other, _ := key.Close("r__1", answer); again != s || !bytes.Equal(other, sealed) {
		t.Error("the same key seals the same answer in two ways")
	}
	if one, _, _ := key.Close("r__2", answer); one.SHA256 == s.SHA256 {
		t.Error("two tasks with one answer have one seal")
	}
	back, err := ParseKey(" " + key.String() + "\n")
	if err != nil || back != key {
		t.Fatal(err)
	}
	if got, err := back.Open(s, sealed); err != nil || !bytes.Equal(got, answer) {
		t.Fatalf("%q, %v", got, err)
	}
	for i := range sealed {
		altered := bytes.Clone(sealed)
		altered[i] ^= 1
		if _, err := key.Open(s, altered); err == nil {
			t.Errorf("byte %d of the sealed answer was altered, and it opens", i)
		}
	}
	other, _ := NewKey()
	for name, open := range map[string]func() error{
		"another key":  func() error { _, err := other.Open(s, sealed); return err },
		"another task": func() error { _, err := key.Open(Seal{"r__2", s.SHA256}, sealed); return err },
		"another seal": func() error { _, err := key.Open(Seal{"r__1", "0" + s.SHA256[1:]}, sealed); return err },
	} {
		if s.SHA256[0] == '0' && name == "another seal" {
			continue
		}
		if open() == nil {
			t.Errorf("opened with %s", name)
		}
	}
	if _, err := ParseKey("abc"); err == nil {
		t.Error("a short key was taken")
	}
}
