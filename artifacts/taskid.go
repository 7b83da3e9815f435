package artifacts

import (
	"strconv"
	"strings"

	"github.com/prforge/prforge/internal/model"
)

// TaskIDs names the pull requests of one dataset: "{repo}__{number}", and
// "{owner}__{repo}__{number}" for repositories whose short form is not theirs
// alone (spec section 10). Names are compared without case, because task ids
// are file names.
type TaskIDs struct{ long map[model.RepoRef]bool }

// NewTaskIDs looks at all repositories of a dataset; their order and
// repetitions do not matter.
func NewTaskIDs(repos []model.RepoRef) TaskIDs {
	holders := map[string]map[model.RepoRef]bool{}
	hold := func(name string, r model.RepoRef) {
		name = strings.ToLower(name)
		if holders[name] == nil {
			holders[name] = map[model.RepoRef]bool{}
		}
		holders[name][r] = true
	}
	for _, r := range repos {
		hold(r.Name, r)
		hold(longName(r), r) // a repository may be called a__b
	}
	ids := TaskIDs{long: map[model.RepoRef]bool{}}
	for _, r := range repos {
		ids.long[r] = len(holders[strings.ToLower(r.Name)]) > 1
	}
	return ids
}

// Of is a pull request's task id.
func (t TaskIDs) Of(p model.PullRef) string {
	name := p.Repo.Name
	if t.long[p.Repo] {
		name = longName(p.Repo)
	}
	return name + "__" + strconv.Itoa(p.Number)
}

func longName(r model.RepoRef) string { return r.Owner + "__" + r.Name }
