package evaluation

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/prforge/prforge/evaluation/prompts"
	"github.com/prforge/prforge/internal/text"
	"github.com/prforge/prforge/internal/unidiff"
)

// Shuffle is a permutation of n things, drawn from the plan's seed and its purpose, so that it can be repeated.
func Shuffle(seed uint64, what string, n int) []int {
	h := fnv.New64a()
	h.Write([]byte(what)) // never fails
	return rand.New(rand.NewPCG(seed, h.Sum64())).Perm(n)
}

// judgeInput is the message to the judge. Every stranger's text is a JSON string in it, so it cannot end early.
type judgeInput struct {
	Context  string         `json:"context"`
	Diff     string         `json:"diff"`
	LeftOut  []string       `json:"left_out"`
	Truth    []judgeComment `json:"truth"`
	Comments []judgeComment `json:"comments"`
}

// judging is one question to the judge with the meaning of its ids.
type judging struct {
	request Request
	input   string
	shown   []int          // shown[i] is the index of the comment that is A(i+1)
	byID    map[string]int // position among those shown, by id
	truth   map[string]string
	leftOut []string
}

// newJudging makes the question about all comments of a record.
func newJudging(key Key, context string, comments []Comment, seed uint64, what string, sample, maxDiff int) (judging,
	error) {
	j := judging{shown: Shuffle(seed, what+"/comments", len(comments)), byID: map[string]int{}, truth: map[string]string{}}
	in := judgeInput{Context: context, LeftOut: []string{}, Truth: []judgeComment{}, Comments: []judgeComment{}}
	in.Diff, j.leftOut = BoundedDiff(NotShown(key.Diff, context), maxDiff, mentioned(key.Truth, comments))
	in.LeftOut = append(in.LeftOut, j.leftOut...)
	for i, t := range Shuffle(seed, what+"/truth", len(key.Truth)) {
		id := "H" + strconv.Itoa(i+1)
		j.truth[id] = key.Truth[t].ID
		in.Truth = append(in.Truth, judgeComment{ID: id, File: key.Truth[t].File, Line: key.Truth[t].Line,
			Body: key.Truth[t].Body})
	}
	for i, c := range j.shown {
		id := "A" + strconv.Itoa(i+1)
		j.byID[id] = i
		in.Comments = append(in.Comments, judgeComment{ID: id, File: comments[c].File, Line: comments[c].Line,
			Body: comments[c].Body})
	}
	text, err := json.Marshal(in)
	if err != nil {
		return j, fmt.Errorf("word the question to the judge: %w", err)
	}
	j.input = string(text)
	// Context, diff and the list of omitted files are the same in all repeats. A JSON string escapes every quote, so
	// this finds the key and no text.
	shared := strings.Index(j.input, `"truth":`)
	j.request = Request{System: prompts.Text("judge.txt"), Prompt: j.input, Shared: shared, Schema: "judge",
		Sample: sample}
	return j, nil
}

// mentioned are the files that any comment names.
func mentioned(truth []Truth, comments []Comment) map[string]bool {
	files := map[string]bool{}
	for _, t := range truth {
		files[t.File] = true
	}
	for _, c := range comments {
		files[c.File] = true
	}
	delete(files, "")
	return files
}

// NotShown is a diff without the files whose every hunk a context shows: the judge sees it beside the context.
func NotShown(diff, context string) string {
	parsed, err := unidiff.Parse(diff)
	if err != nil {
		return diff
	}
	var b strings.Builder
	for _, f := range parsed.Files {
		if !shows(context, f) {
			b.WriteString(f.String())
		}
	}
	return b.String()
}

// shows reports whether a context has all hunks of a file below the lines that name it.
func shows(context string, f *unidiff.File) bool {
	at := strings.Index(context, "\n"+f.Names())
	return at >= 0 && len(f.Hunks) > 0 && !slices.ContainsFunc(f.Hunks, func(h unidiff.Hunk) bool {
		return !strings.Contains(context[at:], h.String())
	})
}

