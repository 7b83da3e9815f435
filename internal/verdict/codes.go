package verdict

import "slices"

// Codes of the comment rules (spec section 4), in the order of the rules: the
// reason why a review comment is no ground truth.
const (
	ByBot        Code = "by_bot"
	AIText       Code = "ai_text"
	ByGhost      Code = "by_deleted_account"
	ByPullAuthor Code = "by_pull_author"
	// AuthorUnverified is for comments that the author may have written.
	AuthorUnverified Code = "author_unverified"
	IsReply          Code = "is_reply"
	IsPending        Code = "is_pending"
	IsMinimized      Code = "is_minimized"
	TooFewWords      Code = "too_few_words"
	NoReference      Code = "no_reference_to_code"
	OnlyPraise       Code = "only_praise"
	OnlyExplains     Code = "only_explains"
	StyleOnly        Code = "style_only"
	BareQuestion     Code = "bare_question"
	NeedsOther       Code = "needs_other_comment"
	BesideBehavior   Code = "beside_behavior"
	Withdrawn        Code = "withdrawn"
	NotConfirmed     Code = "not_confirmed"
	CodeChanged      Code = "code_changed_before_merge"
	// OtherRevision is for comments of another revision than the record shows,
	// OtherRecord for those that another record of the pull request has.
	OtherRevision Code = "other_revision"
	OtherRecord   Code = "other_record"
	// AnsweredBefore is for comments whose code was changed before the revision
	// that the record shows.
	AnsweredBefore Code = "answered_before_revision"
	NotShown       Code = "not_shown"
)

// Codes of the ten filters (spec section 5), in order.
const (
	NotMerged         Code = "not_merged"
	ThreadsIncomplete Code = "threads_incomplete"
	TooFewSubstantive Code = "too_few_substantive_comments"
	// RevisionUnreachable is for pull requests whose reviewed commits are gone.
	RevisionUnreachable Code = "revision_unreachable"
	TooFewStanding      Code = "too_few_standing_comments"
	TooFewShown         Code = "too_few_shown_comments"
	FilesIncomplete     Code = "files_incomplete"
	OnlyTestsChanged    Code = "only_tests_changed"
	OnlyDocsChanged     Code = "only_docs_changed"
	NoSupportedLanguage Code = "no_supported_language"
	DependencyUpdate    Code = "dependency_update"
	CommentsIncomplete  Code = "comments_incomplete"
	AIDominated         Code = "ai_dominated"
	NotLabeled          Code = "not_labelled" //nolint:misspell // the released name
	DiffMissing         Code = "diff_missing"
	DiffUnparseable     Code = "diff_unparseable"
	DiffEmpty           Code = "diff_empty"
	DiffCutOff          Code = "diff_cut_off"
	DiffTooLarge        Code = "diff_too_large"
	OnlyCommentsChanged Code = "only_comments_changed"
	BaseMissing         Code = "base_missing"
	BaseUnreadable      Code = "base_unreadable"
	BaseUnverified      Code = "base_unverified"
	BaseFileUnreadable  Code = "base_file_unreadable"
	RepositoryUnknown   Code = "repository_unknown"
	RepositoryPrivate   Code = "repository_private"
	RepositoryDisabled  Code = "repository_disabled"
	RepositoryGone      Code = "repository_gone"
	ReviewValueMissing  Code = "review_value_missing"
	ReviewValueTooLow   Code = "review_value_too_low"
)

// Codes of what was unavailable, of the window, and of the contexts.
const (
	NotFound            Code = "not_found"
	Blocked             Code = "blocked"
	Forbidden           Code = "forbidden"
	EmptyRepository     Code = "empty_repository"
	DuplicateRepository Code = "duplicate_repository"
	NotAnswered         Code = "not_answered"
	CollectionFailed    Code = "collection_failed"
	NotCollected        Code = "not_collected"
	TakenDown           Code = "taken_down"
	OutsideWindow       Code = "outside_window"
	OverWindowCap       Code = "over_window_cap"
	ContextsFailed      Code = "contexts_failed"
)

// Codes of the repository gate (spec section 3).
const (
	RepositoryScoreTooLow  Code = "repository_score_too_low"
	RepositoryScoreMissing Code = "repository_score_missing"
)

// Codes of decontamination and selection (spec section 8), in order.
const (
	BenchmarkInstance Code = "benchmark_instance"
	NearBenchmark     Code = "near_benchmark_text"
	BelowFloor        Code = "below_inclusion_floor"
	TwinChange        Code = "twin_of_another_pull_request"
	OverRepositoryCap Code = "over_repository_cap"
	OverTarget        Code = "over_target"
	FirstNotSelected  Code = "first_record_not_selected"
	CopyleftShare     Code = "displaced_for_copyleft_share"
)

