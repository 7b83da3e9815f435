package artifacts

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/prforge/prforge/internal/model"
)

// TaskIDs names the pull requests of one dataset: "{repo}__{number}", and "{owner}__{repo}__{number}" for
// repositories whose short form is not unique (spec section 10). Names are compared without case, because task ids
// are file names.
type TaskIDs struct{ long map[model.RepoRef]bool }

// NewTaskIDs takes all repositories of a dataset; order and repetitions do not matter.
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

// RecordMark is the suffix of the task id of a pull request's further records: "@2" for the second; "" for the first.
func RecordMark(record int) string {
	if record <= 1 {
		return ""
	}
	return "@" + strconv.Itoa(record)
}

// markOf is the RecordMark in a task id.
func markOf(taskID string) string {
	if i := strings.LastIndexByte(taskID, '@'); i >= 0 {
		return taskID[i:]
	}
	return ""
}

// RecordOf is the index of a task among its pull request's records, from 1.
func RecordOf(taskID string) int {
	if n, err := strconv.Atoi(strings.TrimPrefix(markOf(taskID), "@")); err == nil && n > 1 {
		return n
	}
	return 1
}

// FirstOf is the task id of the first record of the same pull request.
func FirstOf(taskID string) string { return strings.TrimSuffix(taskID, markOf(taskID)) }

// NameOf is OWNER/NAME#N for a pull request's first record, OWNER/NAME#N@2 for its
// second.
func NameOf(r *Record) string {
	return fmt.Sprintf("%s#%d%s", r.Repo, r.PRNumber, markOf(r.TaskID))
}

func longName(r model.RepoRef) string { return r.Owner + "__" + r.Name }
