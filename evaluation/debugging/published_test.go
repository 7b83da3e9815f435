package debugging

import "testing"

func truth(cause, effect int, kind string) Truth {
	line := func(n int) Line {
		return Line{Text: "line_" + string(rune('a'+n)) + "()", First: n, Last: n}
	}
	return Truth{Cause: line(cause), Effect: line(effect), Type: kind, Message: "no " + kind}
}

func name(t Truth) Named {
	return Named{Cause: t.Cause.Text, Effect: t.Effect.Text, Type: t.Type, Message: t.Message}
}

// The published scorer gives full marks to a right answer about one error. Of
// several it compares every answer with the first truth, so that a perfect
// answer fails and one that names the first error twice passes.
func TestThePublishedProtocolWithItsFaults(t *testing.T) {
	a, b := truth(1, 2, "KeyError"), truth(3, 4, "TypeError")
	one, two := Sample{Script: "x", Truths: []Truth{a}}, Sample{Script: "x", Truths: []Truth{a, b}}
	got, err := tablesOf([]answered{
		{one, []Named{name(a)}}, {one, []Named{name(b)}}, {one, nil},
		{two, []Named{name(a), name(b)}}, {two, []Named{name(a), name(a)}}, {two, nil},
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	cause := Dimensions()[Cause]
	if m := got.Single.Dimensions[cause]; got.Single.Total != 3 || m.TP != 1 || m.FP != 1 || m.FN != 1 {
		t.Errorf("single: %+v of %d", m, got.Single.Total)
	}
	if m := got.Multi.Dimensions[cause]; got.Multi.Total != 3 || m.TP != 1 || m.FP != 1 || m.FN != 1 {
		t.Errorf("multi: %+v of %d", m, got.Multi.Total)
	}
	if m := got.Single.Dimensions[Dimensions()[Message]]; m.TP != 1 {
		t.Errorf("message: %+v", m)
	}
}

func TestPublishedAnswer(t *testing.T) {
	for want, n := range map[string]Named{
		"KeyError: no key": {Type: "builtins.KeyError", Message: "no\n key"}, "KeyError": {Type: "KeyError"}, "no key": {Message: "no key"}, "": {},
	} {
		if got := publishedAnswer(Sample{}, n)["error_message"]; got != want {
			t.Errorf("%+v: %q, want %q", n, got, want)
		}
	}
}

// With the published list of ids, records 1 to 5 and 1 to 10 count, and not what
// lies between those and the next.
func TestThePublishedIDs(t *testing.T) {
	a, b := truth(1, 2, "KeyError"), truth(3, 4, "TypeError")
	var all []answered
	for i := range 12 {
		if i == 9 {
			if got, err := tablesOf(all, true); err != nil || got.Multi.Total != 9 {
				t.Errorf("of nine %d, error %v", got.Multi.Total, err)
			}
		}
		script := string(rune('a' + i))
		all = append(all, answered{Sample{Script: script, Truths: []Truth{a}}, nil}, answered{Sample{Script: script, Truths: []Truth{a, b}}, nil})
	}
	for official, want := range map[bool][2]int{false: {12, 12}, true: {5, 10}} {
		got, err := tablesOf(all, official)
		if err != nil || got.Single.Total != want[0] || got.Multi.Total != want[1] {
			t.Errorf("official %v: %d and %d, error %v", official, got.Single.Total, got.Multi.Total, err)
		}
	}
}
