// Package snapshots makes the snapshots of records (artifacts/snapshot): from
// GitHub by git, from mirrors, or from those of a dataset; for a build, or for a
// folder beside a dataset.
package snapshots
