package verify

// The kinds of faults of a dataset's files.
const (
	FileMissing   Kind = "file-missing"
	FileExtra     Kind = "file-extra"
	FileChanged   Kind = "file-changed"
	FileIrregular Kind = "file-irregular"
	FolderEmpty   Kind = "folder-empty"
	SchemaDiffers Kind = "schema-differs"
	FileForeign   Kind = "file-foreign"
	FileUnknown   Kind = "file-unknown"
	FileUnlisted  Kind = "task-file-missing"
	FileOrphan    Kind = "file-without-record"
	NotJSON       Kind = "not-by-schema"
	NotCanonical  Kind = "not-canonical"
	ManifestCount Kind = "manifest-count"
	RawDamaged    Kind = "raw-damaged"
	RawMissing    Kind = "raw-missing"
	ConfigChanged Kind = "config-changed"
	// The kinds of faults of a dataset that was rebuilt from itself.
	NotRebuilt     Kind = "not-rebuilt"
	RebuiltDiffers Kind = "rebuilt-differs"
	PythonDenies   Kind = "python-denies"
)

// The kinds of faults of a record.
const (
	TaskTwice       Kind = "task-twice"
	NamesDiffer     Kind = "names-differ"
	ScoreSum        Kind = "rvs-sum"
	ScoreRounding   Kind = "rvs-evidence"
	ScoreInputs     Kind = "rvs-inputs"
	ScoreCounts     Kind = "rvs-counts"
	BelowFloor      Kind = "below-floor"
	DiffUnparseable Kind = "diff-unparseable"
	ChangedFiles    Kind = "changed-files"
	LineCounts      Kind = "line-counts"
	TooManyLines    Kind = "too-many-lines"
	HumanComments   Kind = "human-comments"
	RemovedCount    Kind = "ai-comments-removed"
	NotPassed       Kind = "verdict-not-pass"
	FilterNotMet    Kind = "filter-not-met"
	RepositoryCap   Kind = "repository-cap"
	DifficultyWrong Kind = "difficulty-not-derivable"
)

// The kinds of faults of the ground truth.
const (
	CountMismatch    Kind = "count-mismatch"
	TooFewComments   Kind = "too-few-comments"
	RequestedChanges Kind = "requested-changes"
	CommentIDs       Kind = "comment-ids"
	EvidenceDiffers  Kind = "evidence-differs"
	ReasonMissing    Kind = "reason-missing"
	BotComment       Kind = "bot-comment"
	OwnComment       Kind = "own-comment"
	GhostComment     Kind = "ghost-comment"
	ShortComment     Kind = "short-comment"
	NotThreadStart   Kind = "not-thread-start"
	HiddenComment    Kind = "hidden-comment"
	MissingLine      Kind = "missing-line"
	IsInDiff         Kind = "is-in-diff"
	SideUnaware      Kind = "side-unaware"
	ThreadResolved   Kind = "thread-resolved"
	StandsAtRevision Kind = "stands-at-revision"
	CommentTwice     Kind = "comment-in-two-records"
	TextAsReviewed   Kind = "text-as-reviewed"
)

// The kinds of faults of the contexts.
const (
	ContextTruncated Kind = "context-truncated"
	TokenCount       Kind = "token-count"
	OverBudget       Kind = "over-budget"
	ContextLayers    Kind = "context-layers"
	HollowContext    Kind = "hollow-context"
	ConfigsAlike     Kind = "configs-alike"
	ContextDiff      Kind = "context-diff"
	DiffsDiffer      Kind = "diffs-differ"
	Visibility       Kind = "visibility"
	TruthNotShown    Kind = "ground-truth-not-shown"
	LeakComment      Kind = "leak-ground-truth"
	LeakScore        Kind = "leak-score"
	LeakDifficulty   Kind = "leak-difficulty"
)

// The kinds of faults of the audit and of files derived from the records.
const (
	FunnelSum        Kind = "funnel-sum"
	FunnelReasons    Kind = "funnel-reasons"
	FunnelChain      Kind = "funnel-chain"
	FunnelDecisions  Kind = "funnel-decisions"
	DecisionTwice    Kind = "decision-twice"
	DecisionReason   Kind = "decision-without-reason"
	SelectedReleased Kind = "selected-not-released"
	RejectionsDiffer Kind = "rejections-differ"
	RepositoryAudit  Kind = "repository-audit"
	RepositoryScore  Kind = "repository-score"
	SplitTasks       Kind = "split-tasks"
	SplitStrata      Kind = "split-strata"
	ValidatedTasks   Kind = "validated-tasks"
	ShortComments    Kind = "short-comments"
	CodeStates       Kind = "code-states"
	JudgedComment    Kind = "judged-comment"
	ParquetDiffers   Kind = "parquet-differs"
	CroissantDiffers Kind = "croissant-differs"
	SecretFound      Kind = "secret"
	DifficultyNames  Kind = "difficulty-names"
)

