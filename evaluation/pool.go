package evaluation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/prforge/prforge/evaluation/label"
	"github.com/prforge/prforge/evaluation/prompts"
	"github.com/prforge/prforge/internal/text"
)

// The limits of the rule that groups comments on one change into one finding. The rule only decides which comments
// the judge sees together; the judge decides which are the same.
const (
	findingNear  = 5    // lines apart at most, in one file
	findingWords = 0.15 // share of common words of near comments
	findingAlike = 0.40 // share of common words of comments in one file, or without one
	findingShown = 6    // maximum number of comments that the judge sees, of different reviewers first
)

// Finding is a line of pool.jsonl: a problem that comments report and no comment of people does, and whether it is
// real.
type Finding struct {
	ID       string           `json:"id"`
	Task     string           `json:"task_id"`
	Comments []FindingComment `json:"comments"` // the first one is what the judge was asked about
	// Reviewers are the models whose comments report it, sorted.
	Reviewers []string `json:"reviewers"`
	// Labeled says that most people who labeled one of its comments called it plausible, and none fabricated.
	Labeled bool `json:"labeled_plausible"`
	// Valid is the judge's verdict: yes, no, cannot tell; "" if it was not asked.
	Valid  string `json:"valid"`
	Reason string `json:"reason"`
}

// FindingComment is one comment of a finding.
type FindingComment struct {
	Record RecordKey `json:"record"`
	Index  int       `json:"index"` // among the record's comments, from 0
	Comment
	// Same says that the judge finds it to report the finding.
	Same bool `json:"same"`
}

// Findings groups the unmatched plausible comments of a run by finding: first those with several reviewers or with
// people's support, then those of one reviewer, each part in an order drawn from the plan's seed.
func Findings(p Plan, results []Result) []Finding {
	byTask := map[string][]judgedComment{}
	for _, c := range judgedComments(results) {
		if outcomeOf(c.judged) == wasPlausible {
			byTask[c.key.Task] = append(byTask[c.key.Task], c)
		}
	}
	var several, single []Finding
	for _, task := range p.Tasks {
		for _, of := range gathered(byTask[task]) {
			f := newFinding(p, task, of)
			if f.Single() {
				single = append(single, f)
			} else {
				several = append(several, f)
			}
		}
	}
	return append(drawnOrder(p, several), drawnOrder(p, single)...)
}

// Single reports whether only one reviewer reports the finding.
func (f Finding) Single() bool { return len(f.Reviewers) == 1 && !f.Labeled }

func drawnOrder(p Plan, findings []Finding) []Finding {
	out := make([]Finding, len(findings))
	for i, j := range Shuffle(p.Seed, "findings", len(findings)) {
		out[i] = findings[j]
	}
	return out
}

// gathered groups the comments on one change by a rule: each joins the first group with a similar comment.
func gathered(comments []judgedComment) [][]judgedComment {
	words := make([]map[string]bool, len(comments))
	var groups [][]int
	for i, c := range comments {
		words[i] = text.Words(c.comment.Body)
		at := slices.IndexFunc(groups, func(g []int) bool {
			return slices.ContainsFunc(g,
				func(j int) bool { return alike(c.comment, comments[j].comment, text.Jaccard(words[i], words[j])) })
		})
		if at < 0 {
			at = len(groups)
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], i)
	}
	out := make([][]judgedComment, len(groups))
	for g, of := range groups {
		for _, i := range of {
			out[g] = append(out[g], comments[i])
		}
	}
	return out
}

// alike reports whether two comments with that share of common words are one finding.
func alike(a, b Comment, words float64) bool {
	if a.File != "" && b.File != "" && !sameFile(a.File, b.File) {
		return false
	}
	near := a.Line != nil && b.Line != nil && sameFile(a.File, b.File) && abs(*a.Line-*b.Line) <= findingNear
	return words >= findingAlike || near && words >= findingWords
}

