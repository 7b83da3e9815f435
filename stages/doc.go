// Package stages lists the benchmarks (registry.go), and does with any dataset what
// its benchmark does: [Verify], [Recheck], [ExplainFrom], [Evaluated].
//
//	config/     prforge.yaml, put together from the options of the packages
//	run/        what a run is, whatever the benchmark: session, shards, raw records, report
//	snapshots/  the code of records as git objects, in a dataset or beside one
//	review/     the benchmark of real pull requests
//	bugs/       the benchmark of one injected fault in a real change
//	debugging/  the benchmark of errors injected into scripts
//	escaped/    the benchmark of defects that review let through
//	cluster/    the review benchmark on many machines
//	harbor/     a dataset as tasks of Harbor
//	find/       repositories that a benchmark could be made of
//	release/    a frozen dataset brought to a hub or a bucket, open or sealed
//	evaluate/   reviewers that are asked about a dataset of any benchmark
//
// These packages order and pass on. A rule that one could argue about belongs to a
// domain package: filters, scoring, contextbuilder, injection, evaluation.
//
// # How a benchmark is added
//
//  1. Give it a word: a constant of type [artifacts.Benchmark]. Name its files in
//     artifacts/layout.go and its reasons in internal/verdict/codes.go.
//  2. Make a folder here, with THE ordered list of everything that happens:
//     functions that return []pipeline.Stage[T] for items of a type T. Stages of
//     pull requests are shared: [run.CollectStage], [run.Session.ChangeFilters],
//     [run.DiffStage], [run.BaseStage], [run.FilterStages],
//     [run.Session.Decontaminate].
//  3. Build with [run.Build] and a [run.Recipe]: the list, what the global steps
//     need of an item, those steps, and the benchmark's own files. It takes each
//     repository through [run.RunRepository], counts the funnel, which proves
//     conservation, and makes report and dataset. A benchmark that is not made of
//     pull requests calls [pipeline.Run] and [pipeline.Count] itself, as debugging/ does.
//  4. Write and read the files. [freeze.FileOf] makes a file of bytes, the dataset's
//     canary is [artifacts.Manifest.Canary].
//  5. State what prforge does with its datasets in a function Benchmark that
//     returns a [run.Benchmark], and add its line to [benchmarks].
//
// TestDoc checks this page: every folder and every name is there.
package stages
