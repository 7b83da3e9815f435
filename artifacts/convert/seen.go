package convert

import (
	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/model"
)

// Seen is what a dataset's raw records hold about a pull request, for display. A rejected one is nowhere else in a
// dataset.
type Seen struct {
	Repo        string `json:"repo"`
	Number      int    `json:"number"`
	URL         string `json:"url"`
	Title       string `json:"title"`
	Author      string `json:"author"`
	Description string `json:"description"`
	CreatedAt   string `json:"created_at"`
	MergedAt    string `json:"merged_at"` // "" where it was not merged
	// Comments are the review comments with the labels of the rules on text, and with whether they apply to the
	// revision that would have been shown. The later state of their code is not read.
	Comments []artifacts.EvidenceComment `json:"comments"`
}

// NewSeen shows a pull request and its labeled comments.
func NewSeen(pull *model.PullRequest, labels *model.Labels) (*Seen, error) {
	all, err := comments(Source{TaskID: pull.Ref.String(), Candidate: &model.Candidate{Pull: pull, Labels: labels}})
	if err != nil {
		return nil, err
	}
	s := &Seen{
		Repo: pull.Ref.Repo.String(), Number: pull.Ref.Number, URL: pullURL(pull.Ref), Title: pull.Title,
		Author: pull.Author.Login, Description: pull.Body, CreatedAt: stamp(pull.CreatedAt),
		Comments: []artifacts.EvidenceComment{},
	}
	if pull.MergedAt != nil {
		s.MergedAt = stamp(*pull.MergedAt)
	}
	for _, k := range all {
		s.Comments = append(s.Comments, k.evidence())
	}
	return s, nil
}
