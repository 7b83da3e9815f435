package verdict

// Names of the stages that only the benchmark of escaped defects has.
const (
	StageHistory = "history" // what the default branch did later, of a repository
	StageLink    = "link"    // later commits that lead back to the pull request
	StageFilter  = "filter"  // whether one of them repairs what the pull request broke
	StagePlace   = "place"   // the faulty lines in the shown diff
)
