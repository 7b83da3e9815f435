package artifacts

import (
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// Evidence is evidence/{task_id}.json: the facts that the published format has no field for (spec section 10). An
// unknown field is null.
type Evidence struct {
	TaskID      string             `json:"task_id"`
	Repo        string             `json:"repo"`
	PRNumber    int                `json:"pr_number"`
	URL         string             `json:"url"`
	Author      string             `json:"author"`
	AuthorType  model.AccountType  `json:"author_type"`
	CreatedAt   string             `json:"created_at"`
	MergedAt    *string            `json:"merged_at"`
	License     model.License      `json:"license"`
	Attribution string             `json:"attribution"` // one sentence: who made what, where, under which license
	Diff        DiffEvidence       `json:"diff"`
	Revision    RevisionEvidence   `json:"revision"`
	Scores      ScoreEvidence      `json:"scores"`
	Difficulty  DifficultyEvidence `json:"difficulty"`
	PRType      ValueEvidence      `json:"pr_type"`
	Language    string             `json:"language"`
	Verdicts    []VerdictLine      `json:"verdicts"` // the trail, in the order of the stages
	Reverts     []string           `json:"reverts"`  // OWNER/NAME#N that this one takes back
	RevertedBy  []string           `json:"reverted_by"`
	// Contexts say what the three texts hold of each layer, and which parts did not fit; empty before rendering.
	Contexts []ContextEvidence `json:"contexts"`
	// Coverage is the share of the changed lines of production files that the diff of configuration C shows; null if
	// none changed.
	Coverage *Float `json:"coverage"`
	// Replaced names the texts in which bytes that are not UTF-8 were replaced
	// by U+FFFD: "diff_patch", "title", "description", "comments/DATABASE_ID".
	Replaced []string          `json:"replaced_invalid_utf8"`
	Comments []EvidenceComment `json:"comments"` // every review comment seen, in GitHub's order
}

// ContextEvidence says what one context holds.
type ContextEvidence struct {
	Config string          `json:"config"` // config_A, config_B, config_C
	Layers []LayerEvidence `json:"layers"` // in the order of the text
}

// LayerEvidence describes one layer of a context.
type LayerEvidence struct {
	Layer     int `json:"layer"`     // 0-6
	Tokens    int `json:"tokens"`    // of its section, with heading and separator; 0 when it was left out
	Fragments int `json:"fragments"` // hunks, definitions, statements or lines shown
	LeftOut   int `json:"left_out"`  // fragments that were known and did not fit
}

// DiffEvidence says where diff_patch and base_commit come from.
type DiffEvidence struct {
	Source       model.DiffSource `json:"source"`
	Why          string           `json:"why,omitempty"` // why GitHub's own diff was not used
	BaseMethod   string           `json:"base_method"`
	BaseVerified bool             `json:"base_verified"` // its blob ids match the base tree
	BaseRefOid   string           `json:"base_ref_oid"`  // GitHub's baseRefOid, which is not the fork point
}

// RevisionEvidence says which revision of the pull request the record shows.
type RevisionEvidence struct {
	Kind      string `json:"kind"`       // "final" or "reviewed"
	Commit    string `json:"commit"`     // the record's head_commit
	Base      string `json:"base"`       // the record's base_commit
	FinalHead string `json:"final_head"` // what was merged
	// Standing counts the substantive comments that apply to the revision: in final mode by the state of their code,
	// in reviewed mode by their diff hunk.
	Standing int `json:"standing"`
	// Because says why this revision: most_comments, commented, review, earliest;
	// null in final mode. Written says whether a ground-truth comment was written on it.
	Because *string `json:"because"`
	Written bool    `json:"written"`
	// Candidates counts the commits that reviewers may have read, Reachable those that could be fetched, Lost the
	// substantive comments that apply to none of these; all 0 in final mode.
	Candidates int `json:"candidates"`
	Reachable  int `json:"reachable"`
	Lost       int `json:"lost"`
	// DescriptionAsOf is the time as of which title and description are given;
	// null in final mode. EditedAfterReview says that the description was edited
	// later and that its former text is not known.
	DescriptionAsOf   *string  `json:"description_as_of"`
	EditedAfterReview bool     `json:"description_edited_after_review"`
	Lacks             []string `json:"lacks"` // what an older record of the pull request lacks
}

// ScoreEvidence holds RVS with its inputs and its parts, to nine decimals.
type ScoreEvidence struct {
	Inputs model.RVSInputs `json:"inputs"`
	Parts  RVSBreakdown    `json:"parts"`
	RVS    Float           `json:"rvs"`
	// V2 is the second review value, which does not affect the order yet; null before the contexts are rendered.
	V2 *SecondScore `json:"v2"`
}

// SecondScore is the second review value with its inputs.
type SecondScore struct {
	Validated int   `json:"validated"` // ground-truth comments that the author acted on
	Standing  int   `json:"standing"`  // substantive comments that apply to the revision shown
	Reviewers int   `json:"reviewers"` // distinct people who wrote ground truth
	Coverage  Float `json:"coverage"`  // 0 where no production line changed
	RVS       Float `json:"rvs"`
}

// DifficultyEvidence is the difficulty and the reasons for it. because is empty if it follows from the annotation
// alone.
type DifficultyEvidence struct {
	Value model.Difficulty `json:"value"` // that of the hardest comment
	// Comments has the class of every ground-truth comment by its c_N.
	Comments map[string]CommentClass `json:"comments"`
	Because  []ReferenceEvidence     `json:"because"`
}

// CommentClass is the difficulty of one comment and the reasons for it, as in model.CommentDifficulty.
type CommentClass struct {
	Class   model.Class `json:"class"`
	Because string      `json:"because"`
}

// ReferenceEvidence links a ground-truth comment to a file outside the diff.
type ReferenceEvidence struct {
	CommentID  *string `json:"comment_id"` // c_N of the annotation
	DatabaseID int64   `json:"database_id"`
	Named      string  `json:"named"`   // the path or symbol as written
	Path       string  `json:"path"`    // the file outside the diff
	Via        string  `json:"via"`     // the changed file it is tied to
	Because    string  `json:"because"` // "imports", "imported by"
}

// ValueEvidence is a value and the word, label or prefix that gave it.
type ValueEvidence struct {
	Value   string `json:"value"`
	Because string `json:"because"`
}

// VerdictLine is one verdict of the trail.
type VerdictLine struct {
	Filter   string             `json:"filter"` // the stage or filter's id
	Outcome  verdict.Outcome    `json:"outcome"`
	Code     verdict.Code       `json:"code"` // "" for a pass
	Detail   string             `json:"detail"`
	Evidence []verdict.Evidence `json:"evidence"`
}

// EvidenceComment holds the facts about one review comment, ground truth or not.
type EvidenceComment struct {
	CommentID  *string            `json:"comment_id"` // c_N of the annotation; null if not ground truth
	DatabaseID int64              `json:"database_id"`
	NodeID     string             `json:"node_id"`
	URL        string             `json:"url"`
	Author     string             `json:"author"`
	AuthorType model.AccountType  `json:"author_type"`
	Class      model.AccountClass `json:"account_class"` // the kind of the account
	BotBecause *string            `json:"bot_because"`
	CreatedAt  string             `json:"created_at"`
	EditedAt   *string            `json:"edited_at"`
	Thread     int                `json:"thread"`   // 1-based number of its thread in the pull request
	ReplyTo    *string            `json:"reply_to"` // node id of the parent; null if it starts the thread

	Path           string             `json:"path"` // in the final diff where it has a position there
	Side           model.Side         `json:"side"`
	Line           *int               `json:"line"`
	StartLine      *int               `json:"start_line"`
	OriginalPath   string             `json:"original_path"`
	OriginalLine   *int               `json:"original_line"` // recomputed from the hunk where GitHub's number disagrees
	OriginalCommit *string            `json:"original_commit"`
	Subject        model.SubjectType  `json:"subject"`
	Anchor         model.AnchorMethod `json:"anchor"`
	AnchorNote     string             `json:"anchor_note"`
	IsInDiff       bool               `json:"is_in_diff"`
	// SubstituteLine is the line of the code that replaced the deleted commented line; null if Line is set.
	SubstituteLine *int `json:"substitute_line"`

	// The fate of the code between the comment and the merge; null if not checked. AddressedBeforeMerge is Addressed
	// under its former name.
	CodeState            *model.CodeState  `json:"code_state"`
	Distance             *int              `json:"distance"`     // lines to the nearest change
	StateMethod          *string           `json:"state_method"` // "commit", "text", "" where nothing could be compared
	Addressed            *bool             `json:"addressed"`
	AddressedBeforeMerge *bool             `json:"addressed_before_merge"`
	Standing             *bool             `json:"standing"`
	Validation           *model.Validation `json:"validation"` // what the author then did
	// AddressedElsewhere is weaker evidence than Addressed: code that the comment names (ElsewhereNamed) changed more
	// than 10 lines away or in another file; null if unknown.
	AddressedElsewhere *bool   `json:"addressed_elsewhere"`
	ElsewhereNamed     *string `json:"elsewhere_named"`

	Outdated        bool   `json:"outdated"`
	Resolved        bool   `json:"resolved"`
	Minimized       bool   `json:"minimised"`        //nolint:misspell // the released name
	MinimizedReason string `json:"minimised_reason"` //nolint:misspell // the released name
	Pending         bool   `json:"pending"`

	GroundTruth    bool         `json:"ground_truth"`
	Reason         *string      `json:"reason"`  // code of the first rule it failed; null for ground truth
	AIRule         *string      `json:"ai_rule"` // the rule of AI-written text that matched
	Rules          []model.Rule `json:"rules"`   // every rule's answer, in order
	Severity       *string      `json:"severity"`
	IsBlocking     *bool        `json:"is_blocking"`
	RequiresChange bool         `json:"requires_change"`
	// SameAs is the c_N of the ground-truth comment that makes the same point earlier; null if there is none.
	SameAs *string `json:"same_as"`
	// VisibleIn lists the configurations (A, B, C) whose diff shows the comment's line; null if it is not ground
	// truth.
	VisibleIn *[]string `json:"visible_in"`

	Body     string `json:"body"`
	DiffHunk string `json:"diff_hunk"`
}

// Validated reports whether the author acted on a ground-truth comment that a reviewer can find: every configuration
// shows its line.
func (c *EvidenceComment) Validated() bool {
	_, valid, known := c.Since()
	return c.GroundTruth && known && valid.Holds() && c.VisibleIn != nil && len(*c.VisibleIn) == len(Configs)
}

// Since reports whether the code under the comment changed and its author acted on it; false unless the evidence says
// both.
func (c *EvidenceComment) Since() (state model.CodeState, valid model.Validation, known bool) {
	if c.CodeState == nil || c.Validation == nil {
		return "", "", false
	}
	return *c.CodeState, *c.Validation, true
}
