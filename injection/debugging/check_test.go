package debugging

import (
	"strings"
	"testing"

	"github.com/prforge/prforge/injection"
	"github.com/prforge/prforge/internal/verdict"
)

// change is the candidate that replaces text, which must be there once.
func change(t *testing.T, s *Script, old, text string) Candidate {
	t.Helper()
	src := string(s.Source())
	at := strings.Index(src, old)
	if at < 0 || strings.Count(src, old) != 1 {
		t.Fatalf("%q is not there once", old)
	}
	line := strings.Count(src[:at], "\n") + 1
	for i, st := range s.Statements {
		if st.Span.First <= line && line <= st.Span.Last {
			return Candidate{Operator: "test", Statement: i, Edits: []injection.Edit{{Offset: at, Line: line, Old: old, New: text}}}
		}
	}
	t.Fatalf("no statement on line %d", line)
	return Candidate{}
}

func parse(t *testing.T, src string) *Script {
	t.Helper()
	s, err := Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCheck(t *testing.T) {
	src := "import math\n# the side\nside = math.sqrt(2)  # long\nif side > 1:\n    print(side,\n          1)\n"
	for _, tc := range []struct {
		name, old, text string
		want            verdict.Code
	}{
		{"one statement", "sqrt(2)", "sqrt('2')", ""},
		{"a header", "side > 1", "side > '1'", ""},
		{"inside lines of a statement", "          1)", "          '1')", ""},
		{"does not parse", "sqrt(2)", "sqrt(2", verdict.MutantUnparsed},
		{"two statements", "sqrt(2)", "sqrt(2); a = 1", verdict.MutantMoreThanOne},
		{"one line more", "sqrt(2)", "sqrt(\n2)", verdict.MutantMoreThanOne},
		{"a new comment", "print(side,", "print(side,  # here", verdict.MutantLeaks},
		{"a comment changed", "# long", "# short", verdict.MutantLeaks},
		{"a word that gives it away", "sqrt(2)", "sqrt(wrong_value)", verdict.MutantLeaks},
		{"nothing", "sqrt(2)", "sqrt(2)", verdict.MutantChangesNothing},
	} {
		s := parse(t, src)
		code, v := s.Check(change(t, s, tc.old, tc.text))
		if v.Code != tc.want || (code == nil) != (tc.want != "") {
			t.Errorf("%s: %s %q, want %q", tc.name, v.Code, code, tc.want)
		}
	}
}

func TestSpansAreThoseOfStatements(t *testing.T) {
	s := parse(t, "@d\ndef f(a,\n      b=1):\n    return a\nfor x in (1,\n          2):\n    pass\nelse:\n    x = 1; y = 2\ntry:\n    f(1)\nexcept E as e:\n    pass\nwith a as b: pass\n")
	got := map[Span]bool{}
	for _, st := range s.Statements {
		got[st.Span] = st.Shared
	}
	for span, shared := range map[Span]bool{{2, 3}: false, {4, 4}: false, {5, 6}: false, {9, 9}: true, {12, 12}: false, {14, 14}: true} {
		if have, ok := got[span]; !ok || have != shared {
			t.Errorf("%v: there %v, shared %v, want %v; all %v", span, ok, have, shared, got)
		}
	}
}

func TestDrawIsBoundedAndTheSameAgain(t *testing.T) {
	s := parse(t, strings.Repeat("a.b()\nc = d.e(1, 2)\n", 30)+"if 0:\n    f.g()\n")
	o := PlanOptions{Seed: 1, PerScript: 3, PerOperator: 2}
	run := ran(1, 61)
	p := Draw(s, run, Operators(), o)
	again := Draw(s, run, Operators(), o)
	perOperator := map[string]int{}
	for i, c := range p.Drawn {
		perOperator[c.Operator]++
		if c.Key() != again.Drawn[i].Key() || s.Statements[c.Statement].Span.First > 61 {
			t.Errorf("candidate %d: %v, then %v", i, c, again.Drawn[i])
		}
	}
	all := 0
	for _, op := range Operators() {
		all += len(op.Find(s))
		if perOperator[op.Name] > 2 {
			t.Errorf("%s was drawn %d times", op.Name, perOperator[op.Name])
		}
	}
	left := map[verdict.Code]int{}
	for _, u := range p.Left {
		left[u.Verdict.Code]++
	}
	if len(p.Drawn) != 3 || left[verdict.MutantNotExecuted] != 1 || left[verdict.OverQuota] != all-4 {
		t.Errorf("%d drawn of %d, left %v", len(p.Drawn), all, left)
	}
	o.Seed = 2
	if other := Draw(s, run, Operators(), o); other.Drawn[0].Key() == p.Drawn[0].Key() && other.Drawn[1].Key() == p.Drawn[1].Key() {
		t.Error("another seed draws the same")
	}
}