// BoundedDiff is the whole diff if it has at most limit bytes. Otherwise it is whole files while they fit, those that
// a comment names first, each in the order of the diff, with a list of the others.
func BoundedDiff(diff string, limit int, first map[string]bool) (string, []string) {
	if len(diff) <= limit {
		return diff, nil
	}
	parsed, err := unidiff.Parse(diff)
	if err != nil {
		return strings.ToValidUTF8(diff[:limit], ""), []string{"the rest of the diff"}
	}
	fits := map[string]string{}
	used := 0
	for _, named := range []bool{true, false} {
		for _, f := range parsed.Files {
			if text := f.String(); first[f.Path()] == named && used+len(text) <= limit {
				fits[f.Path()] = text
				used += len(text)
			}
		}
	}
	var b strings.Builder
	var left []string
	for _, f := range parsed.Files {
		if text, ok := fits[f.Path()]; ok {
			b.WriteString(text)
		} else {
			left = append(left, f.Path())
		}
	}
	return b.String(), left
}

// again is the repair of a question after an unusable answer.
func (j judging) again(answer string, faults []string) (Request, error) {
	if len(answer) > maxAnswer/16 {
		answer = strings.ToValidUTF8(answer[:maxAnswer/16], "")
	}
	text, err := json.Marshal(struct {
		Message json.RawMessage `json:"message"`
		Answer  string          `json:"answer"`
		Faults  []string        `json:"faults"`
		Task    string          `json:"task"`
	}{json.RawMessage(j.input), answer, faults, prompts.Text("judge_again.txt")})
	if err != nil {
		return Request{}, fmt.Errorf("word the repair of a judge's answer: %w", err)
	}
	return Request{System: j.request.System, Prompt: string(text), Schema: "judge", Sample: j.request.Sample}, nil
}

// maxFaults is how many faults of an answer are named in its repair.
const maxFaults = 20

