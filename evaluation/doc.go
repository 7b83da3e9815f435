// Package evaluation measures reviewers on a frozen dataset. It is pure: it plans records, writes the questions,
// reads the answers, pairs comments with ground truth, and scores. The caller provides a function that answers a
// Request, from a network or from stored answers; the same answers always give the same scores.
//
// A verdict is about the reviewer: an unusable answer, a wrong comment. A failure is about us: a call without an
// answer, an unreadable judge. A failed record has no score, and planned = scored + failed.
//
// Benchmarks differ in their questions and scoring (the Benchmark interface). They share the way of a record from
// question to score (Run).
package evaluation
