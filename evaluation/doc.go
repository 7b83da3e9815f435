// Package evaluation measures reviewers on a frozen dataset. It is pure: it
// plans records, words the questions, reads what came back, pairs comments with
// ground truth, and scores. Whoever uses it brings a function that answers a
// Request, from a network or from what was kept; the same answers always give
// the same scores.
//
// A verdict is about the reviewer: an answer that cannot be used, a comment that
// is wrong. A failure is about us: a call that never came back, a judge that
// could not be read. A failed record has no score, and planned = scored + failed.
//
// Benchmarks differ in what they ask and how they score (the Benchmark
// interface); how a record goes from question to score does not (Run).
package evaluation
