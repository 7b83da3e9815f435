package authorship

import (
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/markdown"
	"github.com/prforge/prforge/internal/model"
)

func registry(t *testing.T, o Options) *Registry {
	t.Helper()
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestBot(t *testing.T) {
	r := registry(t, Options{})
	for _, c := range []struct {
		login   string
		kind    model.AccountType
		because string // "" for no bot
	}{
		{"some-unknown-app", model.Bot, "type"},
		{"anything[bot]", "", "suffix"},
		{"coderabbitai", model.Bot, "registry: coderabbitai"},
		{"coderabbitai[bot]", model.Bot, "registry: coderabbitai"},
		{"app/dependabot", model.Bot, "registry: dependabot"},
		{"@Dependabot[bot]", model.Bot, "registry: dependabot"},
		{"Dependabot", model.Bot, "registry: dependabot"},
		{"Copilot", model.Bot, "registry: copilot"},
		{"Copilot", model.User, "registry: copilot"},
		{"copilot-pull-request-reviewer", model.Bot, "registry: copilot"},
		{"copilot-pull-request-reviewer[bot]", model.Bot, "registry: copilot"},
		{"copilot-swe-agent", model.Bot, "registry: copilot"},
		{"codecov-commenter", model.User, "registry: codecov"},
		{"googlebot", model.User, "registry: googlebot"},
		{"k8s-ci-robot", model.User, "registry: k8s-ci-robot"},
		{"qwen-code-ci-bot", model.User, "registry: qwen-code-ci-bot"},
		{"acme-ci-bot", model.User, "word"},
		{"bot-of-acme", model.User, "word"},
		{"review-bot-eu", model.User, "word"},
		{"acme_bot", model.User, "word"},
		{"Acme-Bot", model.User, "word"},
		{"bot", model.User, "word"},
		{"stale", model.Bot, "registry: stale"},

		{"stale", model.User, ""},
		{"abbott", model.User, ""},
		{"botond", model.User, ""},
		{"talbot", model.User, ""},
		{"robot-lover", model.User, ""},
		{"jane-abbot", model.User, ""},
		{"sabotage-lab", model.User, ""},
		{"dask", model.Organization, ""},
		{"imported-bot", model.Mannequin, ""},
		{"ghost", model.Ghost, ""},
		{"", "", ""},
	} {
		bot, ok := r.Bot(model.Account{Login: c.login, Type: c.kind})
		if ok != (c.because != "") || bot.Because != c.because {
			t.Errorf("Bot(%q, %s) = %q, %v; want %q", c.login, c.kind, bot.Because, ok, c.because)
		}
	}
}

func TestKinds(t *testing.T) {
	r := registry(t, Options{ExtraAIReview: []string{"Acme-Reviewer[bot]"}, ExtraAutomation: []string{"acmeci", "coderabbitai"}})
	for login, want := range map[string]Kind{
		"renovate": Dependency, "codecov": Automation, "cursor": AIReview, "acme-reviewer": AIReview,
		"acmeci": Automation, "coderabbitai": AIReview, "foo-bot": Unlisted,
	} {
		if bot, _ := r.Bot(model.Account{Login: login, Type: model.Bot}); bot.Kind != want && !(want == Unlisted && bot.Kind == Unlisted) {
			t.Errorf("%s is %q, want %q", login, bot.Kind, want)
		}
	}
	for _, bad := range []string{"", " ", "two words"} {
		if _, err := New(Options{ExtraAutomation: []string{bad}}); err == nil {
			t.Errorf("an extra account %q was taken", bad)
		}
	}
}

func TestUnmatched(t *testing.T) {
	r := registry(t, Options{ExtraAutomation: []string{"acme-ci", "acme-cd"}})
	left := map[string]bool{}
	for _, e := range r.Unmatched([]string{"ACME-ci[bot]", "codecov-commenter", "jane"}) {
		left[e.Login] = true
	}
	if left["acme-ci"] || left["codecov"] || !left["acme-cd"] || !left["dependabot"] {
		t.Errorf("unmatched: acme-ci %v, codecov %v, acme-cd %v, dependabot %v", left["acme-ci"], left["codecov"], left["acme-cd"], left["dependabot"])
	}
}

func TestEntriesAreSourced(t *testing.T) {
	for name, data := range map[string]string{
		"no source":    "accounts: [{login: a, kind: automation, date: \"2026-01-01\"}]",
		"no date":      "accounts: [{login: a, kind: automation, source: x}]",
		"unknown kind": "accounts: [{login: a, kind: robot, source: x, date: \"2026-01-01\"}]",
		"twice":        "accounts: [{login: a, kind: automation, source: x, date: \"2026-01-01\", aliases: [A]}]",
		"unknown key":  "accounts: [{login: a, kind: automation, source: x, date: \"2026-01-01\", note: y}]",
	} {
		if _, err := readAccounts([]byte(data)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for name, data := range map[string]string{
		"no source":   "phrases: [{id: a, pattern: b, date: \"2026-01-01\"}]",
		"bad pattern": "phrases: [{id: a, pattern: \"(\", source: x, date: \"2026-01-01\"}]",
	} {
		if _, err := readPhrases([]byte(data)); err == nil {
			t.Errorf("phrase, %s: no error", name)
		}
	}
}

func TestAIText(t *testing.T) {
	r := registry(t, Options{})
	long := strings.Repeat("words of a long comment ", 90)
	for _, c := range []struct{ name, body, rule string }{
		{"three H2", "## Summary\na\n## Issues\nb\n## Suggestions\nc", "headings"},
		{"three H2, CRLF", "## Summary\r\na\r\n## Issues\r\nb\r\n## Suggestions\r\nc", "headings"},
		{"two H2", "## Summary\na\n## Issues\nb", ""},
		{"three H3", "### a\n### b\n### c", ""},
		{"H2 in code", "```\n## a\n## b\n## c\n```\ntext", ""},
		{"H2 quoted", "> ## a\n> ## b\n> ## c\n\nI do not agree.", ""},
		{"three rows", "| File | Note |\n|---|---|\n| a | b |\n| c | d |\n| e | f |", "table"},
		{"two rows", "| before | after |\n|---|---|\n| 1 ms | 2 ms |\n| 3 ms | 4 ms |", ""},
		{"long with two headings", "# a\n" + long + "\n### b", "long"},
		{"long with one heading", "# a\n" + long, ""},
		{"short with two headings", "# a\nwords\n### b", ""},
		{"long without headings", long, ""},
		{"CodeRabbit's hidden mark", "Handle it.\n\n<!-- This is an auto-generated comment by CodeRabbit -->", "phrase: coderabbit-hidden"},
		{"CodeRabbit's label", "_⚠️ Potential issue_ | _🟠 Major_\n\n**Handle the empty case.**", "phrase: coderabbit-label"},
		{"CodeRabbit's older label", "_:hammer_and_wrench: Refactor suggestion_\n\nDo it.", "phrase: coderabbit-label"},
		{"Gemini's badge", "![high](https://www.gstatic.com/codereviewagent/high-priority.svg)\n\nThis is wrong.", "phrase: gemini-badge"},
		{"Cursor's mark", "### Something\n\nwords\n<!-- BUGBOT_BUG_ID: 123 -->", "phrase: cursor-hidden"},
		{"Cursor's title", "### Bug: Unhandled None value\n\nThe function returns None.", "phrase: cursor-title"},
		{"Codex's badge", "**<sub><sub>![P1 Badge](https://img.shields.io/badge/P1-orange?style=flat)</sub></sub>  Check it**", "phrase: codex-badge"},
		{"agent's priority", "**[P2]** The path forwards the raw message.", "phrase: priority-tag"},
		{"signature", "Measure it.\n\n*— Codex GPT-5 via Qwen Code /review*", "phrase: signature"},
		{"Claude's footer", "Looks fine.\n\n🤖 Generated with [Claude Code](https://claude.com/claude-code)", "phrase: generated-with"},
		{"Ellipsis' footer", "Sanitize it.\n\n<sup>This comment was generated because it violated a code review rule</sup> [x](https://app.ellipsis.dev/a/b)", "phrase: ellipsis"},
		{"poll", "A leak. *React with 👍 or 👎*", "phrase: reaction-poll"},
		{"cubic's metadata", "<!-- metadata:{\"confidence\":8} -->\nThe watcher leaks.", "phrase: cubic"},
		{"as an AI", "As an AI language model, I would check the pointer.", "phrase: as-an-ai"},
		{"pasted", "What do you think of this (suggested by ChatGPT)?\n\nReplace the interpolation with parameterized queries so that no value reaches the statement.", "phrase: pasted-answer"},
		{"pasted below a line", "Do you think the comments from coderabbitai is valid?\n---\nNormalize the return value before setting the output, because it can be a tuple of two.", "phrase: pasted-answer"},

		{"human conventional comment", "**suggestion (non-blocking):** we could cache this, as Copilot does.", ""},
		{"human on an AI product", "Should we call the Gemini client here?\n\nThe other providers all go through the shared client, and this one does not, which looks odd.", ""},
		{"human on machine-written code", "This comment was written by AI, please say why instead of what.", ""},
		{"human who quotes a bot", "> _⚠️ Potential issue_\n> <!-- This is an auto-generated comment by CodeRabbit -->\n\nI think the bot is right here.", ""},
		{"human who names a mark", "The check for `<!-- This is an auto-generated comment by CodeRabbit -->` is too strict.", ""},
		{"human list of models", "- Claude\n- Gemini\n- Copilot", ""},
		{"human flag", "Pass --gemini to try it, or -- cursor keys do not work.", ""},
		{"human fix", "I pushed a fix in cursor.go for the off-by-one.", ""},
		{"human as-an-AI", "The service acts as an AI gateway and forwards the calls.", ""},
		{"human agrees with Copilot", "Copilot suggested this above, and I agree: the lock is held for too long.", ""},
		{"human with a heading", "## Why\nBecause the lock is held.", ""},
		{"human with emoji", "🤖 beep boop, formatting is off here", ""},
		{"empty", "", ""},
	} {
		got, ok := r.AIText(markdown.Read(c.body))
		if ok != (c.rule != "") || got.Rule != c.rule {
			t.Errorf("%s: %q (%q), want %q", c.name, got.Rule, got.Excerpt, c.rule)
		}
		if ok && (got.Excerpt == "" || len([]rune(got.Excerpt)) > maxExcerpt) {
			t.Errorf("%s: excerpt %q", c.name, got.Excerpt)
		}
	}
}

// TestLongThreshold holds the fourth rule at its threshold: 2,000 characters
// are not more than 2,000.
func TestLongThreshold(t *testing.T) {
	r := registry(t, Options{})
	head := "# a\n# b\n"
	for n, want := range map[int]bool{1999: false, 2000: false, 2001: true} {
		body := head + strings.Repeat("é", n-len(head))
		if _, ok := r.AIText(markdown.Read(body)); ok != want {
			t.Errorf("%d characters: %v", n, ok)
		}
	}
}
