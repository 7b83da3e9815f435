package debugging

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

func member(id string, cause, effect int, kind string) Member {
	return Member{ID: id, Label: Label{Cause: Span{cause, cause}, Effect: Span{effect, effect}, Type: kind}}
}

func TestTogether(t *testing.T) {
	for _, tc := range []struct {
		name string
		a, b Member
		want verdict.Code
	}{
		{"apart", member("a", 1, 3, "KeyError"), member("b", 2, 4, "KeyError"), ""},
		{"one effect", member("a", 1, 4, "KeyError"), member("b", 2, 4, "TypeError"), verdict.PeelAmbiguous},
		{"one cause", member("a", 1, 3, "KeyError"), member("b", 1, 4, "KeyError"), verdict.PeelOverlap},
		{"one's cause is the other's effect", member("a", 1, 3, "KeyError"), member("b", 3, 4, "KeyError"), verdict.PeelOverlap},
		{"alike", member("a", 1, 3, "KeyError"), member("b", 2, 3, "KeyError"), verdict.PeelAmbiguous},
	} {
		if v := Together([]Member{tc.a, tc.b}); v.Code != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, v.Code, tc.want)
		}
	}
}

func TestShows(t *testing.T) {
	members := []Member{member("a", 1, 3, "KeyError"), member("b", 2, 4, "TypeError")}
	for _, tc := range []struct {
		name   string
		agrees bool
		run    *model.ScriptRun
		found  int
		want   verdict.Code
	}{
		{"the second", true, crash(4, model.ScriptException{Type: "TypeError"}), 1, ""},
		{"nothing", true, ran(1, 5), 0, verdict.PeelLost},
		{"another", true, crash(4, model.ScriptException{Type: "KeyError"}), 0, verdict.PeelChanged},
		{"differs", false, nil, 0, verdict.PeelChanged},
	} {
		i, v := Shows(members, tc.agrees, tc.run)
		if v.Code != tc.want || i != tc.found {
			t.Errorf("%s: %d %q, want %d %q", tc.name, i, v.Code, tc.found, tc.want)
		}
	}
	twice := []Member{members[1], members[1]}
	if _, v := Shows(twice, true, crash(4, model.ScriptException{Type: "TypeError"})); v.Code != verdict.PeelAmbiguous {
		t.Errorf("two alike: %q", v.Code)
	}
}

func TestCompositions(t *testing.T) {
	var members []Member
	for i := range 6 {
		members = append(members, member(fmt.Sprint("m", i), i+1, i+10, "KeyError"))
	}
	o := ComposeOptions{Seed: 1, Sizes: map[int]int{2: 2, 4: 1, 7: 1}, Tries: 3}
	for size, want := range map[int]int{2: 6, 3: 0, 4: 3, 7: 0} {
		got := Compositions(members, size, o)
		if len(got) != want || fmt.Sprint(got) != fmt.Sprint(Compositions(members, size, o)) {
			t.Errorf("%d at once: %v, want %d of them", size, got, want)
		}
	}
}

func TestApplyAll(t *testing.T) {
	s := parse(t, "a = 1\nb = 2\nc = 3\n")
	members := []Member{{Edits: change(t, s, "c = 3", "c = '3'").Edits}, {Edits: change(t, s, "a = 1", "a = '1'").Edits}}
	code, err := s.ApplyAll(members)
	if err != nil || string(code) != "a = '1'\nb = 2\nc = '3'\n" {
		t.Errorf("%q, error %v", code, err)
	}
}

func TestQuotas(t *testing.T) {
	var questions []Question
	for i := range 100 {
		q := Question{ID: fmt.Sprint("q", i), Script: fmt.Sprint("s", i%4), Operator: fmt.Sprint("o", i%10), Group: Data, Type: fmt.Sprint("T", i%5), Hop: Hop(2 * (i % 3 / 2))}
		if i < 60 {
			q.Type, q.Operator, q.Group, q.Telltale = "NameError", "name_defined", Names, i%2 == 0
		}
		questions = append(questions, q)
	}
	q := DefaultQuotas()
	keep := Within(questions, q)
	counts, total := map[string]int{}, 0
	for i, x := range questions {
		if keep[i] {
			total++
			counts["script "+x.Script]++
			for _, k := range q.kinds(x) {
				counts[k.name]++
			}
		}
	}
	for name, n := range counts {
		bound := 1.0
		switch {
		case strings.HasPrefix(name, "type"):
			bound = q.Type
		case strings.HasPrefix(name, "operator"):
			bound = q.Operator
		case name == "names":
			bound = q.Names
		case name == "single-hop":
			bound = q.SingleHop
		case name == "other":
			bound = q.Other
		case name == "telltale":
			bound = q.Telltale
		}
		if float64(n) > bound*float64(total)+1e-9 || strings.HasPrefix(name, "script") && n > q.PerScript {
			t.Errorf("%s has %d of %d", name, n, total)
		}
	}
	if total < 15 || fmt.Sprint(keep) != fmt.Sprint(Within(questions, q)) {
		t.Errorf("%d kept", total)
	}
	mixed := Within([]Question{{ID: "a", Script: "s", Hop: ManyHops}, {ID: "b", Script: "s", Hop: ManyHops}, {ID: "c", Script: "s"}, {ID: "d", Script: "s"}, {ID: "e", Script: "t"}}, Quotas{PerScript: 2})
	if mixed[0] == mixed[1] || mixed[2] == mixed[3] || !mixed[4] {
		t.Errorf("of two and two, one each should stay: %v", mixed)
	}
	for i, k := range Within(questions, Quotas{}) {
		if !k {
			t.Errorf("without quotas, %d is dropped", i)
		}
	}
}
