package substance

import (
	"fmt"
	"testing"
	"time"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// person is an account of a person.
func person(login string) model.Account { return model.Account{Login: login, Type: model.User} }

// remark is a submitted comment of a reviewer that starts a thread.
func remark(body string) model.Comment {
	return model.Comment{ID: 7, NodeID: "C7", Author: person("reviewer"), Body: body, State: "SUBMITTED",
		CreatedAt: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)}
}

// withThreads is a pull request of one author with the threads given.
func withThreads(threads ...[]model.Comment) *model.PullRequest {
	p := &model.PullRequest{Author: person("author")}
	for _, comments := range threads {
		p.Threads = append(p.Threads, model.Thread{Comments: comments})
	}
	return p
}

// reasonOf labels a lone comment and returns its reason.
func reasonOf(t *testing.T, c model.Comment) verdict.Code {
	t.Helper()
	labels := Label(withThreads([]model.Comment{c}), testRegistry(t), DefaultOptions())
	return verdict.Code(labels.Comments[0].Reason)
}

// TestReasonsOfTexts checks texts of all sorts against the rules on text. "" is
// ground truth.
func TestReasonsOfTexts(t *testing.T) {
	for want, bodies := range map[verdict.Code][]string{
		verdict.TooFewWords: {
			"", "👍", "🎉🎉🎉", "LGTM!", "+1", "done", "nit", "Same here.", "ditto", "/lgtm", "/retest\n/ok-to-test", "@dependabot rebase",
			"https://github.com/acme/app/pull/1 https://github.com/acme/app/pull/2 https://a.example/b c d",
			"```suggestion\nreturn errors.New(\"one two three four five six seven eight nine ten\")\n```",
			"```suggestion\r\nx\r\n```\r\n\r\nmore readable at a glance IMO.",
			"> one two three four five six seven eight nine ten eleven\n\nI agree with this.",
			"````md\n```\none two three four five six seven eight nine ten\n```\n````\nToo much text here.",
			"<!-- one two three four five six seven eight nine ten eleven -->\nNo.",
			"![one two three four five six seven eight nine ten](https://a.example/i.png) see the picture",
			"[docs](https://a.example/one_two) say `null` fails here in five cases",
			"这里应该检查空指针，否则会在并发的时候崩溃，而且没有测试覆盖这个分支",
			"one two three four five six seven eight nine",
			"- - - - - - - - - - - - - -",
			"~~~\none two three four five six seven eight nine ten\n~~~\nclose it",
		},
		verdict.OnlyPraise: {
			"nice, this way the lock is only taken when needed, because the flag is read before",
			"Looks good to me now, thanks a lot for the quick turnaround on this fix",
			"Nice work, thank you very much for taking the time to clean all of this code up :tada:",
			"LGTM! Great test coverage and I really like how the handler is split into functions now.",
			"Great catch, thank you for finding this bug and for adding the test so quickly!",
			"I agree with the comment above and with the way that this function handles errors.",
			"Fixed in 3f1d25ff. The parser now rejects a tab between key and value and has a test.",
			"Done in the next push, the handler now closes the file as you suggested, thanks for looking so closely.",
			"Addressed in the latest commit: narrowed all three exception blocks to the request errors.",
			"I've renamed the method and moved the helper to the shared package as requested above.",
			"Good catch — addressed in `feb24bba7`. The receiver is now reset before either branch runs.",
			"+1 to everything that the reviewer said above about the cache and the locking here",
			"Thanks for adding the tests. Nice and clean implementation of the parser as well!",
			"Thanks for fixing the crash of the parser, this was a nasty one to find for everybody.",
			"The whole change looks good to me and the tests of the handler are easy to read.",
			"This is a really nice improvement of the parser over what we had in the old module.",
			"Yes, that makes sense to me as well, let me know once the build has gone through.",
			"Muy bien, gracias por el cambio en la función, me gusta mucho el test nuevo.",
		},
		verdict.NoReference: {
			"I'm down for this pending what the two of them think about it tomorrow.",
			"Let us talk about this with everybody on Monday when all of us are back.",
			"Is this still needed by anyone here or could it go away?",
			"Have a look at what we said last week in the other room please.",
		},
		verdict.OnlyExplains: {
			"See acme/app#446: it was reading `Y` in the load, it's now done via this option of the client.",
			"The `format` is no longer limited to the three values that were listed in the schema.",
			"There is no code duplication. The current implementation was moved here from the other module.",
			"Applies the same behavior to the cookie that we have in the handler of the login.",
		},
		verdict.NeedsOther: {
			"Same as above for this function and the two below, `close()` too.",
			"I kinda agree with [the remark over there](https://github.com/acme/app/pull/1#discussion_r12) on the `parse` function",
		},
		verdict.BesideBehavior: {
			"Docs should say that this returns an empty list and not an error when nothing matches.",
			"Same as above: the lock must be released before this returns, else the second caller of it waits forever.",
		},
		verdict.StyleOnly: {
			"nit: could you please add a trailing newline at the end of this file and sort the imports",
			"nit: extra blank line here, please remove it before we merge this into the main branch",
			"Minor nit, can we line wrap at 80 columns like the rest of the file does it",
			"There is a typo in this docstring, it should be `receive` and not `recieve` here.",
			"Please run prettier on this file, the formatting does not match the rest of the project.",
			"The indentation is off by two spaces in this function, please fix it before merging.",
			"I would prefer single quotes here because that is what we use in the whole code base.",
			"Could you rephrase this sentence in the comment, the wording is a bit awkward to read.",
			"nit: I would rename this variable to `items`, but that is just me being picky here",
			"Please keep the imports in alphabetical order here and in the other files of the package.",
		},
		verdict.BareQuestion: {
			"so we are introducing `allow_cb` to be removed in a future version? what alternative do we have in mind?",
			"should we also change documentation for this? or we are good to go",
			"does the `worker` need this `pool` argument? can you please explain it a bit",
			"Why did you pick this `Foo` class for the job in this place here?",
			"Can you explain what this function does and where it is called from today?",
			"What does this regular expression match, and who calls this method at all?",
			"What's behind this replace in the module file, just out of curiosity?",
			"When is this function called, and which of the two modules is the caller of it?",
			"Hi @jane! What is the purpose of this new argument of the constructor here?",
		},
		"": {
			"Are we sure that we want to pin the driver on 3.24? Why?",
			"What does this regular expression match, and who calls this method at all?\n```go\nfind(all)\n```",
			"What does this regular expression match, and who calls this method at all?\n```suggestion\nfind(all)\n```",
			"nit: could these two loops share a helper named `visit` that takes the callback?",
			"nice, because the lock is only taken when needed, but the flag should be volatile then",
			"The value was read before the lock was taken, so two callers can get the same one.",
			"This branch returns before the lock is released, so `close()` can block forever; please release it first.",
			"What happens if `items` is empty here? It looks like the index below becomes negative then.",
			"nit: this allocates a new buffer on every iteration of the loop, which we can avoid.",
			"Should we not check the error that is returned by the call before using the value?",
			"Could we read the timeout when the request starts instead of once at import time?",
			"Why not use the existing `parseConfig` helper here as the rest of the package does?",
			"Great work! However, the cache is never invalidated when the configuration file changes on disk.",
			"LGTM overall, but this will break callers that pass `None` for the second argument.",
			"Thanks! One thing: the retry loop sleeps while it holds the lock, which blocks all the others.",
			"> quoted line of the code\n\nThis is only true when the server has TLS turned on, see the config above.",
			"```suggestion\nif err != nil {\n\treturn err\n}\n```\nThe error was ignored here, so a failed write would look like a success.",
			"The name is misleading: `getUser` also creates the user when there is none in the database.",
			"suggestion (non-blocking): extract this into a helper so that both handlers can share the validation.",
			"This typo in the header name means that the token is never sent and every request fails.",
			"The variable name in the error message is wrong, it should be the path and not the file name.",
			"This will conflict with the migration that is in review, please rebase on top of that first.",
			"Is it safe to call this from several goroutines at once without any lock around the map?",
			"Do we need a test for the case that the connection is closed while reading the body?",
			"Missing a null check, `user` may be undefined when the session has expired in the meantime.",
			"I think this belongs in the service layer since the controller should not know about SQL.",
			"Does this mean that images are automatically pushed whenever somebody runs a plain build command?",
			"We already have `slices.Contains` in the standard library since 1.21, so this loop can go.",
			"Please rename this to `Close`, because callers expect that interface from everything with a socket.",
			// Words of praise in their plain meaning.
			"The right index is off by one in this loop whenever the list has an even length.",
			"This calls super before the fields are set, and the base class reads them at once.",
			"The promise is resolved twice in this function, once in the callback and once below it.",
			"I see two calls of this function in the loop, one of them repeats the whole query.",
			"It makes sense to extract this into a helper that both of the handlers can call.",
			"It looks like it returns the old value and the caller then writes that to the database.",
			"A great deal of memory is lost here because the buffer grows with every single request.",
			"Exactly one caller passes the flag, every other one relies on the default of the function.",
			"This is a great place to add a test for the empty list and for the list of one.",
			"Yes, this leaks the handle: nobody closes the file when the parser returns an error early.",
			"Nice to have: validate the input of the handler before the query is built from it.",
			"Approved amounts are lost in this migration, the column is dropped before it is copied.",
			// A statement that begins like a question.
			"When a prerendered document redirects we fall back on a refresh in its header",
			// Layout as what a program works on.
			"This strips a newline from the payload and the signature then no longer fits the body.",
			"Empty lines of the file are counted as rows here, so the totals of the report are off.",
			"Whitespace is not trimmed before the comparison, and `admin ` is another user than `admin`.",
			"String formatting happens here for every request even when nobody reads the log line.",
			"The limit of 100 characters is too small for the names that the import brings along.",
			"Indentation matters in this file: the key now ends up under the wrong parent node.",
			"1. The lock is not needed here.\n2. The error is dropped.\n3. The test does not cover the new branch.",
		},
	} {
		for _, body := range bodies {
			if got := reasonOf(t, remark(body)); got != want {
				t.Errorf("%q: reason %q, want %q", body, got, want)
			}
		}
	}
}

