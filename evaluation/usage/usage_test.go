package usage

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/internal/reviewer"
)

func TestTaken_Add(t *testing.T) {
	got := Taken{Model: "m", Reported: map[string]int{}, Finish: map[string]int{}}
	price := &reviewer.Price{Input: 1, Output: 10}
	got.Add(reviewer.Usage{Input: 1e6, Output: 1e5, Reasoning: 50, Cached: 20, Counted: 1e6}, price, "stop", "m-1", 2, 30)
	got.Add(reviewer.Usage{Input: 2e6, Output: 1e5, Reasoning: 5, Cached: 2, Counted: 2e6, Doubted: true}, price, "stop", "m-1", 1, 40)
	got.Add(reviewer.Usage{Input: 50, Counted: 100, Doubted: true}, nil, "", "", 1, 0)
	got.Add(reviewer.Usage{Input: 49, Counted: 100, Doubted: true}, nil, "", "", 1, 0)
	got.Add(reviewer.Usage{Input: 10}, nil, "", "", 1, 0)
	want := Taken{Model: "m", Calls: 5, Attempts: 6, Input: 3_000_109, Output: 200_000, Reasoning: 55, Cached: 22, Millis: 70,
		Reported: map[string]int{"m-1": 2}, Finish: map[string]int{"stop": 2}, USD: 5, Certain: 2, Doubted: 2, said: 1_000_099, counted: 1_000_200}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Taken{})); diff != "" {
		t.Error(diff)
	}
}

func TestTaken_Warnings(t *testing.T) {
	for _, tc := range []struct {
		name  string
		taken Taken
		want  string // of all warnings; "" for none
	}{
		{"nothing", Taken{Model: "m"}, ""},
		{"few cut, one name, nearly all input", Taken{Model: "m", Calls: 20, Finish: map[string]int{"length": 1, "stop": 19}, Reported: map[string]int{"x": 20}, said: 70, counted: 100}, ""},
		{"many cut, for two reasons of one meaning", Taken{Model: "m", Calls: 20, Finish: map[string]int{"length": 1, "max_tokens": 1}}, "m: 2 of 20 answers were cut at the limit of output."},
		{"a judge", Taken{Model: "m", Role: "judge", Calls: 1, Finish: map[string]int{"refusal": 1}}, "the judge of m: 1 of 1 answers were refused by the model."},
		{"little input", Taken{Model: "m", said: 69, counted: 100}, "m: the endpoint counted 69 % of the input tokens that were sent: its window may cut questions."},
		{"two names", Taken{Model: "m", Reported: map[string]int{"y": 1, "x": 1}}, "m: the endpoint answered by several models: x, y."},
		{"doubted", Taken{Model: "m", Calls: 3, Doubted: 1}, "m: 1 of 3 answers do not say what they took, or nothing that can be true: their cost is our own count."},
	} {
		if got := strings.Join(tc.taken.Warnings(), "\n"); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}
