// Package run runs any benchmark over repositories: the open state with the configuration, repositories one by one,
// their pull requests through an ordered list of stages, raw records, report and freezing.
//
//	session.go    how a run works, and what it has open
//	open.go       opening it
//	shard.go      repositories, several at once; what one of them came to
//	pulls.go      the pull requests of the window through a list of stages
//	item.go       a pull request on its way, and the stages that benchmarks share
//	report.go     how the run went; what every dataset has; the freeze
//	build.go      a dataset by a benchmark's recipe: all of the above, in order
//	raw.go        raw records, out of a dataset and into one
//
// A benchmark's package imports this one, never the other way round.
//
// [Build] makes a dataset by a [Recipe]. A benchmark that does more, as reviews do, uses its parts: [EachRepository]
// calls a function for each repository. [OpenShard] opens one and begins its [Shard], whose type parameter is what the
// benchmark's global steps need of an item that passed every stage. [Shard.RunPulls] takes the pull requests through a
// list. A shard can be stored as JSON, made on one machine and merged on another. [NewReport] and [Session.Dataset]
// begin what [Session.Freeze] ends.
package run
