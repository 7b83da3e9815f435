// Package official scores reviews exactly as the published harness of
// SWE-PRBench does (FoundryHQ-AI/swe-prbench at 379f0bf, protocol v0.4.1), its
// faults included, so that a published number can be repeated from kept
// answers. The paper's own text disagrees with the harness in one rule of the
// matching; that is a second protocol, Paper.
//
//	dataset.go     reading prs.jsonl, annotations and contexts
//	agent.go       asking the agent, reading its answer
//	snippet.go     which part of the diff the judge is shown
//	judge.go       reading the judge's answer
//	similarity.go  words or vectors
//	matching.go    which comment counts for which human comment
//	score.go       the parts and the composite of one record
//	report.go      means and tables over records
//
// docs/published-protocols.md lists the differences. The package is pure.
package official

// Protocol is one published way from answers to a score.
type Protocol struct {
	Name    string
	Version string
	// RescueFabricated lets the second stage of the matching turn a comment that the judge called FABRICATED into a
	// CONFIRMED one. The harness does so; the paper (appendix C) excludes such comments.
	RescueFabricated bool
}

// Harness is the protocol as the published code applies it.
func Harness() Protocol {
	return Protocol{Name: "official", Version: "v0.4.1", RescueFabricated: true}
}

// Paper is the protocol as the paper describes it.
func Paper() Protocol {
	return Protocol{Name: "paper", Version: "arXiv 2603.26130v1"}
}

// Labels of a judged comment, and states of a human comment.
const (
	Confirmed  = "CONFIRMED"
	Plausible  = "PLAUSIBLE"
	Fabricated = "FABRICATED"

	Caught = "CAUGHT"
	Missed = "MISSED"
)

// Versions of the judge's prompt as records name them: the plain one, the one
// of a judge that could not be asked or read, and the one of a judge that was
// not asked because the agent's answer was unusable.
const (
	promptVersion  = "v1.0"
	promptFallback = "v1.0+fallback"
	promptSkipped  = "v1.0+agent_parse_failed"
)

// maxAnswerBytes is the longest answer of a model that is read; the harness's
// limit of 4,000 tokens is some 30 kB. A longer one is unusable.
const maxAnswerBytes = 1 << 20
