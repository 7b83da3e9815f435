package verdict

// Names of the stages of the debugging benchmark. Pull requests are searched for
// scripts up to StageHeads. Scripts come in at StageScript,
// faults (changes of a script) at StagePlan, compositions of faults at
// StageCompose. A crash is labeled at StageLabel.
const (
	StageHeads      = "heads"      // the scripts that a pull request changes, as it leaves them
	StageScript     = "script"     // a program of its own, with a license
	StageBaseline   = "baseline"   // runs to its end, twice, and does the same
	StagePlan       = "plan"       // what is changed where
	StageCheck      = "check"      // one statement, nothing that gives it away
	StageSearch     = "search"     // one run: does it crash
	StageDuplicates = "duplicates" // no two of a script show in the same way
	StageQuota      = "quota"      // shares of types, operators, hops
	StageAccept     = "accept"     // runs from the start, with every seed
	StageBalance    = "balance"    // the quotas again, over what was accepted
	StageCompose    = "compose"    // several faults at once
	StagePeel       = "peel"       // each in turn the first to show
)

// DebuggingStages are the stages of the debugging benchmark from a script on, in
// order.
func DebuggingStages() []string {
	return []string{StageScript, StageBaseline, StagePlan, StageCheck, StageSearch, StageLabel, StageDuplicates,
		StageQuota, StageAccept, StageBalance, StageCompose, StagePeel}
}
