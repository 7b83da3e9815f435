package pattern

import (
	"regexp/syntax"
	"slices"
	"testing"
)

func TestNeeds(t *testing.T) {
	for expr, want := range map[string][]string{
		`(?i)\bas an AI\b`:            {"as an ai"},
		`(?i)(?:fix|add)\w* (?:it)?$`: {"fix", "add"},
		`(?i)generated|generic`:       {"gener"},
		`(ab)+`:                       {"ab"},
		`(?:abc){2,3}x`:               {"abc"},
		`x(?:abc)?`:                   nil,
		`x(?:abc){0,2}`:               nil,
		`[ab]c`:                       nil,
		`(?:abc|\d+)`:                 nil,
		`(?i)K\x{17f}t`:               {"kst"},
		`了解`:                          {"了解"},
	} {
		re, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if got := needs(re); !slices.Equal(got, want) {
			t.Errorf("%s needs %q, want %q", expr, got, want)
		}
	}
}

func TestMatchString(t *testing.T) {
	p := MustCompile(`(?i)(?:kind|ſtrange|ÄRGER) of\b`)
	for text, want := range map[string]bool{
		"Kind OF": true, "\u212aind of": true, "a strange of": true, "ärger of": true, "kindness": false, "": false, "of": false,
	} {
		if p.MatchString(text) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
	if _, err := Compile("("); err == nil {
		t.Error("no error")
	}
}

// FuzzMatchString: the words that are looked for first hide no match.
func FuzzMatchString(f *testing.F) {
	for _, expr := range []string{`(?i)\bas an AI\b`, `(?im)^(?:fix|add)\w* (?:it)?$`, `(?i)generated|generic`, `x{2}|yz+`, `(?i)K\x{17f}t`, `(?:)`, `[^a]b`} {
		f.Add(expr, "As an AI I generate strings. Fixed it")
		f.Add(expr, "xx \u212aſt yzz GENERIC")
	}
	f.Fuzz(func(t *testing.T, expr, text string) {
		p, err := Compile(expr)
		if err != nil {
			return
		}
		if p.MatchString(text) != p.Regexp.MatchString(text) {
			t.Errorf("%q in %q: needs %q", expr, text, p.needs)
		}
		if at := p.FindStringIndex(text); at != nil && !p.May(Fold(text)) {
			t.Errorf("%q in %q: needs %q", expr, text, p.needs)
		}
	})
}
