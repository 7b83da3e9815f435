// Package gitsource reads history and sources from git: fork points, diffs
// where GitHub refuses them, line maps between revisions, and the files of the
// commits that pull requests began at.
//
// One partial bare repository a project holds what was transferred, and no more
// than is needed is: first commits with their whole history and no tree, then the
// trees of the commits in question without any blob, then exactly the blobs wanted.
//
// The git binary transfers, finds merge bases, makes diffs, and gives objects from
// a process that lives as long as the repository is open. Each object is checked
// against its id. go-git decodes commits and trees.
package gitsource
