// Package artifacts is the dataset on disk: the types of its records, their one
// byte form, and where its files are (spec section 10).
//
// The packages below it depend on each other in one direction: convert makes the
// records of what the pipeline learnt; load reads a dataset; card and columns say
// the same in other forms, for people and for tools; freeze writes it; diff,
// verify and report are made from it. schema has the JSON Schemas that are
// shipped, takedown what must not appear. All are pure functions of the values
// given but for the dataset's own folder, which load reads and freeze writes.
package artifacts
