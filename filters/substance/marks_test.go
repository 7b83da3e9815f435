package substance

import (
	"testing"

	"github.com/prforge/prforge/internal/model"
)

// show writes a pointer for a table: "" for nil.
func show[T any](p *T, write func(T) string) string {
	if p == nil {
		return ""
	}
	return write(*p)
}

func TestReadMarks(t *testing.T) {
	yesNo := func(b bool) string {
		if b {
			return "yes"
		}
		return "no"
	}
	for prose, want := range map[string][3]string{ // label, severity, blocking
		"issue (blocking): the lock is held":         {"issue", "", "yes"},
		"issue: the lock is held":                    {"issue", "", ""},
		"suggestion: use a map":                      {"suggestion", "", ""},
		"suggestion (non-blocking): use a map":       {"suggestion", "", "no"},
		"**suggestion (if-minor):** use a map":       {"suggestion", "", "no"},
		"suggestion (security, blocking): escape it": {"suggestion", "", "yes"},
		"issue (critical): the token leaks":          {"issue", "critical", ""},
		"nitpick (non-blocking): a shorter name":     {"nitpick", "low", "no"},
		"nit: a shorter name":                        {"nit", "low", "no"},
		"Nit - a shorter name":                       {"nit", "low", "no"},
		"nit; a shorter name":                        {"nit", "low", "no"},
		"[nit] a shorter name":                       {"nit", "low", "no"},
		"todo: add a test":                           {"todo", "", "yes"},
		"chore: run the generator":                   {"chore", "", "yes"},
		"question: is it thread safe":                {"question", "", ""},
		"thought: we could cache":                    {"thought", "", "no"},
		"note: this runs twice":                      {"note", "", "no"},
		"Not a blocker: an alias would do":           {"not a blocker", "", "no"},
		"non-blocking: an alias would do":            {"non-blocking", "", "no"},
		"Blocking: the lock is held":                 {"blocking", "", "yes"},
		"Critical: the token leaks":                  {"critical", "critical", ""},
		"**[High]** the token leaks":                 {"high", "high", ""},
		"P1: the token leaks":                        {"p1", "high", ""},
		"[P3] the name":                              {"p3", "low", ""},
		"Severity: medium - the index is off":        {"severity: medium", "medium", ""},
		"Major: the index is off":                    {"major", "high", ""},
		"minor: the index is off":                    {"minor", "low", ""},
		"🐛 issue (blocking): the index is off":       {"issue", "", "yes"},
		"The issue: it is critical":                  {"", "", ""},
		"Issue is that the lock is held":             {"", "", ""},
		"high memory use here":                       {"", "", ""},
		"Note that this runs twice":                  {"", "", ""},
		"Optional arguments come last":               {"", "", ""},
		"This is a critical bug":                     {"", "", ""},
		"":                                           {"", "", ""},
	} {
		m := readMarks(prose)
		got := [3]string{m.label, show(m.severity, func(s string) string { return s }), show(m.blocking, yesNo)}
		if got != want {
			t.Errorf("%q: %q, want %q", prose, got, want)
		}
	}
}

func TestRequiresChange(t *testing.T) {
	const tail = " because the error of the call is dropped otherwise"
	for body, want := range map[string]bool{
		"```suggestion\nx\n```\nThis one keeps the error, the other dropped it without a word.": true,
		"You should return the error here" + tail:                                               true,
		"This must be closed here" + tail:                                                       true,
		"Please return the error here" + tail:                                                   true,
		"Could you return the value here" + tail:                                                true,
		"Could we clarify what the call returns here" + tail:                                    true,
		"Can you integrate it into the helper" + tail:                                           true,
		"Can we add a check here" + tail:                                                        true,
		"Let's return the error here" + tail:                                                    true,
		"Return the error to the caller here" + tail:                                            true,
		"The close call is missing in this branch" + tail:                                       true,
		"I would rather use the helper of the package" + tail:                                   true,
		"issue: the error of the call is dropped in this function":                              true,
		"todo: the error of the call is dropped in this function":                               true,
		"nit: you should return the error here" + tail:                                          false,
		"suggestion (non-blocking): return the error here" + tail:                               false,
		"The error of the call is lost in this function, interesting":                           false,
		"What happens if the file is gone when this function runs?":                             false,
	} {
		label := Label(withThreads([]model.Comment{remark(body)}), testRegistry(t), DefaultOptions()).Comments[0]
		if !label.Substantive || label.RequiresChange != want {
			t.Errorf("%q: substantive %v (%s), requires change %v, want %v", body, label.Substantive, label.Reason, label.RequiresChange, want)
		}
	}
}

// TestChangeRequest covers comments of reviews that requested changes.
func TestChangeRequest(t *testing.T) {
	const body = "The error of the call is lost in this function, interesting"
	for name, c := range map[string]struct {
		state     model.ReviewState
		dismissed model.ReviewState
		reviewer  model.Account
		body      string
		blocking  *bool
		requires  bool
	}{
		"requested":              {model.ChangesRequested, "", person("reviewer"), body, ptr(true), true},
		"requested, dismissed":   {model.Dismissed, model.ChangesRequested, person("reviewer"), body, ptr(true), true},
		"requested, and hedged":  {model.ChangesRequested, "", person("reviewer"), body + " Up to you.", nil, true},
		"approved, dismissed":    {model.Dismissed, model.Approved, person("reviewer"), body, nil, false},
		"commented":              {model.Commented, "", person("reviewer"), body, nil, false},
		"pending":                {model.Pending, "", person("reviewer"), body, nil, false},
		"requested by a bot":     {model.ChangesRequested, "", model.Account{Login: "x", Type: model.Bot}, body, nil, false},
		"requested, a nit in it": {model.ChangesRequested, "", person("reviewer"), "nit: " + body, ptr(false), true},
	} {
		comment := remark(c.body)
		comment.ReviewNodeID = "R1"
		pull := withThreads([]model.Comment{comment})
		pull.Reviews = []model.Review{{NodeID: "R1", Author: c.reviewer, State: c.state}}
		pull.Dismissed = map[string]model.ReviewState{}
		if c.dismissed != "" {
			pull.Dismissed["R1"] = c.dismissed
		}
		label := Label(pull, testRegistry(t), DefaultOptions()).Comments[0]
		if (label.IsBlocking == nil) != (c.blocking == nil) || label.IsBlocking != nil && *label.IsBlocking != *c.blocking {
			t.Errorf("%s: blocking is wrong", name)
		}
		if label.RequiresChange != c.requires {
			t.Errorf("%s: requires change %v", name, label.RequiresChange)
		}
	}
}

func ptr[T any](v T) *T { return &v }