// read checks a judge's answer against the question: each comment exactly once,
// known ids, known labels, matches if and only if confirmed. faults says what is
// wrong; opinions are in the order of the comments, not of the ids.
func (j judging) read(answer string) (opinions []Opinion, faults []string) {
	var reply struct {
		Comments []struct {
			ID      string   `json:"id"`
			Reason  string   `json:"reason"`
			Claim   string   `json:"claim_is_true"`
			Label   string   `json:"label"`
			Matches []string `json:"matches"`
		} `json:"comments"`
	}
	if err := DecodeObject(answer, &reply); err != nil {
		return nil, []string{"the answer is not one JSON object with comments: " + err.Error()}
	}
	opinions = make([]Opinion, len(j.shown))
	fault := func(format string, args ...any) {
		if len(faults) < maxFaults {
			faults = append(faults, fmt.Sprintf(format, args...))
		}
	}
	for _, c := range reply.Comments {
		at, known := j.byID[c.ID]
		if !known {
			fault("there is no comment %s", clipped(c.ID))
			continue
		}
		o := &opinions[j.shown[at]]
		if o.Label != "" {
			fault("%s comes twice", c.ID)
			continue
		}
		*o = Opinion{Label: c.Label, Matches: []string{}, Claim: c.Claim, Reason: clippedReason(c.Reason), Shown: at}
		if !slices.Contains(labels, c.Label) {
			fault("%s has the label %s", c.ID, clipped(c.Label))
			o.Label = "?"
		}
		if c.Claim != "yes" && c.Claim != "no" && c.Claim != "cannot tell" {
			fault("%s has claim_is_true %s", c.ID, clipped(c.Claim))
		}
		if c.Claim == "yes" && c.Label == fabricated || c.Claim == "no" && c.Label == confirmed {
			fault("%s has the label %s and claim_is_true %s, which contradict each other", c.ID, c.Label, c.Claim)
		}
		if (c.Label == confirmed) != (len(c.Matches) > 0) {
			fault("%s has the label %s and %d matches", c.ID, clipped(c.Label), len(c.Matches))
		}
		for _, id := range c.Matches {
			truth, known := j.truth[id]
			if !known {
				fault("%s matches %s, which is no comment of truth", c.ID, clipped(id))
			} else if !slices.Contains(o.Matches, truth) {
				o.Matches = append(o.Matches, truth)
			}
		}
		slices.Sort(o.Matches)
	}
	for i, c := range j.shown {
		if opinions[c].Label == "" {
			fault("A%d is missing", i+1)
		}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return opinions, nil
}

// DecodeObject reads an answer that is one JSON object, alone, in one fence, or
// in prose that holds no other object.
func DecodeObject(answer string, into any) error {
	text := strings.TrimSpace(strings.TrimPrefix(answer, "\ufeff"))
	if len(text) > maxAnswer {
		return fmt.Errorf("it has over %d bytes", maxAnswer)
	}
	if inside := fences(text); len(inside) > 0 && !strings.HasPrefix(text, "{") {
		text = inside[0]
	}
	err := json.Unmarshal([]byte(text), into)
	if object := onlyObject(text); err != nil && object != nil {
		return json.Unmarshal(object, into)
	}
	return err
}

// onlyObject is the one JSON object of a text; nil where there are none or
// several.
func onlyObject(text string) json.RawMessage {
	var only json.RawMessage
	for tried, at := 0, 0; tried < maxStarts; tried++ {
		next := strings.IndexByte(text[at:], '{')
		if next < 0 {
			return only
		}
		at += next
		var object json.RawMessage
		d := json.NewDecoder(strings.NewReader(text[at:]))
		if d.Decode(&object) != nil {
			at++
			continue
		}
		if only != nil {
			return nil
		}
		only = object
		at += int(d.InputOffset())
	}
	return nil
}

// clipped quotes a stranger's word in a message.
func clipped(s string) string {
	if len(s) > 40 {
		s = s[:40] + "..."
	}
	return strconv.QuoteToASCII(s)
}

// clippedReason bounds a reason for a report.
func clippedReason(s string) string {
	const limit = 4000
	if len(s) > limit {
		s = s[:limit]
	}
	return strings.ToValidUTF8(s, "")
}

// minPairWords is the share of common words from which the judge compares two comments at different positions.
const minPairWords = 0.10

// judgePairs asks for each candidate pair whether the two comments report the same problem. It does not judge
// comments without a match, so this mode has no useful and no fabricated share.
func (p Plan) judgePairs(ctx context.Context, it Item, key Key, r *Result, _ *Judgement, sample int,
	ask Ask) ([]Opinion, string, error) {
	diff, err := unidiff.Parse(key.Diff)
	if err != nil {
		diff = &unidiff.Diff{} // then no hunk is shown
	}
	opinions := make([]Opinion, len(r.Reading.Comments))
	for i, c := range r.Reading.Comments {
		o := Opinion{Label: plausible, Matches: []string{}, Claim: "cannot tell",
			Reason: "No candidate was found to be the same problem.", Shown: i}
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

// candidates reports whether two comments are worth a question: in the same file, or with some words in common.
func candidates(c Comment, h Truth) bool {
	return sameFile(c.File, h.File) || text.Jaccard(text.Words(c.Body), text.Words(h.Body)) >= minPairWords
}

func askPair(ctx context.Context, context string, diff *unidiff.Diff, c Comment, h Truth, sample int,
	ask Ask) (same bool, reason, code string, err error) {
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
	}{context, hunk, judgeComment{ID: "first", File: h.File, Line: h.Line, Body: h.Body},
		judgeComment{ID: "second", File: c.File, Line: c.Line, Body: c.Body}})
	if err != nil {
		return false, "", JudgeUnreadable, fmt.Errorf("word the question about a pair: %w", err)
	}
	answer,
		err := ask(ctx, Request{System: prompts.Text("pair.txt"), Prompt: string(text), Schema: "pair", Sample: sample})
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
