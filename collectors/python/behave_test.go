package python

import (
	"os"
	"strings"
	"testing"
)

const shop = `from app.store import Base, NotFound

class Store(Base):
    def get(self, key, default=None):
        try:
            value = self.backend.load(key)
        except NotFound:
            self.missed += 1
            raise KeyError(key)
        if not value:
            return self.fallback(key)
        return value

    async def fetch(self, key):
        found = await self.ask(key)
        return found

def clip(n, low=0, high=10):
    if n < low:
        return low
    if n > high:
        return high
    return n

def collect(item, seen=None):
    if seen is None:
        seen = []
    seen.append(item)
    return seen

def total(a, b):
    return max(a, b)
`

// A call tells a function from the edited one where it does something else, and
// from one that only looks different it does not.
func TestBehaviors(t *testing.T) {
	box, err := New(t.Context(), DefaultOptions())
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	defer box.Close()
	cases := []struct{ old, new, code, function string }{
		{"if not value", "if value", "", "Store.get"},
		{"return self.fallback(key)", "self.fallback(key)", "", "Store.get"},
		{"            raise KeyError(key)\n", "            return default\n", "", "Store.get"},
		{"await self.ask(key)", "self.ask(key)", "", "Store.fetch"},
		{"n > high", "n > low", "", "clip"},
		{"seen=None):\n    if seen is None:\n        seen = []\n", "seen=[]):\n", "", "collect"},
		{"    if n > high:\n        return high\n", "    if n > high:\n        return high + 0\n", "same_behavior", "clip"},
		{"max(a, b)", "max(b, a)", "", "total"}, // of equals, the first
		{"class Store(Base)", "class Store(Base, )", "no_function", ""},
	}
	var edited []Edited
	for _, c := range cases {
		at := strings.Index(shop, c.old)
		edited = append(edited, Edited{Code: []byte(shop[:at] + c.new + shop[at+len(c.old):]), Line: 1 + strings.Count(shop[:at], "\n")})
	}
	first, err := box.Behaviors(t.Context(), []byte(shop), edited)
	if err != nil {
		t.Fatal(err)
	}
	again, err := box.Behaviors(t.Context(), []byte(shop), edited)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		b := first[i]
		if b.Code != c.code || b.Function != c.function || (b.Code == "") != (b.Before != b.After) {
			t.Errorf("%q: %+v", c.new, b)
		}
		if again[i] != b {
			t.Errorf("%q: %+v, and then %+v", c.new, b, again[i])
		}
	}
	hangs := []Edited{{Code: []byte("import os\ndef f(x):\n    while True:\n        x = 1\n"), Line: 3}}
	if got, err := box.Behaviors(t.Context(), []byte("import os\ndef f(x):\n    while x:\n        x = 0\n"), hangs); err != nil || got[0].Code == "" {
		t.Errorf("what does not end: %+v, %v", got, err)
	}
}
