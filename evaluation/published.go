package evaluation

import (
	"context"
	"errors"
	"strings"

	"github.com/prforge/prforge/evaluation/official"
)

// Published is one record scored by a published protocol, from the same stored answers as our own score.
type Published struct {
	Task   official.Task
	Agent  official.AgentOutput
	Judge  official.JudgeOutput
	Result official.Result
	// Unasked says that the harness would have asked the reviewer another question that was never asked: the record
	// counts as zero here, but may count otherwise there.
	Unasked bool
}

// errNoAnswer is a call without a stored answer; the published protocols give it a score.
var errNoAnswer = errors.New("no answer is kept")

// Publish scores a result by a published protocol. The reviewer's answers are read by its rules. If the judge got the
// published question (ModeOfficial), its answer is read by them too; otherwise our majority is converted to the
// published form, with the middle actionability, which our judge does not give. A record without an answer counts as
// in the protocol: zero without a review, half without a judgement.
func Publish(p official.Protocol, plan Plan, it Item, r Result, s official.Similarity) (Published, error) {
	key, err := it.Review()
	if err != nil {
		return Published{}, err
	}
	t := officialTask(it, key, r.Config)
	out := Published{Task: t}
	out.Agent, out.Unasked = officialAgent(t, r)
	switch {
	case !out.Agent.Success:
		out.Judge = official.JudgeSkipped(t, plan.Judge.ID)
	case plan.official() && len(r.JudgeTexts) > 0:
		out.Judge = official.ReadJudge(t, out.Agent, plan.Judge.ID, r.JudgeTexts[0])
	case plan.official() || r.Judgement == nil:
		out.Judge = official.JudgeFailed(t, out.Agent, plan.Judge.ID, errNoAnswer.Error())
	default:
		out.Judge = translated(t, out.Agent, plan.Judge.ID, r)
	}
	out.Result, err = p.Score(t, out.Agent, out.Judge, s)
	return out, err
}

func officialTask(it Item, key Key, config string) official.Task {
	t := official.Task{
		ID: it.ID, PRNumber: int64(key.Number), Repo: key.Repo, Config: config, Rendered: it.Prompts[config],
		PipelineVersion: key.PipelineVersion,
		Difficulty:      it.Groups["difficulty"], PRType: it.Groups["type"], Language: it.Groups["language"], Diff: key.Diff,
	}
	for _, h := range key.Truth {
		human := official.Human{ID: h.ID, Body: h.Body, File: h.File}
		if h.Line != nil {
			n := int64(*h.Line)
			human.Line = &n
		}
		if h.Severity != nil {
			human.Severity = *h.Severity
		}
		t.Humans = append(t.Humans, human)
		t.HasSeverity = t.HasSeverity || human.Severity != ""
	}
	return t
}

// officialAgent replays the stored answers to the published sequence of questions. The last answer to a question
// counts for each further time that it would be asked; an extra question that we did not ask has no answer.
func officialAgent(t official.Task, r Result) (a official.AgentOutput, unasked bool) {
	next := 0
	a = official.AskAgent(t, r.Model, 0, func(c official.Call) (string, error) {
		for i := next; i < len(r.Replies); i++ {
			if r.Replies[i].Again == c.Again {
				next = i + 1
				return r.Replies[i].Text, nil
			}
		}
		if next > 0 && r.Replies[next-1].Again == c.Again {
			return r.Replies[next-1].Text, nil
		}
		unasked = c.Again
		return "", errNoAnswer
	})
	return a, unasked
}

// official reports whether reviewer and judge are asked as the published harness
// asks them.
func (p Plan) official() bool { return p.Judge.Asks() && p.Judge.Mode == ModeOfficial }

