package contextbuilder

import (
	"testing"
)

// TestReadersOfChangedState: who reads the field that the change writes is shown
// with the statements around the read.
func TestReadersOfChangedState(t *testing.T) {
	base := memory{
		"shop/till.py": "class Till:\n    def add(self, price):\n        self.running_total = price\n\n" + repeated(60, "    def filler_%d(self):\n        return %d\n\n") +
			"    def report(self):\n" + repeated(60, "        prepare_%d(%d)\n") + "        if self.running_total > 100:\n            warn(self.running_total)\n" + repeated(60, "        finish_%d(%d)\n"),
		"shop/day.py": "from shop.till import Till\n\n\ndef close(till: Till):\n    return till.running_total * 2\n",
	}
	layer := layerOf(t, 3, base, "shop/till.py", map[string]string{"self.running_total = price": "        self.running_total = price + 1"})
	wants(t, layer, []string{"if self.running_total > 100:", "shop/day.py (reads running_total)", "return till.running_total * 2"}, []string{"prepare_1(1)"})
}

// TestSiblings: a function of the same name with most of the lines of the changed
// one comes before what has nothing to do with it.
func TestSiblings(t *testing.T) {
	body := "    def write(self, key, value):\n        entry = self.entry(key)\n        entry.lock()\n        entry.value = value\n        entry.unlock()\n        self.touch(entry)\n        return entry\n\n"
	base := memory{
		"cache/reads.py":   "class Reads:\n" + body + repeated(200, "    def filler_%d(self):\n        return %d\n\n"),
		"cache/twin.py":    "class Twin:\n" + repeated(200, "    def other_%d(self):\n        return %d\n\n") + body,
		"cache/distant.py": "class Distant:\n    def write(self, key, value):\n" + repeated(8, "        self.part_%d = %d\n"),
	}
	layer := layerOf(t, 3, base, "cache/reads.py", map[string]string{"entry.lock()": "        entry.lock(timeout=1)"})
	wants(t, layer, []string{"cache/twin.py (like Reads.write)", "entry.unlock()"}, []string{"Distant", "other_"})
}
