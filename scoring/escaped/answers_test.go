package escaped_test

import (
	"testing"

	"github.com/prforge/prforge/scoring/escaped"
)

func TestAnswers(t *testing.T) {
	said := func(by, maker string, introduced bool, findable string) escaped.Answer {
		return escaped.Answer{By: by, Maker: maker, Introduced: introduced, Findable: findable}
	}
	ann, bob := said("ann", "", true, "diff"), said("bob", "", true, "diff")
	for _, tc := range []struct {
		name      string
		answers   []escaped.Answer
		confirmed bool
		findable  string
	}{
		{"nobody", nil, false, "unknown"},
		{"one", []escaped.Answer{ann}, false, "unknown"},
		{"one twice", []escaped.Answer{ann, ann}, false, "unknown"},
		{"two people", []escaped.Answer{ann, bob}, true, "diff"},
		{"a person and a model", []escaped.Answer{ann, said("m-1", "m", true, "diff")}, true, "diff"},
		{"two models of one maker", []escaped.Answer{said("m-1", "m", true, "diff"), said("m-2", "m", true, "diff")}, false, "unknown"},
		{"two models of two makers", []escaped.Answer{said("m-1", "m", true, "diff"), said("n-2", "n", true, "diff")}, true, "diff"},
		{"found otherwise", []escaped.Answer{ann, said("bob", "", true, "repository")}, true, "unknown"},
		{"outside", []escaped.Answer{said("ann", "", true, "outside"), said("bob", "", true, "outside")}, false, "outside"},
		{"nobody knows how", []escaped.Answer{said("ann", "", true, "unknown"), said("bob", "", true, "unknown")}, false, "unknown"},
		{"a third says no", []escaped.Answer{ann, bob, said("eve", "", false, "unknown")}, false, "diff"},
		{"two against two", []escaped.Answer{ann, bob, said("c", "", true, "outside"), said("d", "", true, "outside")}, true, "unknown"},
	} {
		if got := escaped.Confirmed(tc.answers); got != tc.confirmed {
			t.Errorf("%s: confirmed is %v", tc.name, got)
		}
		if got := escaped.Findable(tc.answers); got != tc.findable {
			t.Errorf("%s: findable is %q, want %q", tc.name, got, tc.findable)
		}
	}
}
