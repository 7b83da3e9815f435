// Package gitsource reads history and sources from git: fork points, diffs
// where GitHub refuses them, line maps between revisions, and the files of the
// commits that pull requests began at.
//
// One partial bare repository per project holds what was transferred. Only what is needed is transferred: first
// commits with their whole history and no trees, then the trees of the needed commits without blobs, then exactly the
// wanted blobs.
//
// The git binary transfers, finds merge bases, makes diffs, and reads objects in a process that lives as long as the
// repository is open. Each object is checked against its id. go-git decodes commits and trees.
package gitsource
