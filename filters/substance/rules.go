package substance

import (
	"fmt"
	"slices"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// rule is one of the rules of spec section 4, "Substantive".
type rule struct {
	id   string
	code verdict.Code
	// holds evaluates the rule; found is its evidence, also if it holds.
	holds func(facts) (ok bool, found string)
}

// refinedBy are the refinements of the rules that come from refinements alone: without any of them no comment has the
// rule's answer.
var refinedBy = map[string][]string{
	"about_behavior": {documentation, names, forms, asides},
	"still_meant":    {withdrawn},
}

// rules lists them in order: the first that fails gives a comment its reason.
func rules() []rule {
	return []rule{
		{"not_bot", verdict.ByBot, func(f facts) (bool, string) {
			if !f.isBot {
				return true, f.comment.Author.Login
			}
			return false, fmt.Sprintf("%s (%s)", f.comment.Author.Login, f.bot.Because)
		}},
		{"not_ai_text", verdict.AIText, func(f facts) (bool, string) {
			if !f.isAI {
				return true, ""
			}
			return false, fmt.Sprintf("%s: %q", f.ai.Rule, f.ai.Excerpt)
		}},
		{"not_deleted_account", verdict.ByGhost, func(f facts) (bool, string) { return !f.comment.Author.IsGhost(), "" }},
		{"not_pull_author", verdict.ByPullAuthor, func(f facts) (bool, string) { return !f.isAuthor, "" }},
		{"pull_author_known", verdict.AuthorUnverified, func(f facts) (bool, string) { return !f.unverified, "" }},
		{"starts_thread", verdict.IsReply, func(f facts) (bool, string) { return f.starts, "" }},
		{"not_pending", verdict.IsPending, func(f facts) (bool, string) { return !isPending(f.comment), "" }},
		{"not_minimized", verdict.IsMinimized, func(f facts) (bool, string) {
			return !f.comment.IsMinimized,
				f.comment.MinimizedReason
		}},
		{"enough_words", verdict.TooFewWords, func(f facts) (bool, string) {
			switch {
			case f.text.Words >= f.options.MinWords:
			case f.changesCode:
				return true, fmt.Sprintf("%d words, and a suggestion that changes code", f.text.Words)
			case f.replaces:
				return true, fmt.Sprintf("%d words that name code to write instead", f.text.Words)
			}
			return f.text.Words >= f.options.MinWords, fmt.Sprintf("%d words", f.text.Words)
		}},
		{"refers_to_code", verdict.NoReference, func(f facts) (bool, string) {
			found := refersToCode(f.text)
			return found != "", found
		}},
		{"not_only_praise", verdict.OnlyPraise, func(f facts) (bool, string) { return !onlyPraise(f), "" }},
		{"not_only_explains", verdict.OnlyExplains, func(f facts) (bool, string) { return !onlyExplains(f), "" }},
		{"not_style_only", verdict.StyleOnly, func(f facts) (bool, string) { return !onlyStyle(f), "" }},
		{"not_bare_question", verdict.BareQuestion, func(f facts) (bool, string) { return !bareQuestion(f), "" }},
		{"own_words", verdict.NeedsOther, func(f facts) (bool, string) {
			found := hangsOn(f)
			return found == "", found
		}},
		{"about_behavior", verdict.BesideBehavior, func(f facts) (bool, string) {
			found := beside(f)
			return found == "", found
		}},
		{"still_meant", verdict.Withdrawn, func(f facts) (bool, string) {
			found := takenBack(f)
			return found == "", found
		}},
	}
}

// isPending reports whether a comment was never submitted.
func isPending(c *model.Comment) bool { return c.State == string(model.Pending) }

// TextCodes are the codes of the rules about a comment's text, in their order: a person's judgement can override
// them.
func TextCodes() []verdict.Code {
	var out []verdict.Code
	for _, r := range rules() {
		if len(out) > 0 || r.code == verdict.TooFewWords {
			out = append(out, r.code)
		}
	}
	return out
}

// judge applies all rules to one comment.
func judge(f facts) (answers []model.Rule, reason verdict.Code) {
	for _, r := range rules() {
		if by, refined := refinedBy[r.id]; refined && !slices.ContainsFunc(by, f.has) {
			continue
		}
		ok, found := r.holds(f)
		answer := model.Rule{ID: r.id, Passed: ok, Evidence: found}
		if !ok {
			answer.Code = string(r.code)
			if reason == "" {
				reason = r.code
			}
		}
		answers = append(answers, answer)
	}
	return answers, reason
}
