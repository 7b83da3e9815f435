package substance

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/internal/markdown"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/text"
)

// randomPull makes a pull request of labeled comments of the corpus.
func randomPull(r *rand.Rand, corpus []labeled) *model.PullRequest {
	accounts := []model.Account{person("author"), person("jane"), person("kim"), {Login: "coderabbitai", Type: model.Bot}, {Login: model.GhostLogin, Type: model.Ghost}}
	states := []model.ReviewState{model.Approved, model.ChangesRequested, model.Commented, model.Dismissed}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	p := &model.PullRequest{Author: accounts[0], Dismissed: map[string]model.ReviewState{"R1": model.ChangesRequested}}
	id := int64(0)
	for range 1 + r.IntN(6) {
		var t model.Thread
		for i := range 1 + r.IntN(4) {
			id++
			c := model.Comment{ID: id, Author: accounts[r.IntN(len(accounts))], Body: corpus[r.IntN(len(corpus))].Body,
				CreatedAt: at.Add(time.Duration(id) * time.Minute), State: "SUBMITTED", IsMinimized: r.IntN(10) == 0, ReviewNodeID: []string{"R1", "R2", ""}[r.IntN(3)]}
			if i > 0 && r.IntN(2) == 0 {
				c.ReplyTo = "first"
			}
			t.Comments = append(t.Comments, c)
		}
		p.Threads = append(p.Threads, t)
	}
	for i, node := range []string{"R1", "R2"} {
		p.Reviews = append(p.Reviews, model.Review{ID: int64(i), NodeID: node, Author: accounts[r.IntN(len(accounts))], State: states[r.IntN(len(states))], Body: "x"})
	}
	p.Comments = []model.IssueComment{{ID: 1, Author: accounts[r.IntN(len(accounts))], Body: "Thanks"}}
	return p
}

// scoreInputs are the labels that any score or verdict but the AI share is
// made from.
func scoreInputs(l *model.Labels) model.Labels {
	s := *l
	s.Comments, s.Removed, s.AIShare = nil, 0, nil
	return s
}

// TestOrderChangesNothing shuffles threads, comments, reviews.
func TestOrderChangesNothing(t *testing.T) {
	registry, corpus := testRegistry(t), readCorpus(t)
	r := rand.New(rand.NewPCG(1, 2))
	byID := func(a, b model.CommentLabel) int { return int(a.CommentID - b.CommentID) }
	for range 20 {
		p := randomPull(r, corpus)
		want := Label(p, registry, DefaultOptions())
		for i := range p.Threads {
			r.Shuffle(len(p.Threads[i].Comments), func(a, b int) {
				c := p.Threads[i].Comments
				c[a], c[b] = c[b], c[a]
			})
		}
		r.Shuffle(len(p.Threads), func(a, b int) { p.Threads[a], p.Threads[b] = p.Threads[b], p.Threads[a] })
		r.Shuffle(len(p.Reviews), func(a, b int) { p.Reviews[a], p.Reviews[b] = p.Reviews[b], p.Reviews[a] })
		got := Label(p, registry, DefaultOptions())
		slices.SortFunc(want.Comments, byID)
		slices.SortFunc(got.Comments, byID)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("another order gives other labels (-want +got):\n%s", diff)
		}
	}
}

