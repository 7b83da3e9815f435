package substance

import (
	"strings"

	"github.com/prforge/prforge/filters/authorship"
	"github.com/prforge/prforge/internal/model"
)

// aiShare is the share of AI among review comments, reviews with a body and
// conversation comments (spec section 5, filter 6); nil when there are none.
// What a review tool wrote counts by its account; what anybody else wrote, by
// its text, except that the reports of other automation are no AI however
// tabular they are.
func (l *labeller) aiShare() *float64 {
	ai, all := 0, 0
	count := func(author model.Account, body string) {
		all++
		if l.isAI(author, body) {
			ai++
		}
	}
	for _, t := range l.pull.Threads {
		for i := range t.Comments {
			if c := &t.Comments[i]; !isPending(c) {
				count(c.Author, c.Body)
			}
		}
	}
	for _, r := range l.pull.Reviews {
		if r.State != model.Pending && strings.TrimSpace(r.Body) != "" {
			count(r.Author, r.Body)
		}
	}
	for _, c := range l.pull.Comments {
		count(c.Author, c.Body)
	}
	if all == 0 {
		return nil
	}
	share := float64(ai) / float64(all)
	return &share
}

func (l *labeller) isAI(author model.Account, body string) bool {
	class, bot := l.class(author)
	if class == model.ClassBot && bot.Kind != authorship.Unlisted {
		return bot.Kind == authorship.AIReview
	}
	_, ok := l.registry.AIText(body)
	return ok
}