// newFinding has one comment of each reviewer first, drawn, then a second of each.
func newFinding(p Plan, task string, of []judgedComment) Finding {
	f := Finding{Task: task}
	plausibly, wrongly := 0, 0
	var turns [][]FindingComment
	mine := map[string]int{}
	for _, i := range Shuffle(p.Seed, "finding/"+of[0].id(), len(of)) {
		c := FindingComment{Record: of[i].key, Index: of[i].index, Comment: of[i].comment, Same: true}
		if mine[c.Record.Model] == len(turns) {
			turns = append(turns, nil)
		}
		turns[mine[c.Record.Model]] = append(turns[mine[c.Record.Model]], c)
		mine[c.Record.Model]++
		for _, l := range of[i].judged.People {
			switch l.Answers[askedLabel] {
			case fabricated:
				wrongly++
			case plausible, confirmed:
				plausibly++
			}
		}
	}
	f.Comments = slices.Concat(turns...)
	f.Labeled = plausibly > 0 && wrongly == 0
	f.Reviewers = f.reviewers()
	first := f.Comments[0]
	f.ID = label.ID(first.Record.String(), strconv.Itoa(first.Index), first.Body)
	return f
}

// reviewers are the models of the comments that report the finding.
func (f *Finding) reviewers() []string {
	var out []string
	for _, c := range f.Comments {
		if c.Same {
			out = append(out, c.Record.Model)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// JudgeFinding asks the judge about a finding, without the names of its reviewers, and stores the verdict in it. code
// says why there is no usable answer; the next run repeats an unreadable one.
func (p Plan) JudgeFinding(ctx context.Context, it Item, f *Finding, ask Ask) (code string, err error) {
	key, err := it.Review()
	if err != nil {
		return "", err
	}
	shown := f.Comments[:min(len(f.Comments), findingShown)]
	var in struct {
		Context  string         `json:"context"`
		Diff     string         `json:"diff"`
		LeftOut  []string       `json:"left_out"`
		Comments []judgeComment `json:"comments"`
	}
	for _, c := range p.Configs {
		if shown, ok := it.Prompts[c]; ok {
			in.Context = shown // the last one has the most
		}
	}
	var comments []Comment
	for i, c := range shown {
		comments = append(comments, c.Comment)
		in.Comments = append(in.Comments, judgeComment{ID: "A" + strconv.Itoa(i+1), File: c.File, Line: c.Line, Body: c.Body})
	}
	var leftOut []string
	in.Diff, leftOut = BoundedDiff(NotShown(key.Diff, in.Context), p.Judge.MaxDiff, mentioned(nil, comments))
	in.LeftOut = append([]string{}, leftOut...)
	text, err := json.Marshal(in)
	if err != nil {
		return "", fmt.Errorf("word the question about a finding: %w", err)
	}
	return p.insist(0, ask, func(sample int, ask Ask) (string, error) {
		reply,
			err := ask(ctx, Request{System: prompts.Text("pool.txt"), Prompt: string(text), Schema: "pool", Sample: sample})
		if err != nil {
			return JudgeUnanswered, err
		}
		if !f.read(reply.Text) {
			return JudgeUnreadable, errors.New("the judge's answer about a finding cannot be read")
		}
		return "", nil
	})
}

// read parses the judge's answer; false if it is unusable.
func (f *Finding) read(answer string) bool {
	var reply struct {
		Reason string   `json:"reason"`
		Valid  string   `json:"valid"`
		Same   []string `json:"same"`
	}
	if DecodeObject(answer, &reply) != nil || !slices.Contains([]string{"yes", "no", "cannot tell"}, reply.Valid) {
		return false
	}
	f.Valid, f.Reason = reply.Valid, clippedReason(reply.Reason)
	for i := range f.Comments {
		f.Comments[i].Same = i == 0 || slices.Contains(reply.Same, "A"+strconv.Itoa(i+1))
	}
	f.Reviewers = f.reviewers()
	return true
}
