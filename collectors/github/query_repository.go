package github

import (
	"github.com/prforge/prforge/internal/model"
)

// repositoryNode has the fields of a repository.
type repositoryNode struct {
	ID             string
	DatabaseID     *int64 `graphql:"databaseId"`
	NameWithOwner  string
	Description    *string
	StargazerCount int
	LicenseInfo    *struct {
		SpdxID *string `graphql:"spdxId"`
	}
	PrimaryLanguage  *struct{ Name string }
	DefaultBranchRef *struct{ Name string }
	IsArchived       bool
	IsFork           bool
	IsDisabled       bool
	IsEmpty          bool
	IsPrivate        bool
	DiskUsage        *int
	CreatedAt        timestamp
	PushedAt         *timestamp
}

// facts turns the node into facts. The canonical name may differ from the one
// asked for: GitHub follows renames.
func (n *repositoryNode) facts(asked model.RepoRef) (*model.Repository, error) {
	ref, err := model.ParseRepoRef(n.NameWithOwner)
	if err != nil {
		return nil, err
	}
	if asked == (model.RepoRef{}) {
		asked = ref
	}
	r := &model.Repository{
		Ref: ref, Asked: asked, NodeID: n.ID, Description: text(n.Description), Stars: n.StargazerCount,
		IsArchived: n.IsArchived, IsFork: n.IsFork, IsDisabled: n.IsDisabled, IsEmpty: n.IsEmpty, IsPrivate: n.IsPrivate,
		DiskUsageKB: n.DiskUsage, CreatedAt: n.CreatedAt.Time, PushedAt: timeOf(n.PushedAt),
	}
	if n.DatabaseID != nil {
		r.ID = *n.DatabaseID
	}
	if n.LicenseInfo != nil && text(n.LicenseInfo.SpdxID) != "NOASSERTION" {
		r.SPDX = text(n.LicenseInfo.SpdxID)
	}
	if n.PrimaryLanguage != nil {
		r.Language = n.PrimaryLanguage.Name
	}
	if n.DefaultBranchRef != nil {
		r.DefaultBranch = n.DefaultBranchRef.Name
	}
	return r, nil
}
