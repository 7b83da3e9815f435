package debugging

import (
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/verdict"
)

func TestAModelsAnswerIsHeldToTheSameChecks(t *testing.T) {
	src := "import math\nside = math.sqrt(2)\nprint(side)\n"
	for _, tc := range []struct {
		name, answer string
		want         verdict.Code
	}{
		{"accepted", "Here it is:\n```json\n{\"replacement\": \"side = math.sqrt('2')\"}\n```", ""},
		{"two statements", `{"replacement": "side = math.sqrt(2); del side"}`, verdict.MutantMoreThanOne},
		{"two lines", `{"replacement": "side = math.sqrt(2)\ndel side"}`, verdict.MutantMoreThanOne},
		{"leaks by a comment", `{"replacement": "side = math.sqrt('2')  # text"}`, verdict.MutantLeaks},
		{"leaks by a name", `{"replacement": "side = math.wrong_sqrt(2)"}`, verdict.MutantLeaks},
		{"unparsed code", `{"replacement": "side = math.sqrt((2)"}`, verdict.MutantUnparsed},
		{"no JSON", `side = math.sqrt('2')`, verdict.MutantUnparsed},
		{"other field", `{"code": "side"}`, verdict.MutantUnparsed},
		{"nothing", `{"replacement": "side = math.sqrt(2)"}`, verdict.MutantChangesNothing},
	} {
		s := parse(t, src)
		targets := ModelTargets(s, func(sp Span) bool { return sp.First == 2 }, 1, 5)
		if len(targets) != 1 || !strings.Contains(s.ModelPrompt(targets[0]), "line 2 to 2") {
			t.Fatalf("targets %v", targets)
		}
		c, v := s.ReadModel(targets[0], tc.answer)
		if v.Outcome == verdict.OutcomePass {
			_, v = s.Check(c)
		}
		if v.Code != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, v.Code, tc.want)
		}
	}
}

func TestPromptShowsTheCodeAndNoMore(t *testing.T) {
	in := PromptInput{Task: "Sums.", Code: "a = 1\n\nb = '```'\n", Runtime: "Python 3.11.2", Data: []string{"a.csv: x, y"}, Errors: 2}
	plain, numbered := Prompt(in, false), Prompt(in, true)
	for _, part := range []string{"Sums.", "Python 3.11.2", "a.csv: x, y", "2 errors", "````python\na = 1\n\nb = '```'\n````\n"} {
		if !strings.Contains(plain, part) {
			t.Errorf("%q is missing in %q", part, plain)
		}
	}
	if !strings.Contains(numbered, "1  a = 1\n2\n3  b") {
		t.Errorf("%q", numbered)
	}
	in.Errors = 0
	if strings.Contains(Prompt(in, false), "errors") {
		t.Error("the number of errors is given away")
	}
}

func TestTask(t *testing.T) {
	for src, want := range map[string]string{
		"\"\"\"\nSums\n====\n\"\"\"\nprint(1)\n":                           "Sums\n====",
		"#!/usr/bin/python3\n# -*- coding: utf-8 -*-\n# Sums.\nprint(1)\n": "Sums.",
		"print(1)\n": "",
	} {
		if got := parse(t, src).Task(); got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}
