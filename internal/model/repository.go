package model

import "time"

// Repository holds GitHub's facts about a repository.
type Repository struct {
	Ref           RepoRef `json:"ref"`   // the canonical name, after renames
	Asked         RepoRef `json:"asked"` // the name in the configuration
	NodeID        string  `json:"node_id"`
	ID            int64   `json:"id"`
	Description   string  `json:"description"`
	Stars         int     `json:"stars"`
	SPDX          string  `json:"spdx"`           // GitHub's license id; "" if none or NOASSERTION
	Language      string  `json:"language"`       // GitHub's primary language; "" if unknown
	DefaultBranch string  `json:"default_branch"` // "" for an empty repository
	IsArchived    bool    `json:"is_archived"`
	IsFork        bool    `json:"is_fork"`
	IsDisabled    bool    `json:"is_disabled"`
	IsEmpty       bool    `json:"is_empty"`
	IsPrivate     bool    `json:"is_private"`
	// Unavailable says that GitHub no longer serves the repository: "404" or "451"; "" while it can be read.
	Unavailable string     `json:"unavailable,omitempty"`
	DiskUsageKB *int       `json:"disk_usage_kb"`
	CreatedAt   time.Time  `json:"created_at"`
	PushedAt    *time.Time `json:"pushed_at"`
}

// PullSummary is one line of a repository's census: enough to decide which
// pull requests lie in the window, without their contents.
type PullSummary struct {
	Number    int        `json:"number"` // 0 for one that was taken out of a dataset's raw records
	NodeID    string     `json:"node_id"`
	State     PullState  `json:"state"`
	CreatedAt time.Time  `json:"created_at"`
	UpdatedAt time.Time  `json:"updated_at"`
	MergedAt  *time.Time `json:"merged_at"`
	ClosedAt  *time.Time `json:"closed_at"`
}

// Census lists every pull request of a repository that was merged or closed
// since a timestamp, newest number first.
type Census struct {
	Since    time.Time `json:"since"`
	Complete bool      `json:"complete"` // false when GitHub could not list everything
	Note     string    `json:"note,omitempty"`
	// Newest is the latest update of any merged or closed pull request, listed
	// here or older; nil where there is none. A refresh goes on from it.
	Newest *time.Time    `json:"newest"`
	Pulls  []PullSummary `json:"pulls"`
}
