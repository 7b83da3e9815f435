package substance

import (
	"maps"
	"testing"

	"github.com/prforge/prforge/internal/model"
)

func TestSameAs(t *testing.T) {
	for name, tc := range map[string]struct {
		bodies []string // of ana and ben in turn
		want   map[int64]int64
	}{
		"two findings":              {[]string{"The lock is never released here.", "The name of this field is wrong."}, nil},
		"the same words":            {[]string{"The lock is never released here.", "the lock is  never released here."}, map[int64]int64{2: 1}},
		"same here":                 {[]string{"The lock is never released.", "Wrong name.", "Same here, the lock is kept."}, map[int64]int64{3: 1}},
		"same as somebody's":        {[]string{"The lock is never released.", "Wrong name.", "Similar to @ben, this name lies."}, map[int64]int64{3: 2}},
		"nobody's":                  {[]string{"Same here, the lock is kept."}, nil},
		"code that is alike":        {[]string{"The lock is never released.", "Wrong.", "This does the same as `close` in the other class."}, nil},
		"a link to what it is like": {[]string{"The lock is never released.", "Similarly, see https://github.com/a/b/pull/1#discussion_r1"}, map[int64]int64{2: 1}},
		"a link to something else":  {[]string{"The lock is never released.", "Wrong since https://github.com/a/b/pull/1#discussion_r1"}, nil},
	} {
		c := &model.Candidate{Pull: &model.PullRequest{}, Labels: &model.Labels{}}
		for i, body := range tc.bodies {
			id := int64(i + 1)
			login := []string{"ana", "ben"}[i%2]
			c.Pull.Threads = append(c.Pull.Threads, model.Thread{Comments: []model.Comment{{ID: id, Author: model.Account{Login: login}, Body: body}}})
			c.Labels.Comments = append(c.Labels.Comments, model.CommentLabel{CommentID: id, Substantive: true})
		}
		if got := SameAs(c); !maps.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
}
