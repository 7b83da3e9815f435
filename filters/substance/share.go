package substance

import (
	"github.com/prforge/prforge/filters/authorship"
	"github.com/prforge/prforge/internal/model"
)

// share counts how much of a conversation AI wrote (spec section 5, filter 6): among review comments, reviews with a
// body and conversation comments. The account decides for review tools, the text for anybody else; reports of other
// automation never count as AI.
type share struct{ ai, all int }

// add counts one text; marked says that it has marks of AI writing.
func (s *share) add(class model.AccountClass, bot authorship.Bot, marked bool) {
	s.all++
	if class == model.ClassBot && bot.Kind != authorship.Unlisted {
		marked = bot.Kind == authorship.AIReview
	}
	if marked {
		s.ai++
	}
}

// value is the share; nil if there is nothing to count.
func (s *share) value() *float64 {
	if s.all == 0 {
		return nil
	}
	v := float64(s.ai) / float64(s.all)
	return &v
}