// TestReasonsOfCircumstances covers the rules that do not look at the text.
func TestReasonsOfCircumstances(t *testing.T) {
	const good = "This branch returns before the lock is released, so `close()` can block forever; please release it first."
	for name, c := range map[string]struct {
		change func(*model.Comment)
		want   verdict.Code
	}{
		"as it is":       {func(*model.Comment) {}, ""},
		"bot":            {func(c *model.Comment) { c.Author = model.Account{Login: "coderabbitai", Type: model.Bot} }, verdict.ByBot},
		"user-typed bot": {func(c *model.Comment) { c.Author = person("k8s-ci-robot") }, verdict.ByBot},
		"mannequin":      {func(c *model.Comment) { c.Author.Type = model.Mannequin }, ""},
		"pasted review":  {func(c *model.Comment) { c.Body += "\n\n🤖 Generated with [Claude Code](https://claude.ai/code)" }, verdict.AIText},
		"deleted account": {func(c *model.Comment) {
			c.Author = model.Account{Login: model.GhostLogin, Type: model.Ghost}
		}, verdict.ByGhost},
		"author":          {func(c *model.Comment) { c.Author = person("Author") }, verdict.ByPullAuthor},
		"renamed author":  {func(c *model.Comment) { c.Author = model.Account{Login: "new-name", Type: model.User, ID: 5} }, verdict.ByPullAuthor},
		"reply":           {func(c *model.Comment) { c.ReplyTo = "C1" }, verdict.IsReply},
		"pending":         {func(c *model.Comment) { c.State = "PENDING" }, verdict.IsPending},
		"minimized":       {func(c *model.Comment) { c.IsMinimized, c.MinimizedReason = true, "resolved" }, verdict.IsMinimized},
		"bot and pending": {func(c *model.Comment) { c.Author.Type, c.State = model.Bot, "PENDING" }, verdict.ByBot},
	} {
		comment := remark(good)
		c.change(&comment)
		pull := withThreads([]model.Comment{comment})
		pull.Author.ID = 5
		label := Label(pull, testRegistry(t), DefaultOptions()).Comments[0]
		if label.Reason != string(c.want) || label.Substantive != (c.want == "") {
			t.Errorf("%s: reason %q, want %q", name, label.Reason, c.want)
		}
		if len(label.Rules) != len(rules()) {
			t.Errorf("%s: %d answers, want one of every rule", name, len(label.Rules))
		}
	}
}

