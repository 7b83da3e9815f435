package verify

import "slices"

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
	SecretInSource   Kind = "secret-in-source"
	DifficultyNames  Kind = "difficulty-names"
)

// kinds lists all kinds of faults of a dataset with what is expected, in the order of a report.
var kinds = []Fault{
	{Kind: FileMissing, Text: "every file of the manifest is there"},
	{Kind: FileExtra, Text: "every file is in the manifest"},
	{Kind: FileChanged, Text: "every file has the size and SHA-256 of the manifest"},
	{Kind: FileIrregular, Text: "every file is a regular file"},
	{Kind: FolderEmpty, Text: "every folder holds a file"},
	{Kind: SchemaDiffers, Text: "schemas/ holds the schemas of the dataset's schema_version"},
	{Kind: FileForeign, Text: "nothing in the folder is another tool's, such as .git"},
	{Kind: FileUnknown, Text: "a dataset has no other files than those of its format"},
	{Kind: FileUnlisted, Text: "every record has its annotation, three contexts and evidence"},
	{Kind: FileOrphan, Text: "every annotation, context and evidence belongs to a record"},
	{Kind: NotJSON, Text: "every file is by its schema"},
	{Kind: NotCanonical, Text: "every file is in the canonical form: the published fields, in order"},
	{Kind: ManifestCount, Text: "the manifest counts the records"},
	{Kind: RawDamaged, Text: "every raw record can be read and has its own SHA-256"},
	{Kind: RawMissing, Text: "every repository that was scored has its raw records"},
	{Kind: ConfigChanged, Text: "config_sha256 is that of config.yaml, and not_for_publication what it says"},
	{Kind: NotRebuilt, Text: "the dataset can be built again from its raw records and its configuration"},
	{Kind: RebuiltDiffers, Text: "built again from itself, every file has the same bytes"},
	{Kind: PythonDenies, Text: "the given CPython, and pyflakes where it is installed, say the same of a question"},

	{Kind: TaskTwice, Text: "every task id is there once"},
	{Kind: NamesDiffer, Text: "ids, names and links of a pull request agree everywhere"},
	{Kind: ScoreSum, Text: "rvs_score is the weighted sum of its parts"},
	{Kind: ScoreRounding, Text: "the scores of record and evidence are the same, rounded"},
	{Kind: ScoreInputs, Text: "the parts of RVS follow from their inputs"},
	{Kind: ScoreCounts, Text: "the inputs of RVS agree with the record"},
	{Kind: BelowFloor, Text: "no record is below the RVS floor"},
	{Kind: DiffUnparseable, Text: "diff_patch is a unified diff"},
	{Kind: ChangedFiles, Text: "changed_files and files_changed are those of diff_patch"},
	{Kind: LineCounts, Text: "lines_added and lines_removed are those of diff_patch"},
	{Kind: TooManyLines, Text: "no record adds more lines than the limit"},
	{Kind: HumanComments, Text: "human_review_comments are all human comments of the evidence"},
	{Kind: RemovedCount, Text: "ai_comments_removed counts the comments by bots or written by an AI"},
	{Kind: NotPassed, Text: "a released pull request passed every stage"},
	{Kind: FilterNotMet, Text: "a record changes more than tests and more than documentation"},
	{Kind: RepositoryCap, Text: "no repository has more records than its cap"},
	{Kind: DifficultyWrong, Text: "difficulty follows from the annotation"},
	{Kind: DifficultyNames, Text: "each difficulty has one name, in the records and in the split"},

	{Kind: CountMismatch, Text: "counts of comments agree everywhere"},
	{Kind: TooFewComments, Text: "every record has enough ground-truth comments"},
	{Kind: RequestedChanges, Text: "requested_changes are the comments that require a change"},
	{Kind: CommentIDs, Text: "comment ids are c_1, c_2, ... and the same everywhere"},
	{Kind: EvidenceDiffers, Text: "annotation and evidence say the same of a comment"},
	{Kind: ReasonMissing, Text: "every comment that is no ground truth has a reason"},
	{Kind: BotComment, Text: "no comment by a bot, and none written by an AI, is released"},
	{Kind: OwnComment, Text: "no ground truth is by the author of the pull request"},
	{Kind: GhostComment, Text: "no ground truth is by a deleted account"},
	{Kind: ShortComment, Text: "ground truth has enough words of prose"},
	{Kind: NotThreadStart, Text: "ground truth starts its thread"},
	{Kind: HiddenComment, Text: "no ground truth is minimized or pending"},
	{Kind: MissingLine, Text: "every comment on a line has a line"},
	{Kind: IsInDiff, Text: "is_in_diff is true exactly on lines that diff_patch adds (right) or deletes (left)"},
	{Kind: SideUnaware, Text: "is_in_diff is true on a line that diff_patch deletes, for a comment on the left side"},
	{Kind: ThreadResolved, Text: "thread_resolved is what GitHub says"},
	{Kind: StandsAtRevision,
		Text: "where a record shows the reviewed revision, the diff hunk of each ground-truth comment begins a hunk of diff_patch, and that of a comment of another revision does not"},
	{Kind: CommentTwice, Text: "no comment is ground truth of two records"},
	{Kind: TextAsReviewed,
		Text: "title and description are those before the first review comment, or of a record that shows what was merged, the last ones"},

	{Kind: ContextTruncated, Text: "no context is truncated"},
	{Kind: TokenCount, Text: "total_tokens counts rendered with the named tokenizer"},
	{Kind: OverBudget, Text: "every context is within its budget"},
	{Kind: ContextLayers, Text: "a context has its layers, in order, with a diff in layer 2"},
	{Kind: HollowContext, Text: "no layer is an empty heading"},
	{Kind: ConfigsAlike, Text: "a richer context is not the same text as a poorer one"},
	{Kind: ContextDiff, Text: "the diffs in a context are parts of diff_patch"},
	{Kind: DiffsDiffer, Text: "with same_diff, layer 2 is the same text in A, B and C"},
	{Kind: Visibility, Text: "visible_in and coverage follow from the contexts"},
	{Kind: TruthNotShown,
		Text: "where contexts show whole diffs, every context shows the line of each ground-truth comment"},
	{Kind: LeakComment, Text: "no context holds ground truth"},
	{Kind: LeakScore, Text: "no context holds a score"},
	{Kind: LeakDifficulty, Text: "no context holds the difficulty"},

	{Kind: FunnelSum, Text: "at every stage, in = pass + reject + undetermined + failed"},
	{Kind: FunnelReasons, Text: "at every stage, the reasons add up to those that did not pass"},
	{Kind: FunnelChain, Text: "what one stage passes comes in at the next"},
	{Kind: FunnelDecisions, Text: "the funnel counts the decisions"},
	{Kind: DecisionTwice, Text: "every repository and pull request is decided once"},
	{Kind: DecisionReason, Text: "every decision but selected has a stage and a code"},
	{Kind: SelectedReleased, Text: "what was selected is what is released"},
	{Kind: RejectionsDiffer, Text: "rejections.jsonl holds the rejected decisions"},
	{Kind: RepositoryAudit, Text: "repositories.jsonl has every repository decided on"},
	{Kind: RepositoryScore, Text: "RQS is the sum of its parts, missing parts are named, and the selected reach the gate"},
	{Kind: SplitTasks, Text: "the split is drawn from the records, each once"},
	{Kind: SplitStrata, Text: "the strata count the split"},
	{Kind: ValidatedTasks, Text: "evals/validated.json lists the records with enough validated comments"},
	{Kind: ShortComments,
		Text: "evals/short.jsonl lists the comments of too few words that authors acted on or agreed to"},
	{Kind: CodeStates, Text: "addressed and standing follow from code_state, and the policy of the ground truth is kept"},
	{Kind: JudgedComment, Text: "what a person says of a comment's text in labels/overrides.jsonl is what it counts as"},
	{Kind: ParquetDiffers,
		Text: "the tables in parquet/ hold what prs.jsonl, annotations/, evidence/, contexts/ and evals/ hold"},
	{Kind: CroissantDiffers, Text: "croissant.json lists the files with their digests and every field"},
	{Kind: SecretFound, Text: "nothing in the dataset looks like a credential"},
	{Kind: SecretInSource,
		Text: "the repository's own text, in its files or diffs: nothing that prforge, a model or a reviewer wrote"},

	{Kind: SnapshotDamaged,
		Text: "every file of snapshots can be read, and holds just the objects that its records need, each with its id"},
	{Kind: SnapshotIndex, Text: "the index of the snapshots lists the records, and says what their files hold"},
	{Kind: SnapshotCommit, Text: "no object of a snapshot names a commit that came later"},
	{Kind: SnapshotDates, Text: "no commit of a snapshot has a date after the revision's"},
	{Kind: SnapshotLines, Text: "no file of a snapshot has a line that came after the revision"},
	{Kind: SnapshotText, Text: "no object of a snapshot has a passage of the ground truth or the later title"},
}

// Kinds lists all kinds of faults of a dataset with what is expected, in the order of a report.
func Kinds() []Fault { return slices.Clone(kinds) }

// controlKinds are those of a folder of negative controls.
var controlKinds = []Fault{
	{Kind: ControlFiles, Text: "every file of the controls is the one that the manifest lists"},
	{Kind: ControlHunks,
		Text: "a hunk is clean if and only if nothing speaks against it, and it was reviewed and looked at later"},
	{Kind: ControlPulls, Text: "every pull request is listed once, with the sums of its hunks"},
	{Kind: ControlReasons, Text: "every comment has text and reason, and a declined one its id in the annotation"},
}

// textOf is what is expected where a kind of fault is found; "" if no list has it.
func textOf(k Kind) string {
	for _, f := range kinds {
		if f.Kind == k {
			return f.Text
		}
	}
	return ""
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
