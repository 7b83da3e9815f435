package verdict

// Names of the stages of the review benchmark, as funnel, decisions, logs and
// reasons have them. Names are never changed: people count by them.
const (
	StageCollectRepository = "collect-repository" // the repository's facts and its pull requests
	StageRepositoryScore   = "rqs"                // the gate of the repository score
	StageWindow            = "window"             // merged within the window, the newest so many
	StageCollect           = "collect"            // the pull request in full
	StageLabel             = "label"              // every review comment by the comment rules
	StageRevision          = "revision"           // the revision that was reviewed
	StageFetchDiff         = "fetch-diff"         // its unified diff
	StageFetchBase         = "fetch-base"         // fork point, sources, line maps
	StageCodeState         = "code-state"         // what became of the code under each comment
	StageShown             = "shown"              // the comments whose lines the contexts show
	StageScore             = "score"              // the review value score
	StageAnchor            = "anchor"             // each comment's position in the final diff
	StageGrade             = "grade"              // difficulty, type, language
	StageDecontaminate     = "decontaminate"      // instances of known benchmarks, and what is close to them
	StageSelect            = "select"             // duplicate changes, caps, shares, the target
	StageContexts          = "contexts"           // the three texts
)

// Names of the stages that only the bugs benchmark has.
const (
	StageFiles  = "files"  // a changed file that a fault can be put into
	StageInject = "inject" // a slip, proven to be a fault
	StageDraw   = "draw"   // quotas; no original twice
)

// Names of the ten filters (spec section 5); each is a stage of its own.
const (
	FilterMerged              = "merged"
	FilterSubstantiveComments = "substantive-comments"
	FilterNonTestChange       = "non-test-change"
	FilterNotDocsOnly         = "not-docs-only"
	FilterNotDependencyUpdate = "not-dependency-update"
	FilterNotAIDominated      = "not-ai-dominated"
	FilterDiffParseable       = "diff-parseable"
	FilterBaseAccessible      = "base-accessible"
	FilterRepositoryPublic    = "repository-public"
	FilterReviewValue         = "review-value"
)

// ruleOfComments is the source of a comment's code: a rule, not a stage.
const ruleOfComments = "comment rules"

// collecting are the stages that ask GitHub or git for something.
const collecting = StageCollectRepository + ", " + StageCollect + ", " + StageFetchDiff + ", " + StageFetchBase
