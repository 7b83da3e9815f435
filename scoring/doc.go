// Package scoring values repositories, pull requests and their comments: pure functions of collected facts, with
// every threshold an option.
//
//	anchors.go     where a review comment is in the final diff (spec section 4)
//	reposcore.go   Repository Quality Score (section 3)
//	rvs.go         PR Review Value Score (section 6)
//	difficulty.go  the difficulty of a pull request (section 7)
//	prtype.go      its type, language.go its language (section 7)
//	selection.go   which pull requests are released (section 8)
//	split.go       the evaluation split (section 8)
package scoring
