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
//  1. Give it a word: a constant of type [artifacts.Benchmark] in artifacts/manifest.go,
//     and the same in artifacts/schema/v1/manifest.json. Every dataset holds that
//     schema, so that all digests of golden tests move.
//  2. Make a folder here, with THE ordered list of everything that happens:
//     functions that return []pipeline.Stage[T] for items of a type T. Stages of
//     pull requests are shared: [run.CollectStage], [run.Session.ChangeFilters],
//     [run.DiffStage], [run.BaseStage], [run.FilterStages],
//     [run.Session.Decontaminate]. Names of its own stages and its reasons are in
//     a file of internal/verdict that internal/verdict/codes.go lists.
//  3. Build with [run.Build] and a [run.Recipe]: the list, what the global steps
//     need of an item, those steps, and the benchmark's own files. It takes each
//     repository through [run.Repository], counts the funnel, which proves
//     conservation, and makes report and dataset. A benchmark that is not made of
//     pull requests calls [pipeline.Run] and [pipeline.Count] itself, as debugging/ does.
//  4. Freeze questions and answers in files of their own, NAME/questions.jsonl and
//     NAME/answers.jsonl. Under these names diff reads them, if answers have repo
//     and pr_number. [artifacts.CanonicalLines] makes their text and
//     [freeze.FileOf] files, its card among them. Questions carry
//     [artifacts.Manifest.Canary].
//  5. Give each file a schema: artifacts/schema/v1/NAME.json, its name in
//     artifacts/schema/schema.go, [artifacts.Schemas], its Go type in
//     artifacts/schema_test.go, and its file in artifacts/artifactstest/schemas.go.
//  6. Verify with a [verify.Tally]: [load.CheckFiles] and [schema.Check], then what
//     the records say of each other. [Recheck] builds the dataset again by itself.
//  7. State what prforge does with its datasets in a function Benchmark that
//     returns a [run.Benchmark], and add its line to [benchmarks]. [load.Summarize]
//     serves for Figures. An [evaluate.Benchmark] gives questions, scores and
//     leaderboard; its methods may be in the same folder.
//  8. Give it a command as cmd/prforge/internal/cli/escaped.go does, in
//     cmd/prforge/internal/cli/root.go. List the folder above and in
//     docs/architecture.md. What is made from all this, docs/commands.md and
//     docs/reasons.md, follows with the digests by make golden.
//
// TestDoc checks this page: every folder, file and name is there.
package stages