// TestWordThreshold holds the count of words at its threshold.
func TestWordThreshold(t *testing.T) {
	for body, want := range map[string]verdict.Code{
		"the error of this call is dropped without a":             verdict.TooFewWords, // nine
		"the error of this call is dropped without a reason":      "",                  // ten
		"the error of this call is dropped without a reason here": "",
		"`the error of this call is dropped without a reason`":    "",
		"the error of this call is dropped without a — ! ":        verdict.TooFewWords,
	} {
		if got := reasonOf(t, remark(body)); got != want {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
	}
	if labels := Label(withThreads([]model.Comment{remark("the error is dropped")}), testRegistry(t), Options{MinWords: 4}); labels.Substantive != 1 {
		t.Error("the option for the number of words is not used")
	}
}

// TestStarter finds the comment that starts a thread.
func TestStarter(t *testing.T) {
	at := func(minute int) time.Time { return time.Date(2026, 1, 1, 0, minute, 0, 0, time.UTC) }
	c := func(id int64, minute int, replyTo string) model.Comment {
		return model.Comment{ID: id, CreatedAt: at(minute), ReplyTo: replyTo}
	}
	for name, tc := range map[string]struct {
		comments []model.Comment
		want     int64
	}{
		"first":                   {[]model.Comment{c(1, 0, ""), c(2, 1, "x")}, 1},
		"not first in the list":   {[]model.Comment{c(2, 1, ""), c(1, 0, "")}, 1},
		"reply without a parent":  {[]model.Comment{c(1, 0, ""), c(2, 1, "")}, 1},
		"same second":             {[]model.Comment{c(9, 0, ""), c(3, 0, "")}, 3},
		"parent deleted":          {[]model.Comment{c(2, 1, "gone"), c(3, 2, "gone")}, 0},
		"no comments":             {nil, 0},
		"reply dated before root": {[]model.Comment{c(2, 0, "x"), c(1, 1, "")}, 1},
	} {
		got := starter(&model.Thread{Comments: tc.comments})
		if got == nil && tc.want != 0 || got != nil && got.ID != tc.want {
			t.Errorf("%s: %+v, want %d", name, got, tc.want)
		}
	}
}

// TestCounts covers what the scores need of a conversation.
func TestCounts(t *testing.T) {
	bot := model.Account{Login: "coderabbitai", Type: model.Bot}
	ghost := model.Account{Login: model.GhostLogin, Type: model.Ghost}
	by := func(a model.Account, id int64, replyTo string) model.Comment {
		c := remark("the error of this call is dropped without a reason")
		c.ID, c.NodeID, c.Author, c.ReplyTo = id, fmt.Sprint("C", id), a, replyTo
		c.CreatedAt = c.CreatedAt.Add(time.Duration(id) * time.Minute)
		return c
	}
	pull := withThreads(
		[]model.Comment{by(person("jane"), 1, ""), by(person("author"), 2, "C1")}, // answered by the author
		[]model.Comment{by(person("Jane"), 3, ""), by(bot, 4, "C3")},              // answered by a bot only
		[]model.Comment{by(bot, 5, ""), by(person("author"), 6, "C5")},            // started by a bot
		[]model.Comment{by(person("author"), 7, ""), by(person("kim"), 8, "C7")},  // started by the author
		[]model.Comment{by(ghost, 9, ""), by(person("lee"), 10, "C9")},            // started by a deleted account
		[]model.Comment{by(person("mia"), 11, ""), by(ghost, 12, "C11")},          // answered by a deleted account only
		[]model.Comment{by(person("jane"), 13, ""), by(person("kim"), 14, "C13")}, // answered by a reviewer
	)
	pull.Reviews = []model.Review{
		{NodeID: "R1", Author: person("noa"), State: model.ChangesRequested},
		{NodeID: "R2", Author: person("noa"), State: model.Dismissed},
		{NodeID: "R3", Author: person("noa"), State: model.Dismissed},
		{NodeID: "R4", Author: bot, State: model.ChangesRequested},
		{NodeID: "R5", Author: person("author"), State: model.Commented},
		{NodeID: "R6", Author: person("pending"), State: model.Pending},
		{NodeID: "R7", Author: ghost, State: model.ChangesRequested},
	}
	pull.Dismissed = map[string]model.ReviewState{"R2": model.ChangesRequested, "R3": model.Approved}
	l := Label(pull, testRegistry(t), DefaultOptions())
	got := fmt.Sprint(l.Threads, l.AnsweredThreads, l.ChangeRequests, l.HasRequestedChanges, l.Removed, l.Substantive, l.Reviewers)
	if want := "4 2 2 true 2 4 [Jane kim lee mia noa]"; got != want {
		t.Errorf("counts are %s, want %s", got, want)
	}
}

// TestAIShare counts review comments, reviews with a body and conversation
// comments; the reports of automation are no AI, tables or not.
func TestAIShare(t *testing.T) {
	table := "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |"
	ai, ci := model.Account{Login: "cursor", Type: model.Bot}, model.Account{Login: "codecov", Type: model.Bot}
	unlisted := model.Account{Login: "some-app", Type: model.Bot}
	pull := withThreads([]model.Comment{remark("hello"), remark(table)})
	pull.Threads[0].Comments[0].Author = ai // AI by its account
	pull.Threads[0].Comments[1].Author = person("jane")
	pull.Reviews = []model.Review{
		{Author: ai, State: model.Commented, Body: "fine"},
		{Author: ai, State: model.Commented, Body: " \n"},   // no body
		{Author: ai, State: model.Pending, Body: "not yet"}, // never submitted
		{Author: person("jane"), State: model.Approved, Body: "fine"},
	}
	pull.Comments = []model.IssueComment{{Author: ci, Body: table}, {Author: unlisted, Body: table}, {Author: unlisted, Body: "fine"}, {Author: person("author"), Body: "fine"}}
	if got := Label(pull, testRegistry(t), DefaultOptions()).AIShare; got == nil || *got != 4.0/8 {
		t.Errorf("AI share %v, want 0.5", show(got, func(f float64) string { return fmt.Sprint(f) }))
	}
	if got := Label(withThreads(), testRegistry(t), DefaultOptions()).AIShare; got != nil {
		t.Errorf("AI share of nothing is %v", *got)
	}
}

// TestUnverifiedAuthor: where a mere name opened the pull request, nobody is known
// not to be its author.
func TestUnverifiedAuthor(t *testing.T) {
	for _, tc := range []struct {
		author model.Account
		want   verdict.Code
	}{
		{model.Account{Login: "jane-doe", Type: model.User}, ""},
		{model.Account{Login: "jane_acme", Type: model.User}, ""},
		{model.Account{Login: "Jane Doe", Type: model.User, ID: 7}, ""},
		{model.Account{Login: "Jane Doe", Type: model.User}, verdict.AuthorUnverified},
		{model.Account{Login: "jane@example.org", Type: model.User}, verdict.AuthorUnverified},
		{model.Account{Login: "renovate[bot]", Type: model.Bot}, ""},
	} {
		pull := withThreads([]model.Comment{remark("The error of this call is dropped when the file cannot be read.")})
		pull.Author = tc.author
		if got := Label(pull, testRegistry(t), DefaultOptions()).Comments[0].Reason; got != string(tc.want) {
			t.Errorf("%s: %q, want %q", tc.author.Login, got, tc.want)
		}
	}
}
