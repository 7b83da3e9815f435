package verdict

// Codes of the debugging benchmark (spec section 15): of scripts, of changes
// made to them, and of compositions of changes.
const (
	NotAScript           Code = "not_a_script"
	ScriptTooLong        Code = "script_too_long"
	NeedsArguments       Code = "needs_arguments"
	ModuleMissing        Code = "module_missing"
	LibraryMissing       Code = "library_missing"
	DataMissing          Code = "data_missing"
	DataTooLarge         Code = "data_too_large"
	LicenseMissing       Code = "license_missing"
	LicenseNotListed     Code = "license_not_listed"
	BaselineFails        Code = "baseline_fails"
	BaselineTimesOut     Code = "baseline_times_out"
	BaselineDiffers      Code = "baseline_differs"
	BaselineNeedsNetwork Code = "baseline_needs_network"
	BaselineNeedsDisplay Code = "baseline_needs_display"

	MutantUnparsed         Code = "mutant_unparsed"
	MutantMoreThanOne      Code = "mutant_more_than_one_statement"
	MutantLeaks            Code = "mutant_leaks"
	MutantNotExecuted      Code = "mutant_not_executed"
	MutantChangesNothing   Code = "mutant_changes_nothing"
	MutantSilent           Code = "mutant_silent"
	MutantTimesOut         Code = "mutant_times_out"
	MutantNondeterministic Code = "mutant_nondeterministic"
	MutantKilled           Code = "mutant_killed"
	EffectOutsideScript    Code = "effect_outside_script"
	EffectOfEnvironment    Code = "effect_of_environment"
	EffectBeforeCause      Code = "effect_before_cause"
	LineNotUnique          Code = "line_not_unique"
	DuplicateSignature     Code = "duplicate_signature"
	OverQuota              Code = "over_quota"

	PeelOverlap   Code = "peel_overlap"
	PeelLost      Code = "peel_lost"
	PeelChanged   Code = "peel_changed"
	PeelAmbiguous Code = "peel_ambiguous"

	ScriptFailed Code = "script_failed"
)

// debuggingReasons is the debugging benchmark's part of Reasons.
func debuggingReasons() []Reason {
	return []Reason{
		{LicenseMissing, StageScript, "No license is known under which the script may be published."},
		{LicenseNotListed, StageScript, "The script's license is not one of those that the configuration takes."},
		{NotAScript, StageScript + ", " + StageBaseline,
			"The file is no program: it does not parse, or only defines things."},
		{ScriptTooLong, StageScript, "The script has too many lines."},
		{NeedsArguments, StageScript + ", " + StageBaseline, "The script asks for input or for arguments."},
		{ModuleMissing, StageBaseline, "The script imports a module that is not installed."},
		{LibraryMissing, StageBaseline, "The script needs a shared library or a program that is not installed."},
		{DataMissing, StageBaseline, "The script reads a file that is not there."},
		{DataTooLarge, StageBaseline, "The script reads a file that is there and larger than the configuration takes."},
		{BaselineFails, StageBaseline, "The script does not run to its end before anything is changed."},
		{BaselineTimesOut, StageBaseline, "The script takes longer than the limit."},
		{BaselineDiffers, StageBaseline, "Two runs with different seeds end in different ways."},
		{BaselineNeedsNetwork, StageBaseline, "The script needs the network."},
		{BaselineNeedsDisplay, StageBaseline, "The script needs a display."},

		{MutantNotExecuted, StagePlan, "The script's own run never reaches the statement."},
		{OverQuota, StagePlan + ", " + StageQuota + ", " + StageBalance,
			"Enough changes of this kind are taken: by script, operator, exception type or number of hops."},
		{MutantUnparsed, StageCheck + ", " + StageSearch, "The changed script does not parse, or a model's answer does not."},
		{MutantMoreThanOne, StageCheck, "The change is not confined to one statement, or changes the number of lines."},
		{MutantLeaks, StageCheck, "The change gives itself away: by a comment, or by a word such as \"wrong\"."},
		{MutantChangesNothing, StageCheck + ", " + StageSearch,
			"The changed script prints, draws and writes what the script does."},
		{MutantSilent, StageSearch, "The changed script does something else, but raises nothing."},
		{MutantTimesOut, StageSearch, "The changed script takes longer than the limit."},
		{MutantKilled, StageSearch, "The changed script was ended: by a signal, a limit, or itself."},
		{MutantNondeterministic, StageAccept, "Runs of the changed script differ in exception, message or effect."},
		{EffectOutsideScript, StageLabel, "No frame of the traceback is inside the script."},
		{EffectOfEnvironment, StageLabel,
			"The exception is about the machine (files, memory, network) and not about the code."},
		{EffectBeforeCause, StageLabel, "The changed statement did not run before the exception."},
		{LineNotUnique, StageLabel, "The text of a line occurs more than once, and line numbers are not shown."},
		{DuplicateSignature, StageDuplicates,
			"Another change of the script raises the same exception at the same statement."},

		{PeelOverlap, StageCompose, "Two faults share a statement, or one is where the other shows."},
		{PeelLost, StagePeel, "The faults together raise nothing inside the script."},
		{PeelChanged, StagePeel, "The faults together show as none of them does alone."},
		{PeelAmbiguous, StageCompose + ", " + StagePeel, "Two faults show in the same way, or at one statement."},

		{ScriptFailed, StageScript + ", " + StageBaseline, "The script could not be run; the same command tries again."},
	}
}
