package model

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// RepoRef names a repository on the forge, as in "dask/dask".
type RepoRef struct {
	Owner string `json:"owner"`
	Name  string `json:"name"`
}

// ownerPattern and namePattern follow GitHub's own limits; both keep path
// separators, "." and ".." out of anything that becomes a file name.
var (
	ownerPattern = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$`)
	namePattern  = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`)
)

// ParseRepoRef reads "OWNER/NAME". It refuses anything that GitHub could not
// have as a name, so that a reference is always safe as part of a path.
func ParseRepoRef(s string) (RepoRef, error) {
	owner, name, ok := strings.Cut(s, "/")
	if !ok || !ownerPattern.MatchString(owner) || !namePattern.MatchString(name) || name == "." || name == ".." {
		return RepoRef{}, fmt.Errorf("%q is not a repository: write OWNER/NAME", s)
	}
	return RepoRef{Owner: owner, Name: name}, nil
}

// String is "OWNER/NAME".
func (r RepoRef) String() string { return r.Owner + "/" + r.Name }

// FileName is the name of the repository's shard on disk: "OWNER+NAME", in
// lower case because GitHub's names do not distinguish case.
func (r RepoRef) FileName() string { return strings.ToLower(r.Owner + "+" + r.Name) }

// PullRef names a pull request, as in "dask/dask#12221".
type PullRef struct {
	Repo   RepoRef `json:"repo"`
	Number int     `json:"number"`
}

// ParsePullRef reads "OWNER/NAME#N" with N at least 1.
func ParsePullRef(s string) (PullRef, error) {
	repo, number, ok := strings.Cut(s, "#")
	n, err := strconv.Atoi(number)
	if !ok || err != nil || n < 1 {
		return PullRef{}, fmt.Errorf("%q is not a pull request: write OWNER/NAME#NUMBER", s)
	}
	r, err := ParseRepoRef(repo)
	if err != nil {
		return PullRef{}, err
	}
	return PullRef{Repo: r, Number: n}, nil
}

// String is "OWNER/NAME#N".
func (p PullRef) String() string { return p.Repo.String() + "#" + strconv.Itoa(p.Number) }
