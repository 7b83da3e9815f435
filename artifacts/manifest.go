package artifacts

import "github.com/prforge/prforge/internal/model"

// Benchmark says what a dataset asks of a model. Readers check it first.
type Benchmark string

// The benchmarks (spec sections 10, 14 and 15).
const (
	Review    Benchmark = "review"    // review a real pull request
	Bugs      Benchmark = "bugs"      // find one injected fault in a real change
	Debugging Benchmark = "debugging" // find cause and effect of errors injected into scripts
	Escaped   Benchmark = "escaped"   // find the fault that review let through
	Controls  Benchmark = "controls"  // no questions: negative controls, beside a dataset
	Snapshot  Benchmark = "snapshots" // no questions: the code of records as git objects, beside a dataset
)

// DiffWhole is the Manifest.ContextDiff of contexts that show every hunk of a change.
const DiffWhole = "whole"

// Manifest is manifest.json: the inputs and the files of the dataset. It says nothing about when, where or how a run
// went.
type Manifest struct {
	Benchmark       Benchmark `json:"benchmark"`
	SchemaVersion   int       `json:"schema_version"` // of the schemas that the files follow; Freeze sets it
	Name            string    `json:"name"`
	Profile         string    `json:"profile,omitempty"`   // of the review benchmark: published, sound
	Revision        string    `json:"revision,omitempty"`  // what its records show: final, reviewed
	Revisions       string    `json:"revisions,omitempty"` // all, where pull requests may have further records
	PipelineVersion string    `json:"pipeline_version"`
	FreezeDate      string    `json:"freeze_date"` // 2026-04-15
	// NotForPublication marks a dataset whose repositories need not be public.
	NotForPublication bool   `json:"not_for_publication,omitempty"`
	ConfigSHA256      string `json:"config_sha256"` // of config.yaml
	// A, B and C show one diff; of the review benchmark
	SameDiff    *bool               `json:"same_diff,omitempty"`
	ContextDiff string              `json:"context_diff,omitempty"` // how much of it they show: DiffWhole or "budget"
	Tokenizer   string              `json:"tokenizer"`
	Encoder     string              `json:"encoder"`
	Parameters  Parameters          `json:"parameters,omitzero"` // of the review benchmark
	Runtime     *model.Runtime      `json:"runtime,omitempty"`   // of the debugging benchmark: what its scripts ran in
	Controls    *ControlsOf         `json:"controls,omitempty"`  // of negative controls
	Snapshots   *SnapshotsOf        `json:"snapshots,omitempty"` // of snapshots beside a dataset
	Records     int                 `json:"records"`
	Files       map[string]FileInfo `json:"files"` // by slash path, every file but manifest.json
}

// NotForPublication is the notice of the card, every page and verify for such a dataset.
const NotForPublication = "Not for publication: it may hold code and comments of repositories that are not public."

// FileInfo is one file's digest.
type FileInfo struct {
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// Parameters are the options that the invariants depend on, so that a dataset can be verified from its own files.
type Parameters struct {
	RVSWeights             RVSBreakdown `json:"rvs_weights"`
	RVSFloor               Float        `json:"rvs_floor"`
	RVSHardFloor           Float        `json:"rvs_hard_floor"`
	RQSMinScore            Float        `json:"rqs_min_score"`
	MinSubstantiveComments int          `json:"min_substantive_comments"`
	MinWords               int          `json:"min_words"`         // of prose in a ground-truth comment
	SuggestionCounts       bool         `json:"suggestion_counts"` // a comment with a suggestion may have fewer
	CommentRules           []string     `json:"comment_rules"`     // the refinements that held
	GroundTruthPolicy      string       `json:"ground_truth_policy"`
	// raters that call each ground-truth comment so; 0: the rules decide
	ConfirmedBy      int           `json:"confirmed_by,omitempty"`
	MinValidated     int           `json:"min_validated"` // validated comments of a record in evals/validated.json
	MaxAIShare       Float         `json:"max_ai_share"`
	MaxAddedLines    int           `json:"max_added_lines"`
	CountAdded       string        `json:"count_added"` // which added lines count: all, production
	MaxPerRepository int           `json:"max_per_repository"`
	Budgets          model.Budgets `json:"budgets"`
	// MaxDiffTokens and Around bound the contexts instead of Budgets where
	// ContextDiff is DiffWhole: layer 2, and everything else in the text.
	MaxDiffTokens  int           `json:"max_diff_tokens,omitempty"`
	Around         model.Budgets `json:"around,omitzero"`
	ShowDifficulty bool          `json:"show_difficulty"`
}

// Canary is the line that marks the text of a dataset with this configuration. If it
// appears in training data or in a model's output, the dataset leaked.
func (m Manifest) Canary() string {
	return "prforge-" + string(m.Benchmark) + "-canary " + m.ConfigSHA256
}

// SnapshotsOf says in a manifest which dataset the snapshots belong to.
type SnapshotsOf struct {
	Dataset  string `json:"dataset"`         // its name
	Manifest string `json:"manifest_sha256"` // of its manifest.json
}