// kinds lists all of them, in the order of a report.
var kinds = []Kind{
	FileMissing, FileExtra, FileChanged, FileIrregular, FolderEmpty, SchemaDiffers, FileForeign, FileUnknown, FileUnlisted, FileOrphan, NotJSON, NotCanonical, ManifestCount, RawDamaged, RawMissing, ConfigChanged, NotRebuilt, RebuiltDiffers, PythonDenies,
	TaskTwice, NamesDiffer, ScoreSum, ScoreRounding, ScoreInputs, ScoreCounts, BelowFloor, DiffUnparseable, ChangedFiles, LineCounts,
	TooManyLines, HumanComments, RemovedCount, NotPassed, FilterNotMet, RepositoryCap, DifficultyWrong, DifficultyNames,
	CountMismatch, TooFewComments, RequestedChanges, CommentIDs, EvidenceDiffers, ReasonMissing, BotComment, OwnComment, GhostComment,
	ShortComment, NotThreadStart, HiddenComment, MissingLine, IsInDiff, SideUnaware, ThreadResolved, StandsAtRevision, CommentTwice, TextAsReviewed,
	ContextTruncated, TokenCount, OverBudget, ContextLayers, HollowContext, ConfigsAlike, ContextDiff, DiffsDiffer, Visibility, TruthNotShown, LeakComment, LeakScore, LeakDifficulty,
	FunnelSum, FunnelReasons, FunnelChain, FunnelDecisions, DecisionTwice, DecisionReason, SelectedReleased, RejectionsDiffer,
	RepositoryAudit, RepositoryScore, SplitTasks, SplitStrata, ValidatedTasks, ShortComments, CodeStates, JudgedComment, ParquetDiffers, CroissantDiffers, SecretFound,
	SnapshotDamaged, SnapshotIndex, SnapshotCommit, SnapshotDates, SnapshotLines, SnapshotText,
}

// Kinds lists all kinds of faults with what is expected, in the order of a report.
func Kinds() []Fault {
	out := make([]Fault, len(kinds))
	for i, k := range kinds {
		out[i] = Fault{Kind: k, Text: texts[k]}
	}
	return out
}

