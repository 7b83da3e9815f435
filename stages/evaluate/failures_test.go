package evaluate

import (
	"net/http"
	"strings"
	"testing"

	"github.com/prforge/prforge/collectors/models/endpoint"
)

// A key that is refused, a credit that is used up, a model that is not there and
// a host that is gone end what they are about with one sentence; what was not
// asked is no failure.
func TestEvaluate_EndsAnEndpoint(t *testing.T) {
	status := func(code int, body string) func(w http.ResponseWriter, q question) {
		return func(w http.ResponseWriter, _ question) { http.Error(w, body, code) }
	}
	for name, tc := range map[string]struct {
		answer   func(w http.ResponseWriter, q question)
		requests int // at most
		sentence string
		scored   bool // the other model is
	}{
		"401":     {status(401, "bad key"), 4, "e is not asked any more: the key is missing or refused", false},
		"402":     {status(402, "pay"), 4, "its quota or credit is used up", false},
		"quota":   {status(429, `{"error":{"code":"insufficient_quota"}}`), 4, "its quota or credit is used up", false},
		"credit":  {status(400, `{"error":{"message":"Your credit balance is too low"}}`), 4, "its quota or credit is used up", false},
		"dropped": {func(http.ResponseWriter, question) { panic(http.ErrAbortHandler) }, 24, "20 attempts in a row got no reply", false},
		"404 of one": {func(w http.ResponseWriter, q question) {
			if q.Model == "m" {
				http.Error(w, "model_not_found", 404)
				return
			}
			reply(w, honestAnswer(q), "stop", "")
		}, 1000, "m at e is not asked any more: the endpoint refuses it or does not know it", true},
		"403 of one": {func(w http.ResponseWriter, q question) {
			if q.Model == "m" {
				http.Error(w, "no access", http.StatusForbidden)
				return
			}
			reply(w, honestAnswer(q), "stop", "")
		}, 1000, "m at e is not asked any more", true},
	} {
		t.Run(name, func(t *testing.T) {
			requests := 0
			s := chatServer(t, func(w http.ResponseWriter, q question) {
				requests++
				tc.answer(w, q)
			})
			b, dataset := smallWorld(t, 15)
			e := asking(t, b, dataset, s.URL)
			other := e.Config.Models[0]
			other.ID, other.Model = "other", "other"
			e.Config.Models = append(e.Config.Models, other)
			out := run(t, e)
			if len(out.Ended) != 1 || !strings.Contains(out.Ended[0], tc.sentence) {
				t.Errorf("ended %q", out.Ended)
			}
			if requests > tc.requests || out.Report.Failed+out.Report.NotAsked+out.Report.Scored != 60 || out.Report.NotAsked < 20 || out.Report.Failed == 0 {
				t.Errorf("%d requests, %s", requests, out.Report.Records())
			}
			if (out.Report.Scored == 30) != tc.scored {
				t.Errorf("%s", out.Report.Records())
			}
			if causes := Causes(out.Failures); len(causes) != 1 || causes[0].Records != out.Report.Failed {
				t.Errorf("causes %+v", causes)
			}
		})
	}
}

// A refusal of one question does not end a model that answers others, and the
// next run asks it again.
func TestEvaluate_RefusedQuestion(t *testing.T) {
	refuse := true
	s := chatServer(t, func(w http.ResponseWriter, q question) {
		if refuse && strings.Contains(q.prompt(), "handler3(") {
			http.Error(w, "flagged by moderation", http.StatusForbidden)
			return
		}
		reply(w, honestAnswer(q), "stop", "")
	})
	b, dataset := smallWorld(t, 5)
	e := asking(t, b, dataset, s.URL)
	e.Workers = 1
	if out := run(t, e); out.Report.Scored != 8 || out.Report.Failed != 2 || len(out.Ended) != 0 {
		t.Errorf("%s, ended %q", out.Report.Records(), out.Ended)
	}
	out, err := e.Rescore(t.Context())
	noError(t, err)
	if out.Report.Failed != 2 || !strings.Contains(out.Failures[0].Error, "flagged by moderation") {
		t.Errorf("scored again: %+v", out.Failures)
	}
	refuse = false
	if out := run(t, e); out.Report.Scored != 10 {
		t.Errorf("%s", out.Report.Records())
	}
}

// A key that is not set is refused before anything is asked, in the estimate
// too, and not where nothing is left to ask.
func TestEvaluate_KeyNotSet(t *testing.T) {
	s := chatServer(t, func(w http.ResponseWriter, q question) { reply(w, honestAnswer(q), "stop", "") })
	b, dataset := smallWorld(t, 2)
	e := asking(t, b, dataset, s.URL)
	e.Config.Endpoints = map[string]endpoint.Config{"e": {URL: s.URL, KeyEnv: "SOME_KEY"}}
	_, err := e.Evaluate(t.Context())
	_, dry := e.Estimate(t.Context())
	for _, err := range []error{err, dry} {
		if !IsPlanError(err) || !strings.Contains(err.Error(), "SOME_KEY") {
			t.Errorf("error %v", err)
		}
	}
	e.Getenv = func(string) string { return "sk" }
	run(t, e)
	e.Getenv = func(string) string { return "" }
	if out := run(t, e); out.Report.Scored != 4 {
		t.Errorf("%s", out.Report.Records())
	}
}

// What makes a model look worse than it is, is said in the report.
func TestReport_Warnings(t *testing.T) {
	for name, tc := range map[string]struct {
		finish, usage, want string
	}{
		"cut":      {"length", "honest", "6 of 6 answers were cut at the limit of output"},
		"filtered": {"content_filter", "honest", "were withheld by a content filter"},
		"window":   {"stop", usageOf(50, 20), "the endpoint counted 5 % of the input tokens"},
		"no usage": {"stop", "", "do not say what they took"},
		"honest":   {"stop", "honest", ""},
		"unusable": {"stop", "honest", "6 of 6 answers cannot be read"},
	} {
		s := chatServer(t, func(w http.ResponseWriter, q question) {
			usage := tc.usage
			if usage == "honest" {
				usage = usageOf(len(q.body)/4, 20)
			}
			text := honestAnswer(q)
			if name == "unusable" {
				text = "no review"
			}
			reply(w, text, tc.finish, usage)
		})
		b, dataset := smallWorld(t, 3)
		var about []string
		for _, w := range run(t, asking(t, b, dataset, s.URL)).Report.Warnings {
			if strings.HasPrefix(w, "m: ") && !strings.Contains(w, "cutoff") {
				about = append(about, w)
			}
		}
		if got := strings.Join(about, "\n"); len(about) > 1 || !strings.Contains(got, tc.want) || (tc.want == "") != (got == "") {
			t.Errorf("%s: %s", name, got)
		}
	}
}
