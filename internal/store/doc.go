// Package store holds the facts from GitHub and git in one bbolt file per repository. Transactions write it, so that
// a kill or a full disk leaves the last committed state.
//
// A record is addressed by kind and key, compressed with zstd, and carries the
// SHA-256 of its content, which every read checks. Blobs are addressed by their
// git object id and kept once, however many commits have them.
//
// A shard can be written out as one canonical, compressed file of JSON lines
// (Export) and read back (Import): that is how a frozen dataset carries its own
// raw records. Equal contents give equal bytes.
package store
