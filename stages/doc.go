// Package stages is the pipeline itself: for each benchmark one file with the
// ordered list of everything that happens (review.go), thin adapters from the
// engine to the domain packages, and the runs over them: build, explain, score,
// verify. It orders and passes on; what one could argue about is decided in the
// domain packages.
//
// A [Session] is what a run has open: the state, the configuration as the
// domain packages take it, the accounts' registry, takedowns, models. The
// functions of this package take one.
//
// # How a benchmark is added
//
//  1. Its constant in artifacts (Benchmark), its files in artifacts/layout.go,
//     its reason codes in internal/verdict/codes.go.
//  2. One file NAME.go with its ordered list: functions that return
//     []pipeline.Stage[T] for items of its own type T. Stages of pull requests
//     are there to be used again: collectStage, diffStage, baseStage,
//     filterStages, decontaminateStage over *item.
//  3. Its run. For repositories: [eachRepository] calls a function for each,
//     several at once; [openShard] opens one and begins its shard[F], where F is
//     what the global steps need of an item that passed every stage; [runPulls]
//     takes the pull requests of the window through a list. For anything else:
//     [runItems] takes items of any type through a list; one pipeline.Entry an
//     item says what was decided, with Take.
//  4. Its end. pipeline.Count makes the funnel of all entries and proves
//     conservation; a [result] makes the audit's lines, the run report and the
//     raw records of them; [Session.manifest] makes the manifest;
//     artifacts.Freeze takes the benchmark's own files as Dataset.Files.
//
// A shard's result is a value that can be stored as JSON, so that it can be
// made on one machine and merged on another.
package stages
