package model

// Tombstone is a takedown as a dataset shows it: that something was taken out,
// and when it was asked for, never what.
type Tombstone struct {
	Date string `yaml:"date" json:"date"` // 2026-04-15
	Kind string `yaml:"kind" json:"kind"` // pull_request, repository, account, script
}
