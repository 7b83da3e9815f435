// Package imports resolves how the files of a repository at one commit import each other, where its names are
// defined, and who calls them. A language's Resolver finds the meaning of names in a file.
//
// A wrong edge is worse than a missing one: whatever is ambiguous resolves to
// nothing. Files are parsed only when an answer needs them, once for each blob.
package imports
