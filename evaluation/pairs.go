package evaluation

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/prforge/prforge/internal/unidiff"
)

// minPairWords is the share of common words from which two comments in
// different places are asked about.
const minPairWords = 0.10

// judgePairs asks for each candidate pair whether the two comments report the
// same problem. It says nothing of comments without a match, so there is no
// useful and no fabricated share in this mode.
func (p Plan) judgePairs(ctx context.Context, it Item, key Key, r *Result, _ *Judgement, sample int, ask Ask) ([]Opinion, string, error) {
	diff, err := unidiff.Parse(key.Diff)
	if err != nil {
		diff = &unidiff.Diff{} // then no hunk is shown
	}
	opinions := make([]Opinion, len(r.Reading.Comments))
	for i, c := range r.Reading.Comments {
		o := Opinion{Label: plausible, Matches: []string{}, Claim: "cannot tell", Reason: "No candidate was found to be the same problem.", Shown: i}
		for _, h := range key.Truth {
			if !candidates(c, h) {
				continue
			}
			same, reason, code, err := askPair(ctx, it.Prompts[r.Config], diff, c, h, sample, ask)
			if err != nil {
				return nil, code, err
			}
			if same {
				o.Label, o.Reason = confirmed, reason
				o.Matches = append(o.Matches, h.ID)
			}
		}
		opinions[i] = o
	}
	return opinions, "", nil
}

// candidates says whether two comments are worth a question: in the same file,
// or with some words in common.
func candidates(c Comment, h Truth) bool {
	return sameFile(c.File, h.File) || jaccard(wordsOf(c.Body), wordsOf(h.Body)) >= minPairWords
}

func askPair(ctx context.Context, context string, diff *unidiff.Diff, c Comment, h Truth, sample int, ask Ask) (same bool, reason, code string, err error) {
	near, _ := hunkAt(diff, h.File, h.Line)
	hunk := ""
	if near != nil {
		hunk = near.OldText() + "\n" + near.NewText()
	}
	text, err := json.Marshal(struct {
		Context string       `json:"context"`
		Hunk    string       `json:"hunk"`
		First   judgeComment `json:"first"`
		Second  judgeComment `json:"second"`
	}{context, hunk, judgeComment{ID: "first", File: h.File, Line: h.Line, Body: h.Body}, judgeComment{ID: "second", File: c.File, Line: c.Line, Body: c.Body}})
	if err != nil {
		return false, "", JudgeUnreadable, fmt.Errorf("word the question about a pair: %w", err)
	}
	answer, err := ask(ctx, Request{System: prompt("pair.txt"), Prompt: string(text), Schema: "pair", Sample: sample})
	if err != nil {
		return false, "", JudgeUnanswered, err
	}
	var reply struct {
		Reason string `json:"reason"`
		Same   *bool  `json:"same"`
	}
	if err := DecodeObject(answer.Text, &reply); err != nil || reply.Same == nil {
		return false, "", JudgeUnreadable, fmt.Errorf("the judge's answer about a pair is not yes or no")
	}
	return *reply.Same, clippedReason(reply.Reason), "", nil
}
