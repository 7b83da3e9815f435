package model

import (
	"slices"

	"github.com/prforge/prforge/internal/verdict"
)

// Rule is one of the rules that a comment is checked against, with its answer.
type Rule struct {
	ID       string `json:"id"` // "human", "ten_words", ...; the order is that of the rules
	Passed   bool   `json:"passed"`
	Code     string `json:"code,omitempty"`  // the reason code when it failed
	Evidence string `json:"found,omitempty"` // what was seen: "7 words", "coderabbitai (registry)"
}

// AccountClass is the kind of an account in one pull request.
type AccountClass string

// The classes. A ghost is neither a bot nor a countable reviewer.
const (
	ClassHuman  AccountClass = "human"
	ClassAuthor AccountClass = "author" // the pull request's own author, when human
	ClassBot    AccountClass = "bot"
	ClassGhost  AccountClass = "ghost"
)

// CommentLabel is what the rules say about one review comment.
type CommentLabel struct {
	CommentID   int64        `json:"comment_id"` // Comment.ID
	Class       AccountClass `json:"class"`
	BotBecause  string       `json:"bot_because,omitempty"` // "type", "suffix", "word", "registry: NAME"
	AIBecause   string       `json:"ai_because,omitempty"`  // the rule of AI-written text that matched; "" if none
	Substantive bool         `json:"substantive"`
	Reason      string       `json:"reason,omitempty"` // code of the first rule failed; "" when substantive
	Rules       []Rule       `json:"rules"`            // every rule's answer, in order
	// The three below are for substantive comments only.
	Severity       *string `json:"severity"`    // only from an explicit mark
	IsBlocking     *bool   `json:"is_blocking"` // only from an explicit mark
	RequiresChange bool    `json:"requires_change"`
}

// Labels holds the rules' verdicts on a whole pull request, before its diff is known. Comments are in the order of
// PullRequest.Threads and their comments.
type Labels struct {
	Comments []CommentLabel `json:"comments"`
	// Removed counts review comments taken out because a bot or an AI wrote
	// them (ai_comments_removed).
	Removed int `json:"removed"`
	// AIShare is the share of AI review accounts and AI texts among all its
	// review comments, reviews with a body and conversation comments; nil when
	// there are none.
	AIShare             *float64 `json:"ai_share"`
	HasRequestedChanges bool     `json:"has_requested_changes"`
	Reviewers           []string `json:"reviewers"` // distinct human reviewers other than the author, by login
	ChangeRequests      int      `json:"change_requests"`
	Threads             int      `json:"threads"`          // threads that a human other than the author started
	AnsweredThreads     int      `json:"answered_threads"` // of those, the ones a human replied to
	Substantive         int      `json:"substantive"`
}

// Keep returns a copy in which the substantive comments for which keep is false are no longer so: they fail a rule of
// the given id with the code. It does not change l.
func (l *Labels) Keep(rule string, code verdict.Code, keep func(commentID int64) bool) *Labels {
	out := *l
	out.Comments = slices.Clone(l.Comments)
	for i := range out.Comments {
		c := &out.Comments[i]
		if !c.Substantive || keep(c.CommentID) {
			continue
		}
		c.Substantive, c.Reason = false, string(code)
		c.Severity, c.IsBlocking, c.RequiresChange = nil, nil, false
		c.Rules = append(slices.Clone(c.Rules), Rule{ID: rule, Code: string(code)})
		out.Substantive--
	}
	return &out
}

// AnchorMethod is how a comment's position in the final diff was found.
type AnchorMethod string

// The methods, best first (spec section 10: exact, remapped, hunk, file, none).
const (
	AnchorExact    AnchorMethod = "exact"    // GitHub's own line in the final diff
	AnchorRemapped AnchorMethod = "remapped" // original line carried over to the final head by a line map
	AnchorHunk     AnchorMethod = "hunk"     // the text of the diff hunk found in the final diff
	AnchorFile     AnchorMethod = "file"     // a comment about the whole file: no line
	AnchorNone     AnchorMethod = "none"     // no position in the final diff, e.g. the file left it
)

// Anchor is a comment's position in the final diff.
type Anchor struct {
	CommentID int64        `json:"comment_id"`
	Path      string       `json:"path"` // the path in the final diff, which a rename may have changed
	Side      Side         `json:"side"`
	Line      *int         `json:"line"`
	StartLine *int         `json:"start_line"`
	Method    AnchorMethod `json:"method"`
	InDiff    bool         `json:"in_diff"`
	// OriginalLine is the line at OriginalOid, recomputed from the hunk where
	// GitHub's number disagrees with it.
	OriginalLine *int `json:"original_line"`
	// Substitute is the position of the code that replaced the commented line: for display, never the line of a
	// comment. Nil if Line is set or nothing replaced it.
	Substitute *int   `json:"substitute"`
	Note       string `json:"note,omitempty"` // why there is no line, or what disagreed
}

// Difficulty is the type of a pull request's hardest ground-truth comment.
type Difficulty string

// The three difficulties.
const (
	Type1 Difficulty = "Type1_Direct"
	Type2 Difficulty = "Type2_Contextual"
	Type3 Difficulty = "Type3_Latent_Candidate"
)

