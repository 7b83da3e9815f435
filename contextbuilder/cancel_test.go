package contextbuilder

import (
	"context"
	"errors"
	"testing"

	"github.com/prforge/prforge/internal/imports"
)

// canceling is a tree that ends its run when a file is read.
type canceling struct {
	memory
	left   int // reads before the one that ends the run
	cancel func()
}

func (c *canceling) Read(path string) ([]byte, error) {
	if c.left--; c.left < 0 {
		c.cancel()
	}
	return c.memory.Read(path)
}

// TestCanceled: whichever file is being read when the run ends, that one is the last
// to be parsed, and the answer is that the run ended.
func TestCanceled(t *testing.T) {
	base := memory{
		"app/__init__.py": "from .pool import drain\n", "app/pool.py": "def drain(n):\n    return n\n",
		"app/calls.py": "from app import drain\n\ndef empty():\n    return drain(1)\n", "app/other.py": "class Pool:\n    def drain(self):\n        pass\n",
		"tests/test_pool.py": "from app.pool import drain\n\ndef test_drain():\n    assert drain(2) == 2\n",
	}
	diff := mustParse(t, diffOf("app/pool.py", []string{"def drain(n):", "    return n"}, []edit{{}, {delete: true, insert: []string{"    return n + 1"}}, {}}))
	for left := 0; ; left++ {
		ctx, cancel := context.WithCancel(t.Context())
		cache := imports.NewCache(1 << 20)
		parsed := -1
		in := Input{Title: "Drain more", Diff: diff, Base: &canceling{memory: base, left: left, cancel: func() {
			if cancel(); parsed < 0 {
				parsed = cache.Parsed().Files
			}
		}}}
		_, err := NewBuilder(DefaultOptions(), sharedCounter(), cache).Build(ctx, in)
		cancel()
		if parsed < 0 {
			if err != nil || left < len(base) {
				t.Fatalf("after %d reads: %v", left, err)
			}
			return
		}
		if got := cache.Parsed().Files; !errors.Is(err, context.Canceled) || got > parsed+1 {
			t.Errorf("ended at read %d: %v, %d files parsed after it", left+1, err, got-parsed)
		}
	}
}