// reviewOfficial asks for the review as the published harness does: it repeats the question after an empty answer,
// with a new sample number, and the published reader decides whether the second question is needed. Our own score
// reads the last answer by our own rules.
func (p Plan) reviewOfficial(ctx context.Context, b Benchmark, it Item, r *Result, ask Ask) error {
	key, err := it.Review()
	if err != nil {
		return err
	}
	var failed error
	asked := map[bool]int{}
	official.AskAgent(officialTask(it, key, r.Config), r.Model, 0, func(c official.Call) (string, error) {
		if failed != nil {
			return "", failed
		}
		q := Request{System: official.Prompt(official.PromptAgent), Prompt: it.Prompts[r.Config],
			Sample: r.Repeat - 1 + asked[c.Again]*p.Repeats}
		if c.Again {
			q.Prompt += official.Prompt(official.PromptAgentAgain)
		}
		asked[c.Again]++
		reply, err := ask(ctx, q)
		if err != nil {
			failed = err
			return "", err
		}
		r.replied(reply, c.Again)
		reading := b.Read(it, reply.Text)
		reading.Again = c.Again
		r.Reading = &reading
		return reply.Text, nil
	})
	if failed != nil {
		r.Reading = nil
		r.fail(ReviewerUnanswered, failed)
	}
	return ctx.Err()
}

// sameComments maps each comment of the published reading to ours by its text, each once, because the two number them
// differently: the index in ours, or -1.
func sameComments(theirs []official.AgentComment, ours []Comment) []int {
	used := make([]bool, len(ours))
	out := make([]int, len(theirs))
	for n, c := range theirs {
		out[n] = -1
		for i, o := range ours {
			if !used[i] && o.Body == strings.TrimSpace(c.Body) {
				out[n], used[i] = i, true
				break
			}
		}
	}
	return out
}

// translated converts our judgement to the published form.
func translated(t official.Task, a official.AgentOutput, judge string, r Result) official.JudgeOutput {
	out := official.JudgeOutput{TaskID: t.ID, Config: t.Config, Classifications: []official.Classification{},
		Statuses: []official.Status{}, Model: judge, PromptVersion: "v1.0"}
	caught := map[string]string{}
	for n, i := range sameComments(a.Comments, r.Reading.Comments) {
		if i < 0 {
			continue
		}
		j, id := r.Judgement.Comments[i], a.Comments[n].ID
		item := official.Classification{CommentID: id, Label: j.Label, Actionability: 3, Reasoning: &j.Reason}
		if j.Match != "" {
			item.Human = &j.Match
			caught[j.Match] = id
		}
		out.Classifications = append(out.Classifications, item)
	}
	for _, h := range t.Humans {
		s := official.Status{CommentID: h.ID, Status: official.Missed}
		if id, ok := caught[h.ID]; ok {
			s.Status, s.Agent = official.Caught, &id
		}
		out.Statuses = append(out.Statuses, s)
	}
	return out
}

// Protocol computes a record's numbers from stored answers. It is a value: a new one needs no change to the others.
type Protocol struct {
	Name, Version string
	Metrics       []Metric
	Publish       func(Plan, Item, Result, official.Similarity) (Published, error)
}

// Protocols are the published ones, besides a benchmark's own.
func Protocols() []Protocol {
	var out []Protocol
	for _, p := range []official.Protocol{official.Harness(), official.Paper()} {
		out = append(out, Protocol{Name: p.Name, Version: p.Version, Metrics: publishedMetrics,
			Publish: func(plan Plan, it Item, r Result, s official.Similarity) (Published, error) {
				return Publish(p, plan, it, r, s)
			}})
	}
	return out
}

// publishedMetrics are the means in the published report, under its names.
var publishedMetrics = []Metric{
	{Name: "overall_score", Better: "higher", Headline: true, Ranks: true, Mean: true,
		Means: "the published composite, from 0 to 0.95"},
	{Name: "detection_rate", Better: "higher", Headline: true, Mean: true,
		Means: "recall of a record, after the published matching"},
	{Name: "precision", Better: "higher", Headline: true, Mean: true,
		Means: "precision of a record, after the published matching"},
	{Name: "hallucination_rate", Better: "lower", Headline: true, Mean: true,
		Means: "share of FABRICATED comments, after the published matching"},
	{Name: "f1_score", Better: "higher", Mean: true, Means: "harmonic mean of detection_rate and precision"},
	{Name: "actionability_score", Better: "higher", Mean: true, Means: "the judge's actionability, from 0 to 1"},
	{Name: "semantic_alignment", Better: "higher", Mean: true, Means: "similarity of the paired texts"},
	{Name: "redundancy_penalty", Better: "lower", Mean: true, Means: "share of comments that resemble another"},
	{Name: "agent_parse_failed", Better: "lower", Mean: true,
		Means: "share of records that count zero since the review was missing or unreadable"},
	{Name: "judge_parse_fallback", Better: "lower", Mean: true,
		Means: "share of records that count half since the judgement was missing or unreadable"},
}