// texts say what is expected.
var texts = map[Kind]string{
	SnapshotDamaged: "every file of snapshots can be read, and holds just the objects that its records need, each with its id",
	SnapshotIndex:   "the index of the snapshots lists the records, and says what their files hold",
	SnapshotCommit:  "no object of a snapshot names a commit that came later",
	SnapshotDates:   "no commit of a snapshot has a date after the revision's",
	SnapshotLines:   "no file of a snapshot has a line that came after the revision",
	SnapshotText:    "no object of a snapshot has a passage of the ground truth or the later title",

	FileMissing:    "every file of the manifest is there",
	FileExtra:      "every file is in the manifest",
	FileChanged:    "every file has the size and SHA-256 of the manifest",
	FileIrregular:  "every file is a regular file",
	FolderEmpty:    "every folder holds a file",
	SchemaDiffers:  "schemas/ holds the schemas of the dataset's schema_version",
	FileForeign:    "nothing in the folder is another tool's, such as .git",
	FileUnknown:    "a dataset has no other files than those of its format",
	RawMissing:     "every repository that was scored has its raw records",
	ConfigChanged:  "config_sha256 is that of config.yaml, and not_for_publication what it says",
	NotRebuilt:     "the dataset can be built again from its raw records and its configuration",
	PythonDenies:   "the given CPython, and pyflakes where it is installed, say the same of a question",
	RebuiltDiffers: "built again from itself, every file has the same bytes",
	FileUnlisted:   "every record has its annotation, three contexts and evidence",
	FileOrphan:     "every annotation, context and evidence belongs to a record",
	NotJSON:        "every file is by its schema",
	NotCanonical:   "every file is in the canonical form: the published fields, in order",
	ManifestCount:  "the manifest counts the records",
	RawDamaged:     "every raw record can be read and has its own SHA-256",

	TaskTwice:       "every task id is there once",
	NamesDiffer:     "ids, names and links of a pull request agree everywhere",
	ScoreSum:        "rvs_score is the weighted sum of its parts",
	ScoreRounding:   "the scores of record and evidence are the same, rounded",
	ScoreInputs:     "the parts of RVS follow from their inputs",
	ScoreCounts:     "the inputs of RVS agree with the record",
	BelowFloor:      "no record is below the RVS floor",
	DiffUnparseable: "diff_patch is a unified diff",
	ChangedFiles:    "changed_files and files_changed are those of diff_patch",
	LineCounts:      "lines_added and lines_removed are those of diff_patch",
	TooManyLines:    "no record adds more lines than the limit",
	HumanComments:   "human_review_comments are all human comments of the evidence",
	RemovedCount:    "ai_comments_removed counts the comments by bots or written by an AI",
	NotPassed:       "a released pull request passed every stage",
	FilterNotMet:    "a record changes more than tests and more than documentation",
	RepositoryCap:   "no repository has more records than its cap",
	DifficultyWrong: "difficulty follows from the annotation",
	DifficultyNames: "each difficulty has one name, in the records and in the split",

	CountMismatch:    "counts of comments agree everywhere",
	TooFewComments:   "every record has enough ground-truth comments",
	RequestedChanges: "requested_changes are the comments that require a change",
	CommentIDs:       "comment ids are c_1, c_2, ... and the same everywhere",
	EvidenceDiffers:  "annotation and evidence say the same of a comment",
	ReasonMissing:    "every comment that is no ground truth has a reason",
	BotComment:       "no comment by a bot, and none written by an AI, is released",
	OwnComment:       "no ground truth is by the author of the pull request",
	GhostComment:     "no ground truth is by a deleted account",
	ShortComment:     "ground truth has enough words of prose",
	NotThreadStart:   "ground truth starts its thread",
	HiddenComment:    "no ground truth is minimized or pending",
	MissingLine:      "every comment on a line has a line",
	IsInDiff:         "is_in_diff is true exactly on lines that diff_patch adds (right) or deletes (left)",
	SideUnaware:      "is_in_diff is true on a line that diff_patch deletes, for a comment on the left side",
	ThreadResolved:   "thread_resolved is what GitHub says",
	StandsAtRevision: "where a record shows the reviewed revision, the diff hunk of each ground-truth comment begins a hunk of diff_patch, and that of a comment of another revision does not",
	CommentTwice:     "no comment is ground truth of two records",
	TextAsReviewed:   "title and description are those before the first review comment, or of a record that shows what was merged, the last ones",

	ContextTruncated: "no context is truncated",
	TokenCount:       "total_tokens counts rendered with the named tokenizer",
	OverBudget:       "every context is within its budget",
	ContextLayers:    "a context has its layers, in order, with a diff in layer 2",
	HollowContext:    "no layer is an empty heading",
	DiffsDiffer:      "with same_diff, layer 2 is the same text in A, B and C",
	Visibility:       "visible_in and coverage follow from the contexts",
	TruthNotShown:    "where contexts show whole diffs, every context shows the line of each ground-truth comment",
	ConfigsAlike:     "a richer context is not the same text as a poorer one",
	ContextDiff:      "the diffs in a context are parts of diff_patch",
	LeakComment:      "no context holds ground truth",
	LeakScore:        "no context holds a score",
	LeakDifficulty:   "no context holds the difficulty",

	FunnelSum:        "at every stage, in = pass + reject + undetermined + failed",
	FunnelReasons:    "at every stage, the reasons add up to those that did not pass",
	FunnelChain:      "what one stage passes comes in at the next",
	FunnelDecisions:  "the funnel counts the decisions",
	DecisionTwice:    "every repository and pull request is decided once",
	DecisionReason:   "every decision but selected has a stage and a code",
	SelectedReleased: "what was selected is what is released",
	RejectionsDiffer: "rejections.jsonl holds the rejected decisions",
	RepositoryAudit:  "repositories.jsonl has every repository decided on",
	RepositoryScore:  "RQS is the sum of its parts, missing parts are named, and the selected reach the gate",
	SplitTasks:       "the split is drawn from the records, each once",
	SplitStrata:      "the strata count the split",
	ValidatedTasks:   "evals/validated.json lists the records with enough validated comments",
	ShortComments:    "evals/short.jsonl lists the comments of too few words that authors acted on or agreed to",
	CodeStates:       "addressed and standing follow from code_state, and the policy of the ground truth is kept",
	JudgedComment:    "what a person says of a comment's text in labels/overrides.jsonl is what it counts as",
	ParquetDiffers:   "the tables in parquet/ hold what prs.jsonl, annotations/, evidence/, contexts/ and evals/ hold",
	CroissantDiffers: "croissant.json lists the files with their digests and every field",
	SecretFound:      "nothing in the dataset looks like a credential",
	ControlFiles:     "every file of the controls is the one that the manifest lists",
	ControlHunks:     "a hunk is clean if and only if nothing speaks against it, and it was reviewed and looked at later",
	ControlPulls:     "every pull request is listed once, with the sums of its hunks",
	ControlReasons:   "every comment has text and reason, and a declined one its id in the annotation",
}

// Kind is a kind of fault, in kebab case. Kinds are never renamed.
type Kind string

// Kinds of faults of a folder of negative controls.
const (
	ControlFiles   Kind = "control-files"
	ControlHunks   Kind = "control-hunks"
	ControlPulls   Kind = "control-pulls"
	ControlReasons Kind = "control-reasons"
)

// The kinds of faults of snapshots. The last three are warnings, because honest histories cause them too.
const (
	SnapshotDamaged Kind = "snapshot-damaged"
	SnapshotIndex   Kind = "snapshot-index"
	SnapshotCommit  Kind = "snapshot-later-commit"
	SnapshotDates   Kind = "snapshot-later-dates"
	SnapshotLines   Kind = "snapshot-returning-lines"
	SnapshotText    Kind = "snapshot-known-text"
)

// Fault is one kind of fault with how often it was found and its first example.
type Fault struct {
	Kind    Kind   `json:"kind"`
	Text    string `json:"text"` // what should have been
	Count   int    `json:"count"`
	Example string `json:"example"` // position and finding; never a secret's value
}
