// Package snapshot keeps the code of pull requests as git objects: for each
// record the revision that it shows, the fork point, the commits between, and their
// trees and files, and nothing else.
//
// A repository's snapshots are one file. Its bytes depend on the records and the history alone, not on the source of
// the objects, the git version or the number of workers. Unpacked it is a line of JSON, the Header, and then objects,
// each as git hashes it: its kind, a space, its size in decimal, a zero byte, its bytes. Ids are not written, since
// they follow. Commits come first, by id; then trees; then files; these by path, so that versions of one file lie
// together and pack well, and then by id. The path of an object is the first one in a walk from the commits by id
// that enters trees in their order. All of it is one zstd stream.
//
// Reader reads such a file once from beginning to end. It checks every id, that
// each object is one that a record needs, and that none is missing.
package snapshot
