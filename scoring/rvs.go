package scoring

import (
	"path"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/unidiff"
)

// RVSOptions are the numbers of the PR Review Value Score (spec section 6).
type RVSOptions struct {
	// Weights of the five parts; they add up to 1.
	DepthWeight, ComplexityWeight, DiscussionWeight, TestWeight, BugWeight float64
	// Depth: substantive comments + PerThread x threads + PerChangeRequest x
	// change requests, out of FullDepth.
	PerThread, PerChangeRequest, FullDepth float64
	// Complexity: shares of files, lines and directories, each out of its full
	// count.
	FilesShare, LinesShare, DirectoriesShare float64
	FullFiles, FullLines, FullDirectories    float64
	// Discussion: answered threads + reviewers, out of FullDiscussion.
	FullDiscussion float64
	// Test: the value of added tests alone.
	TestsAdded float64
	Decimals   int // of the parts and the score
}

// DefaultRVSOptions are the numbers of the paper.
func DefaultRVSOptions() RVSOptions {
	return RVSOptions{
		DepthWeight: 0.25, ComplexityWeight: 0.20, DiscussionWeight: 0.20, TestWeight: 0.15, BugWeight: 0.20,
		PerThread: 1.5, PerChangeRequest: 2, FullDepth: 20,
		FilesShare: 0.2, LinesShare: 0.6, DirectoriesShare: 0.2,
		FullFiles: 10, FullLines: 400, FullDirectories: 10,
		FullDiscussion: 15, TestsAdded: 0.5, Decimals: 3,
	}
}

// RVS computes the PR Review Value Score of spec section 6:
//
//	depth      = min(1, (substantive + 1.5 threads + 2 change requests) / 20)
//	complexity = 0.2 min(1, files/10) + 0.6 min(1, lines/400) + 0.2 min(1, directories/10)
//	discussion = min(1, (answered threads + reviewers) / 15)
//	test       = 1 if an existing test is modified, 0.5 if tests are only added, else 0
//	bug        = 1 for a bug fix, else 0
//
// The score is the weighted sum of the rounded parts, rounded itself, so that released values reproduce it. Products
// are converted explicitly, so that processors with fused multiply-add give the same bytes.
func RVS(in model.RVSInputs, o RVSOptions) model.RVS {
	r := model.RVS{
		Inputs: in,
		Depth: share(float64(in.Substantive)+float64(o.PerThread*float64(in.Threads))+
			float64(o.PerChangeRequest*float64(in.ChangeRequests)), o.FullDepth),
		Complexity: float64(o.FilesShare*share(float64(in.Files), o.FullFiles)) +
			float64(o.LinesShare*share(float64(in.ChangedLines), o.FullLines)) +
			float64(o.DirectoriesShare*share(float64(in.Directories), o.FullDirectories)),
		Discussion: share(float64(in.AnsweredThreads+in.Reviewers), o.FullDiscussion),
	}
	switch {
	case in.TestsModified:
		r.Test = 1
	case in.TestsAdded:
		r.Test = o.TestsAdded
	}
	if in.BugFix {
		r.Bug = 1
	}
	for _, part := range []*float64{&r.Depth, &r.Complexity, &r.Discussion, &r.Test, &r.Bug} {
		*part = round(*part, o.Decimals)
	}
	r.Score = round(float64(o.DepthWeight*r.Depth)+float64(o.ComplexityWeight*r.Complexity)+
		float64(o.DiscussionWeight*r.Discussion)+float64(o.TestWeight*r.Test)+float64(o.BugWeight*r.Bug), o.Decimals)
	return r
}

// RVS2Options are the numbers of the second review value.
type RVS2Options struct {
	// The weights add up to 1; each part but coverage is out of its full count.
	ValidatedWeight, StandingWeight, CoverageWeight, ReviewersWeight float64
	FullValidated, FullStanding, FullReviewers                       float64
	Decimals                                                         int
}

// DefaultRVS2Options are the numbers that were proposed for it.
func DefaultRVS2Options() RVS2Options {
	return RVS2Options{
		ValidatedWeight: 0.45, StandingWeight: 0.25, CoverageWeight: 0.15, ReviewersWeight: 0.15,
		FullValidated: 5, FullStanding: 5, FullReviewers: 3, Decimals: 3,
	}
}

// SecondRVS fills in the score of
//
//	0.45 min(1, validated/5) + 0.25 min(1, standing/5) + 0.15 coverage + 0.15 min(1, reviewers/3)
//
// No word of a title and no size counts in it.
func SecondRVS(v model.RVS2, o RVS2Options) model.RVS2 {
	v.Score = round(float64(o.ValidatedWeight*share(float64(v.Validated), o.FullValidated))+
		float64(o.StandingWeight*share(float64(v.Standing), o.FullStanding))+
		float64(o.CoverageWeight*v.Coverage)+float64(o.ReviewersWeight*share(float64(v.Reviewers), o.FullReviewers)),
		o.Decimals)
	return v
}

// RVSInputs counts the inputs of RVS. Labels and the parsed diff must be known: a pull request without them has no
// score, rather than a low one.
func RVSInputs(pull *model.PullRequest, labels *model.Labels, diff *unidiff.Diff) model.RVSInputs {
	in := model.RVSInputs{
		Substantive:     labels.Substantive,
		Threads:         labels.Threads,
		ChangeRequests:  labels.ChangeRequests,
		AnsweredThreads: labels.AnsweredThreads,
		Reviewers:       len(labels.Reviewers),
		ChangedLines:    diff.AddedLines + diff.DeletedLines,
	}
	paths := diff.Paths()
	directories := make(map[string]bool)
	for _, p := range paths {
		directories[path.Dir(p)] = true
	}
	in.Files, in.Directories = len(paths), len(directories)
	for _, f := range diff.Files {
		if !pathkind.IsTest(f.Path()) {
			continue
		}
		switch {
		case f.OldPath == "" || f.IsCopy:
			in.TestsAdded = true
		case f.NewPath != "" && f.AddedLines+f.DeletedLines > 0:
			in.TestsModified = true
		}
	}
	in.BugFix, _ = BugFix(pull.Title, pull.Labels)
	return in
}
