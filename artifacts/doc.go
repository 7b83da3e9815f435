// Package artifacts defines the dataset on disk: the types of its records, their canonical bytes, and the paths of
// its files (spec section 10).
//
// The packages below it depend on each other in one direction: convert makes the records from the pipeline's results;
// load reads a dataset; card and columns write other forms, for people and for tools; freeze writes it; diff, verify
// and report read it. schema has the JSON Schemas that datasets carry, takedown what must not appear. All are pure
// functions except for access to the dataset's own folder, which load reads and freeze writes.
package artifacts
