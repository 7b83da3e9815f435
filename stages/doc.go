// Package stages is the pipeline itself: for each benchmark one file with the
// ordered list of everything that happens (review.go), thin adapters from the
// engine to the domain packages, and the runs over them: build, explain, score,
// verify. It orders and passes on; what one could argue about is decided in the
// domain packages. What a run is, whatever the benchmark, is in stages/run.
//
// # How a benchmark is added
//
//  1. Its constant in artifacts (Benchmark), its files in artifacts/layout.go,
//     its reason codes in internal/verdict/codes.go.
//  2. One file NAME.go with its ordered list: functions that return
//     []pipeline.Stage[T] for items of its own type T. Stages of pull requests
//     are there to be used again: [run.CollectStage], [run.DiffStage],
//     [run.BaseStage], [run.FilterStages], [run.Session.Decontaminate].
//  3. Its run, by [run.EachRepository], [run.OpenShard] and [run.Shard.RunPulls].
//  4. Its end. pipeline.Count makes the funnel of all trails and proves
//     conservation; [run.NewReport], [run.Session.Dataset] and
//     [run.Session.Freeze] make the report and the dataset.
package stages
