// Package gitsource reads history and sources from git: fork points, diffs
// where GitHub refuses them, line maps between revisions, and the files of the
// commits that pull requests began at.
//
// One partial bare repository a project holds what was transferred, and no more
// than is needed is: first commits with their trees and some history, then
// exactly the blobs wanted. Where that history does not prove an answer, the whole
// comes, without trees.
//
// Two tools share the work, each for what it is measured good at. The git binary
// transfers (go-git knows no partial fetch), finds merge bases (go-git is some
// fifty times slower) and makes diffs (go-git's text differs from git's and
// GitHub's). go-git reads commits, trees and blobs in the process. Every object
// is checked against its id; one that go-git does not give right is read by git.
package gitsource
