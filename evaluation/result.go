package evaluation

import (
	"context"
	"errors"

	"github.com/prforge/prforge/evaluation/prompts"
)

// ErrNotAsked is the error of an Ask that sent nothing and may send the request in another run.
var ErrNotAsked = errors.New("not asked")

// The outcomes of a record: planned = scored + failed + not asked.
const (
	Scored   = "scored"
	Failed   = "failed"
	NotAsked = "not_asked" // no request for the review or its judgement was sent
)

// The codes of a record without a score. All are about us.
const (
	ReviewerUnanswered = "reviewer_unanswered" // the call for the review has no answer
	JudgeUnanswered    = "judge_unanswered"    // a call to the judge has no answer
	JudgeUnreadable    = "judge_unreadable"    // the judge's answer and its repair cannot be used
)

// Request is one complete question to a model. It determines the key of its answer.
type Request struct {
	System string
	Prompt string
	// Shared is how many leading bytes of Prompt other questions share, which an endpoint may cache.
	Shared int
	// Schema names the answer's JSON schema among the prompts; "" for none. Only endpoints configured to accept one
	// receive it.
	Schema string
	// Sample numbers the repeats of one question, from 0.
	Sample int
}

// Rate is a share: N of Of. Of = 0 means that there is no share, which is not zero.
type Rate struct {
	N  int `json:"n"`
	Of int `json:"of"`
}

// Value is the share; the second result is false if there is none.
func (r Rate) Value() (float64, bool) {
	if r.Of == 0 {
		return 0, false
	}
	return float64(r.N) / float64(r.Of), true
}

// Score is the score of one record, without means or rounding.
type Score struct {
	Counts map[string]int  `json:"counts"`
	Rates  map[string]Rate `json:"rates"`
	// Parts are figures that are not shares, such as a published composite.
	Parts map[string]float64 `json:"parts"`
	// Weight is the record's weight in a weighted mean: ln(truth + 1).
	Weight float64 `json:"weight"`
}

// Reply is an answer to a request.
type Reply struct {
	Text string
	// Fresh says that it is new, not stored by an earlier run.
	Fresh bool
	// Run describes the program's run behind the answer; nil without one.
	Run *Run
}

// Run describes a program's run that gave an answer.
type Run struct {
	Attempts int      // how often it ran
	Refused  []string // the hosts that it could not reach, sorted
	Log      string   // the end of what it wrote to standard error, cleaned
}

// Ask answers a request, from a network or from stored answers. An error is a call without an answer.
type Ask func(context.Context, Request) (Reply, error)

// Result is the result of one record.
type Result struct {
	RecordKey
	Outcome string `json:"outcome"`
	Code    string `json:"code"`
	// Answers are the SHA-256 of the reviewer's answers, the last one read.
	Answers   []string   `json:"answers"`
	Reading   *Reading   `json:"reading"`
	Judgement *Judgement `json:"judgement"`
	Score     *Score     `json:"score"`
	// Cause is the error behind a failure; no compared file contains it.
	Cause error `json:"-"`
	// Replies are the reviewer's answers themselves, JudgeTexts those of a judge with the published question.
	Replies    []ReviewReply `json:"-"`
	JudgeTexts []string      `json:"-"`
}

// ReviewReply is one answer of a reviewer.
type ReviewReply struct {
	Again bool // to the second question
	Text  string
	Run   *Run // nil without a program
}

// fail notes why a record has no score.
func (r *Result) fail(code string, cause error) {
	r.Code, r.Cause, r.Outcome = code, cause, Failed
	if errors.Is(cause, ErrNotAsked) {
		r.Outcome = NotAsked
	}
}

// replied notes an answer of the reviewer.
func (r *Result) replied(reply Reply, again bool) {
	r.Answers, r.Replies = append(r.Answers, prompts.Digest(reply.Text)),
		append(r.Replies, ReviewReply{again, reply.Text, reply.Run})
}