// Reasons is the table of all codes, by stage in the order of the pipeline. The
// slice is the caller's own.
func Reasons() []Reason {
	return slices.Concat(reviewReasons(), bugReasons(), debuggingReasons(), escapedReasons())
}

// reviewReasons is the review benchmark's part of Reasons.
func reviewReasons() []Reason {
	return []Reason{
		// Repositories and the window.
		{NotFound, collecting, "GitHub does not have it, or does not show it: missing, deleted or private."},
		{Blocked, collecting, "GitHub has taken it down or blocked access to it (451, or 403 with a reason)."},
		{Forbidden, collecting, "The token may not read it, for example because an organization wants single sign-on."},
		{NotAnswered, collecting,
			"GitHub never answered for it, however little was asked at once; the same command tries again."},
		{CollectionFailed, collecting, "It could not be collected; the same command tries again."},
		{NotCollected, collecting,
			"The raw records of another dataset, from which this one was built (`--from`), lack what the decision needs: rules that were stricter never asked for it."},
		{EmptyRepository, StageCollectRepository, "The repository has no commits."},
		{DuplicateRepository, StageCollectRepository,
			"The configuration lists the repository twice, under a former and the present name."},
		{OutsideWindow, StageWindow, "It was not merged within the window."},
		{OverWindowCap, StageWindow, "Enough newer pull requests of the repository lie in the window."},
		{TakenDown, StageCollect, "It is on the takedown list."},

		// Comment rules.
		{ByBot, ruleOfComments, "An automation or AI-review account wrote the comment."},
		{AIText, ruleOfComments,
			"The text carries the marks of an AI-written review, though an account of a person posted it."},
		{ByGhost, ruleOfComments,
			"The account that wrote the comment was deleted, so nobody can say whether a person wrote it."},
		{ByPullAuthor, ruleOfComments, "The author of the pull request wrote the comment."},
		{AuthorUnverified, ruleOfComments,
			"The account that opened the pull request has neither an id nor a login of GitHub's form, so nobody can say who is not the author."},
		{IsReply, ruleOfComments, "The comment answers another one instead of starting a thread."},
		{IsPending, ruleOfComments, "The comment belongs to a review that was never submitted."},
		{IsMinimized, ruleOfComments,
			"The comment was hidden on GitHub as off-topic, outdated, resolved, a duplicate, spam or abuse."},
		{TooFewWords, ruleOfComments,
			"The comment has too few words of prose; quotes, code blocks, suggestions, HTML comments, link targets and images do not count. A suggestion that changes code makes up for them where filters.suggestion_counts is set."},
		{NoReference, ruleOfComments,
			"The comment refers neither to code (inline code, path, identifier, suggestion) nor to behavior (a substance keyword)."},
		{OnlyPraise, ruleOfComments,
			"The comment only praises, thanks, approves, acknowledges or reports what its writer did."},
		{OnlyExplains, ruleOfComments,
			"The comment only says what the change or the code does or did, with neither a concern nor a proposal in it."},
		{StyleOnly, ruleOfComments, "The comment is only about layout, spelling or wording that changes no behavior."},
		{BareQuestion, ruleOfComments, "The comment only asks, with neither a concern nor a proposal in it."},
		{NeedsOther, ruleOfComments,
			"The comment only points at another comment or discussion, with too few words of its own."},
		{BesideBehavior, ruleOfComments,
			"The comment only asks for documentation or another wording, only proposes another name, or only proposes another form of the same code and gives no reason (filters.comment_rules)."},
		{Withdrawn, ruleOfComments,
			"The writer of the comment took it back in a later reply, and nobody had agreed with it."},
		{NotConfirmed, ruleOfComments,
			"Fewer raters than ground_truth.confirmed_by call the comment a finding that a reader of the change can make, or a person judged that it is none."},
		{CodeChanged, ruleOfComments,
			"The code under the comment was changed before the merge, so a reader of the final diff cannot find what it is about."},
		{OtherRevision, ruleOfComments, "The comment was written on another revision than the one that the record shows."},
		{OtherRecord, ruleOfComments,
			"The comment stands at the revision that the record shows, and is ground truth of an earlier record of the pull request."},
		{AnsweredBefore, ruleOfComments,
			"The comment was written on an earlier revision, and the code under it was changed before the one that the record shows."},
		{NotShown, ruleOfComments,
			"The contexts do not show the line of the comment: it lies in a file that nobody reads line by line, or beyond the bound of a whole diff."},

		// The ten filters.
		{NotMerged, FilterMerged, "The pull request is not merged."},
		{NotLabeled, FilterSubstantiveComments,
			"The comments were not labeled, so nothing that rests on labels can be decided."},
		{ThreadsIncomplete, FilterSubstantiveComments,
			"GitHub did not give all review threads, so the ground truth would have holes."},
		{TooFewSubstantive, FilterSubstantiveComments, "Too few review comments are substantive."},
		{RevisionUnreachable, StageRevision,
			"Too few comments stand at any revision that can still be had, and revisions that comments were written on cannot."},
		{TooFewStanding, StageRevision + ", " + StageCodeState,
			"Too few substantive comments are about code that the record shows."},
		{TooFewShown, StageShown, "Too few substantive comments are on lines that the contexts show."},
		{FilesIncomplete, FilterNonTestChange, "GitHub did not give the whole list of changed files."},
		{OnlyTestsChanged, FilterNonTestChange, "Only test files changed."},
		{NoSupportedLanguage, FilterNonTestChange,
			"No production file in a supported language changed, so no context could be built."},
		{OnlyDocsChanged, FilterNotDocsOnly, "Only documentation changed."},
		{DependencyUpdate, FilterNotDependencyUpdate, "The pull request is an automated dependency update."},
		{CommentsIncomplete, FilterNotAIDominated,
			"GitHub did not give all comments and reviews, so the share of AI text is not known."},
		{AIDominated, FilterNotAIDominated,
			"Too large a share of its comments is from AI review accounts or matches AI signatures."},
		{DiffMissing, FilterDiffParseable, "No diff was collected."},
		{DiffUnparseable, FilterDiffParseable, "The diff cannot be parsed."},
		{DiffEmpty, FilterDiffParseable, "The diff is empty."},
		{DiffCutOff, FilterDiffParseable, "The diff holds fewer files or lines than GitHub counts."},
		{OnlyCommentsChanged, FilterDiffParseable, "Only comments, docstrings and documentation changed."},
		{DiffTooLarge, FilterDiffParseable, "The diff adds too many lines."},
		{BaseMissing, FilterBaseAccessible, "The base commit was not looked up."},
		{BaseUnreadable, FilterBaseAccessible, "The base commit cannot be found or read."},
		{BaseUnverified, FilterBaseAccessible, "A base commit was found, but the diff does not fit it."},
		{BaseFileUnreadable, FilterBaseAccessible, "A changed file cannot be read at the base commit."},
		{RepositoryUnknown, FilterRepositoryPublic, "Nothing is known about the repository."},
		{RepositoryPrivate, FilterRepositoryPublic, "The repository is private."},
		{RepositoryDisabled, FilterRepositoryPublic, "GitHub has disabled the repository."},
		{RepositoryGone, FilterRepositoryPublic, "The repository is gone or blocked (404, 451)."},
		{ReviewValueMissing, FilterReviewValue, "The review value score could not be computed."},
		{ReviewValueTooLow, FilterReviewValue, "The review value score is below the floor."},

		// The repository gate.
		{RepositoryScoreTooLow, StageRepositoryScore,
			"The Repository Quality Score is too low, even if every missing component had full marks."},
		{RepositoryScoreMissing, StageRepositoryScore,
			"Components of the Repository Quality Score could not be measured, and they decide."},

		// Decontamination and selection.
		{BenchmarkInstance, StageDecontaminate, "The pull request is an instance of a known benchmark."},
		{NearBenchmark, StageDecontaminate, "The text of the pull request is too close to an instance of a known benchmark."},
		{BelowFloor, StageSelect, "The review value score is below the inclusion floor, under which nothing is released."},
		{TwinChange, StageSelect, "Another pull request makes the same change: a backport or a re-submission."},
		{OverRepositoryCap, StageSelect,
			"Enough pull requests of the same repository with a higher review value are selected."},
		{OverTarget, StageSelect, "The target is reached with pull requests of a higher review value."},
		{FirstNotSelected, StageSelect, "The first record of the pull request is not selected, so no further one is."},
		{CopyleftShare, StageSelect,
			"A pull request of a copyleft repository was taken instead, to reach the minimum share."},

		// Contexts.
		{ContextsFailed, StageContexts, "The contexts could not be built."},
	}
}
