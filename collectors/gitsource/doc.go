// Package gitsource reads history and sources from git: fork points, diffs
// where GitHub refuses them, line maps between revisions, and the files of the
// commits that pull requests began at.
//
// One partial bare repository a project holds what was transferred, and no more
// than is needed is: first commits with their trees and some history, then
// exactly the blobs wanted. Where that history does not prove an answer, the whole
// comes, without trees.
//
// The git binary transfers, finds merge bases, makes diffs, and gives objects from
// a process that lives as long as the repository is open. Each object is checked
// against its id. go-git decodes commits and trees.
package gitsource
