// Package model holds the collected facts about repositories and pull requests, and the results of each later stage.
//
// Facts are plain data: no methods with side effects, no I/O. A field that
// GitHub may leave unanswered is a pointer; nil means "not known", which is
// never the same as zero or false. Times are UTC with second precision.
package model