// TestBotsChangeNoScore adds comments and reviews of bots: whatever a score is
// made from stays as it was.
func TestBotsChangeNoScore(t *testing.T) {
	registry, corpus := testRegistry(t), readCorpus(t)
	r := rand.New(rand.NewPCG(3, 4))
	bots := []model.Account{{Login: "coderabbitai", Type: model.Bot}, {Login: "unknown-app", Type: model.Bot}, person("acme-ci-bot"), person("k8s-ci-robot")}
	for range 20 {
		p := randomPull(r, corpus)
		want := scoreInputs(Label(p, registry, DefaultOptions()))
		bot := bots[r.IntN(len(bots))]
		early := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
		comment := model.Comment{ID: 999, Author: bot, Body: corpus[r.IntN(len(corpus))].Body, CreatedAt: early.AddDate(2, 0, 0), State: "SUBMITTED", ReplyTo: "first"}
		i := r.IntN(len(p.Threads))
		p.Threads[i].Comments = append(p.Threads[i].Comments, comment)
		comment.ReplyTo, comment.CreatedAt = "", early
		p.Threads = append(p.Threads, model.Thread{Comments: []model.Comment{comment}})
		p.Reviews = append(p.Reviews, model.Review{NodeID: "R9", Author: bot, State: model.ChangesRequested, Body: "x"})
		p.Comments = append(p.Comments, model.IssueComment{Author: bot, Body: "x"})
		if diff := cmp.Diff(want, scoreInputs(Label(p, registry, DefaultOptions()))); diff != "" {
			t.Fatalf("%s changed a score's input (-want +got):\n%s", bot.Login, diff)
		}
	}
}

// FuzzLabel checks the comment rules against any text: they end, their answers
// are complete and consistent, ground truth has its words by a plain count,
// and line endings of either kind give the same answer.
func FuzzLabel(f *testing.F) {
	for i, c := range readCorpus(f) {
		if i%20 == 0 {
			f.Add(c.Body)
		}
	}
	for _, s := range []string{"", "```", "```suggestion", "> ```\n> x", "<!--", "<!-- a --> b", "| a |\n|---|\n| b |", "\xff\x00", "\r", "~~~ ```", "`a``b`", "[a](b \"c\")", "![](x", ":+1: :tada:", "/lgtm", "\u202eabc", "1. a\n   ```\n   b", "&amp; &#0; <br>", "a?b!c.d;e"} {
		f.Add(s)
	}
	registry := testRegistry(f)
	f.Fuzz(func(t *testing.T, body string) {
		labels := Label(withThreads([]model.Comment{remark(body)}), registry, DefaultOptions())
		label := labels.Comments[0]
		if len(label.Rules) != len(rules()) || label.Substantive != (label.Reason == "") {
			t.Fatalf("the answers are inconsistent: %+v", label)
		}
		first := ""
		for _, r := range label.Rules {
			if r.Passed != (r.Code == "") || !utf8.ValidString(r.Evidence) {
				t.Fatalf("rule %s: %+v", r.ID, r)
			}
			if first == "" {
				first = r.Code
			}
		}
		if first != label.Reason {
			t.Fatalf("reason %q, but the first rule failed gives %q", label.Reason, first)
		}
		if label.Substantive && plainCount(body) < DefaultOptions().MinWords {
			t.Fatalf("%q is ground truth with %d words by a plain count", body, plainCount(body))
		}
		if !strings.Contains(body, "\r") {
			unix := markdown.Read(body)
			if diff := cmp.Diff(unix, markdown.Read(strings.ReplaceAll(body, "\n", "\r\n"))); diff != "" && len(body) < 1<<14 {
				t.Fatalf("carriage returns change the reading (-LF +CRLF):\n%s", diff)
			}
		}
	})
}

// plainCount counts words as the checks outside do (spec section 10: no ground
// truth under ten words), written apart from the rules on purpose.
func plainCount(body string) int {
	body = text.Valid(body)
	var out strings.Builder
	for i := 0; i < len(body); {
		run := 0
		for i+run < len(body) && (body[i] == '`' || body[i] == '~') && body[i+run] == body[i] {
			run++
		}
		if run < 3 {
			out.WriteByte(body[i])
			i++
			continue
		}
		out.WriteByte(' ')
		end := strings.Index(body[i+run:], body[i:i+run])
		if end < 0 {
			break
		}
		i += run + end + run
	}
	text := out.String()
	for {
		start := strings.Index(text, "<!--")
		if start < 0 {
			break
		}
		end := strings.Index(text[start+4:], "-->")
		if end < 0 {
			break
		}
		text = text[:start] + " " + text[start+4+end+3:]
	}
	n := 0
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029", r) }) {
		if !strings.HasPrefix(strings.TrimSpace(line), ">") {
			n += len(strings.Fields(line))
		}
	}
	return n
}