// Score converts a published result to one of ours.
func (p Published) Score() Score {
	r := p.Result
	s := Score{Weight: float64(r.DifficultyWeight), Rates: map[string]Rate{}}
	s.Counts = map[string]int{"comments": r.AgentComments, "truth": r.Humans, "matched": r.Caught,
		"plausible": r.Plausible, "fabricated": r.Fabricated}
	s.Parts = map[string]float64{
		"overall_score": float64(r.Overall), "detection_rate": float64(r.DetectionRate), "precision": float64(r.Precision),
		"hallucination_rate": float64(r.Hallucination),
		"f1_score":           float64(r.F1), "actionability_score": float64(r.Actionability),
		"semantic_alignment": float64(r.SemanticAlignment), "redundancy_penalty": float64(r.Redundancy),
		"agent_parse_failed": 0, "judge_parse_fallback": 0,
	}
	if !r.AgentParseSuccess {
		s.Parts["agent_parse_failed"] = 1
	}
	if r.JudgeFallback {
		s.Parts["judge_parse_fallback"] = 1
	}
	return s
}

// Beside adds to a scored record the published composite, with similarity by
// words, under its own name.
func (Reviews) Beside(p Plan, it Item, r *Result) error {
	published, err := Publish(official.Harness(), p, it, *r, official.Lexical)
	if err != nil {
		return err
	}
	r.Score.Parts[composite] = float64(published.Result.Overall)
	return nil
}

// judgeOfficial asks the published question, once, if the published reader can use the review, even one without
// comments. An unreadable answer is final: the protocol halves the score. Our own score takes the labels unchanged; a
// comment that the judge omits, or confirms for an unknown comment, is PLAUSIBLE.
func (p Plan) judgeOfficial(ctx context.Context, it Item, key Key, r *Result, j *Judgement, ask Ask) error {
	t := officialTask(it, key, r.Config)
	a, _ := officialAgent(t, *r)
	var said official.JudgeOutput
	if a.Success {
		reply, err := ask(ctx, Request{System: official.Prompt(official.PromptJudge), Prompt: official.JudgeMessage(t, a)})
		if err != nil {
			r.fail(JudgeUnanswered, err)
			return ctx.Err()
		}
		r.JudgeTexts = append(r.JudgeTexts, reply.Text)
		if said = official.ReadJudge(t, a, p.Judge.ID, reply.Text); said.Fallback() {
			r.fail(JudgeUnreadable, errors.New("the judge's answer is not in the published form"))
			return nil
		}
	}
	comments := r.Reading.Comments
	if len(comments) > 0 {
		j.Rounds = append(j.Rounds, officialOpinions(key, a, said, comments))
	}
	decide(j, comments, key.Truth)
	r.Judgement = j
	return nil
}

// officialOpinions are the published judge's labels for our reading of a review.
func officialOpinions(key Key, a official.AgentOutput, judged official.JudgeOutput, comments []Comment) []Opinion {
	opinions := make([]Opinion, len(comments))
	for i := range opinions {
		opinions[i] = Opinion{Label: plausible, Matches: []string{}, Claim: "cannot tell", Shown: i}
	}
	known := map[string]bool{}
	for _, h := range key.Truth {
		known[h.ID] = true
	}
	said := map[string]official.Classification{}
	for _, c := range judged.Classifications {
		said[c.CommentID] = c
	}
	for n, i := range sameComments(a.Comments, comments) {
		item, ok := said[a.Comments[n].ID]
		if !ok || i < 0 {
			continue
		}
		switch {
		case item.Label == confirmed && item.Human != nil && known[*item.Human]:
			opinions[i].Label, opinions[i].Matches = confirmed, []string{*item.Human}
		case item.Label == fabricated:
			opinions[i].Label = fabricated
		}
		if item.Reasoning != nil {
			opinions[i].Reason = clippedReason(*item.Reasoning)
		}
	}
	return opinions
}
