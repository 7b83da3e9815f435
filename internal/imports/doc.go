// Package imports knows how the files of a repository at one commit import each
// other, where its names are defined, and who calls them. What the names in a file mean
// is asked of its language's Resolver.
//
// A wrong edge is worse than a missing one: whatever is ambiguous resolves to
// nothing. Files are parsed only when an answer needs them, once for each blob.
package imports
