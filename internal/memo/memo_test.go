package memo_test

import (
	"testing"

	"github.com/prforge/prforge/internal/memo"
)

func TestMemo(t *testing.T) {
	m := memo.New[string](10)
	has := func(want ...string) {
		t.Helper()
		for _, key := range []string{"a", "b", "c", "d"} {
			v, ok := m.Get(key)
			wanted := false
			for _, w := range want {
				wanted = wanted || w == key
			}
			if ok != wanted || ok && v != "value of "+key {
				t.Errorf("%s: %q %v, want %v", key, v, ok, wanted)
			}
		}
	}
	put := func(key string, cost int) { m.Put(key, "value of "+key, cost) }
	has()
	put("a", 4)
	put("b", 6)
	has("a", "b") // exactly full
	put("b", 6)   // again
	has("a", "b")
	put("d", 11) // more than there is room for
	has("a", "b")
	put("c", 1)
	has("c")
	m.Drop()
	has()
	put("a", 10)
	has("a")
}
