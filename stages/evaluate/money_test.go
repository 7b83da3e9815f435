package evaluate

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// misbehaving are endpoints with a bill of their own. Each writes a reply, or
// fails, and gives the tokens that it bills.
var misbehaving = map[string]func(n int, w http.ResponseWriter, q question) (input, output int){
	"honest": func(_ int, w http.ResponseWriter, q question) (int, int) {
		text := honestAnswer(q)
		in, out := len(q.body)/4, len(text)/4
		reply(w, text, "stop", usageOf(in, out))
		return in, out
	},
	"cut after generation": func(_ int, w http.ResponseWriter, q question) (int, int) {
		w.Header().Set("Content-Length", "100000")
		fmt.Fprint(w, `{"choices":[{"message":{"content":"[{`)
		return len(q.body) / 4, q.Max
	},
	"no usage": func(_ int, w http.ResponseWriter, q question) (int, int) {
		reply(w, honestAnswer(q), "stop", "")
		return len(q.body) / 3, q.Max
	},
	"negative": func(_ int, w http.ResponseWriter, q question) (int, int) {
		reply(w, honestAnswer(q), "stop", usageOf(-1_000_000_000, -5))
		return len(q.body) / 4, q.Max
	},
	"9e18": func(_ int, w http.ResponseWriter, q question) (int, int) {
		reply(w, honestAnswer(q), "stop", usageOf(9_000_000_000_000_000_000, 9_000_000_000_000_000_000))
		return len(q.body) / 4, q.Max
	},
	"more than max_tokens": func(_ int, w http.ResponseWriter, q question) (int, int) {
		text := honestAnswer(q)
		reply(w, text+strings.Repeat(" more", q.Max), "stop", usageOf(len(q.body)/4, 2*q.Max))
		return len(q.body) / 4, 2 * q.Max
	},
	"another tokenizer": func(_ int, w http.ResponseWriter, q question) (int, int) {
		text := honestAnswer(q)
		in, out := len(q.body)*2/3, min(q.Max, len(text)*2/3)
		reply(w, text, "stop", usageOf(in, out))
		return in, out
	},
	"bills failed attempts": func(n int, w http.ResponseWriter, q question) (int, int) {
		if n%3 != 0 {
			http.Error(w, "overloaded after all", http.StatusServiceUnavailable)
			return len(q.body) / 4, q.Max
		}
		text := honestAnswer(q)
		reply(w, text, "stop", usageOf(len(q.body)/4, len(text)/4))
		return len(q.body) / 4, len(text) / 4
	},
	"Anthropic's names": func(_ int, w http.ResponseWriter, q question) (int, int) {
		text := honestAnswer(q)
		in, out := len(q.body)/4, len(text)/4
		reply(w, text, "stop", fmt.Sprintf(`{"input_tokens":%d,"output_tokens":%d}`, in, out))
		return in, out
	},
}

func usageOf(input, output int) string {
	return fmt.Sprintf(`{"prompt_tokens":%d,"completion_tokens":%d}`, input, output)
}

// Whatever an endpoint does, its own bill stays within the limit, also over
// several runs; one that is honest gets most of it.
func TestMaxCost_HoldsAgainstMisbehavingEndpoints(t *testing.T) {
	const limit = 0.50
	for name, answer := range misbehaving {
		t.Run(name, func(t *testing.T) {
			bill, n := 0.0, 0
			s := chatServer(t, func(w http.ResponseWriter, q question) {
				n++
				in, out := answer(n, w, q)
				bill += (float64(in)*10 + float64(out)*30) / 1e6
			})
			b, dataset := smallWorld(t, 20)
			e := asking(t, b, dataset, s.URL)
			e.MaxCost = limit
			for range 3 {
				out := run(t, e)
				if !out.Stopped || out.Report.Scored+out.Report.Failed+out.Report.NotAsked != 40 || out.Report.NotAsked == 0 {
					t.Errorf("stopped %v: %s", out.Stopped, out.Report.Records())
				}
				if out.USD < 0 || out.USD > limit {
					t.Errorf("it says $%.4f", out.USD)
				}
			}
			t.Logf("the endpoint's bill is $%.4f of $%.2f after %d requests", bill, limit, n)
			if bill > limit || bill == 0 {
				t.Errorf("the endpoint's bill is $%.4f of $%.2f", bill, limit)
			}
			if (name == "honest" || name == "Anthropic's names") && bill < 0.85*limit {
				t.Errorf("only $%.4f of $%.2f was used", bill, limit)
			}
		})
	}
}

// The judge answers one question about two reviewers who say the same: each has its cost, but it is paid once.
func TestCost_OfAnAnswerThatTwoReviewersNeedIsPaidOnce(t *testing.T) {
	bill := 0.0
	s := chatServer(t, func(w http.ResponseWriter, q question) {
		text := `[{"body":"The counter starts too high","file":"a.go","line":2}]`
		if q.Model == "judge" {
			text = honestAnswer(q)
		}
		in, out := len(q.body)/4, len(text)/4
		bill += (float64(in)*10 + float64(out)*30) / 1e6
		reply(w, text, "stop", usageOf(in, out))
	})
	b, dataset := smallWorld(t, 3)
	e := asking(t, b, dataset, s.URL)
	second := e.Config.Models[0]
	second.ID, second.Model = "n", "n"
	e.Config.Models = append(e.Config.Models, second)
	out := run(t, e)
	if off := out.USD - bill; off < -1e-9 || off > 1e-9 || out.Report.Scored != 12 {
		t.Errorf("it says $%.6f of $%.6f; %s", out.USD, bill, out.Report.Records())
	}
	for _, m := range out.Report.Models {
		if m.Cost.JudgeCalls == 0 {
			t.Errorf("the judging of %s has no cost", m.Model)
		}
	}
}