// RVS holds the PR Review Value Score with its inputs and parts (spec section 6).
type RVS struct {
	Inputs     RVSInputs `json:"inputs"`
	Depth      float64   `json:"review_depth"`
	Complexity float64   `json:"code_complexity"`
	Discussion float64   `json:"discussion_signal"`
	Test       float64   `json:"test_change_signal"`
	Bug        float64   `json:"bug_fix_signal"`
	Score      float64   `json:"score"`
}

// RVS2 is the second review value: a record's value for measuring a reviewer. It decides nothing yet.
type RVS2 struct {
	Validated int     // ground-truth comments that the author acted on
	Standing  int     // substantive comments that stand at the revision shown
	Reviewers int     // distinct people who wrote ground truth
	Coverage  float64 // share of the changed production lines that configuration C shows
	Score     float64
}

// RVSInputs are the counts that RVS is made from.
type RVSInputs struct {
	Substantive     int  `json:"substantive"`
	Threads         int  `json:"threads"`
	ChangeRequests  int  `json:"change_requests"`
	Files           int  `json:"files"`
	ChangedLines    int  `json:"changed_lines"`
	Directories     int  `json:"directories"`
	AnsweredThreads int  `json:"answered_threads"`
	Reviewers       int  `json:"reviewers"`
	TestsModified   bool `json:"tests_modified"`
	TestsAdded      bool `json:"tests_added"`
	BugFix          bool `json:"bug_fix"`
}

// Reference is the evidence that a comment is about a file outside the diff.
type Reference struct {
	CommentID int64  `json:"comment_id"`
	Named     string `json:"named"`   // the path or symbol as written
	Path      string `json:"path"`    // the file outside the diff
	Via       string `json:"via"`     // the changed file it is tied to
	Because   string `json:"because"` // "imports", "imported by"
}

// Class is how far from the changed lines a reviewer must look to make one comment (spec section 7).
type Class string

// The classes of comments.
const (
	Direct     Class = "direct"     // the change itself shows it
	Contextual Class = "contextual" // the rest of the changed file is needed
	Latent     Class = "latent"     // another file is needed
)

// Difficulty is the difficulty of a record whose hardest comment is of the
// class.
func (c Class) Difficulty() Difficulty {
	switch c {
	case Latent:
		return Type3
	case Contextual:
		return Type2
	}
	return Type1
}

// CommentDifficulty is the class of one ground-truth comment and what it rests
// on: "changed_line", "context_line", "no_position", "definition: NAME" for a
// definition of the same file outside the hunks, "names: PATH" for another file.
type CommentDifficulty struct {
	CommentID int64  `json:"comment_id"`
	Class     Class  `json:"class"`
	Because   string `json:"because"`
}

// Grade is the classification of a pull request after its ground truth is known.
type Grade struct {
	Difficulty Difficulty          `json:"difficulty"`
	Comments   []CommentDifficulty `json:"comments"`          // of the ground truth
	Because    []Reference         `json:"because,omitempty"` // for the latent ones
	PRType     string              `json:"pr_type"`
	TypeFrom   string              `json:"pr_type_from"` // the prefix, label or title word
	Language   string              `json:"language"`
	// SameAs gives, for a ground-truth comment that makes the point of an earlier
	// one again, the earlier one, by id.
	SameAs map[int64]int64 `json:"same_as,omitempty"`
}

// Judgement is a line of labels/overrides.jsonl: a reader's label of a review comment.
type Judgement struct {
	CommentID int64  `json:"comment_id"`     // Comment.ID
	Label     string `json:"label"`          // LabelGroundTruth, "not_confirmed", or the code of a rule about the text
	By        string `json:"by,omitempty"`   // ByPerson, the default, or ByModel
	Annotator string `json:"annotator"`      // who read it
	Date      string `json:"date,omitempty"` // when, as 2026-11-01; "" is allowed where raters are counted
	Note      string `json:"note,omitempty"` // why
}

// The labels of a judgement besides a rule's code, and the kinds of raters.
const (
	LabelGroundTruth = "ground_truth"
	ByPerson         = "person"
	ByModel          = "model"
)

// Ids of rules that are not about a comment's text: a person's judgement, whether
// its code is that of the record, and whether the contexts show it.
const (
	RulePeople = "people"
	RuleStands = "stands"
	RuleShown  = "shown"
)

// ByRules reports whether the rules call the comment ground truth, whatever people's labels and the revision.
func (l *CommentLabel) ByRules() bool {
	for _, r := range l.Rules {
		if !r.Passed && r.ID != RulePeople && r.ID != RuleStands && r.ID != RuleShown {
			return false
		}
	}
	return true
}

// Confirmations counts the raters, people and models, that call each comment ground truth, by comment.
func Confirmations(lines []Judgement) map[int64]int {
	out := map[int64]int{}
	for _, j := range lines {
		if j.Label == LabelGroundTruth {
			out[j.CommentID]++
		}
	}
	return out
}

// LatestJudgements are the judgements of latest date of people, or of models, by
// comment; of one date the first.
func LatestJudgements(lines []Judgement, by string) map[int64]Judgement {
	out := map[int64]Judgement{}
	for _, j := range lines {
		if last, ok := out[j.CommentID]; (j.By == ByModel) == (by == ByModel) && (!ok || last.Date < j.Date) {
			out[j.CommentID] = j
		}
	}
	return out
}
