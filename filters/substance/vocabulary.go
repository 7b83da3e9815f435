package substance

import (
	_ "embed" // vocabularyText
	"regexp"
	"strings"

	"github.com/prforge/prforge/internal/pattern"
)

// vocabularyText holds the words by what they are looked for: one alternative a
// line, in sections that have the names of the patterns.
//
//go:embed data/vocabulary.txt
var vocabularyText string

// alternatives reads a section of vocabulary.txt as RE2; "*" at the end of an
// alternative stands for the rest of a word.
func alternatives(section string) string {
	_, words, found := strings.Cut(vocabularyText, "\n["+section+"]\n")
	if !found {
		panic("vocabulary.txt has no section " + section) // a bug of the program: every test runs this
	}
	words, _, _ = strings.Cut(words, "\n[")
	var out []string
	for word := range strings.Lines(words) {
		word = strings.TrimSuffix(word, "\n")
		if word == "" || strings.HasPrefix(word, "# ") {
			continue
		}
		if stem, ok := strings.CutSuffix(word, "*"); ok {
			word = stem + `\w*`
		}
		out = append(out, word)
	}
	return strings.Join(out, "|")
}

// anyOf matches one of a section's alternatives as whole words, without regard
// to case.
func anyOf(section string) *pattern.Pattern {
	return pattern.MustCompile(`(?i)(?:^|[^\w])(?:` + alternatives(section) + `)(?:[^\w]|$)`)
}

// behavior holds the words that say what software is made of and what it does:
// one of them is a reference to code or behaviour (spec section 4, "substance
// keyword").
var behavior = anyOf("behavior")

// The words of sentences that approve, thank, agree or acknowledge, in the
// languages seen on GitHub. Most of them also have a plain meaning ("the right
// index", "super is called", "the promise is resolved"), so it matters where
// they stand.
var (
	// thanks opens a sentence that is praise whatever it goes on about.
	thanks = opening("thanks")
	// approval opens a sentence that is praise unless it names a defect.
	approval = opening("approval")
	// anywhere is praise anywhere in a sentence without a defect.
	anywhere = anyOf("anywhere")
	// acknowledgement opens a sentence before a comma or its end.
	acknowledgement = pattern.MustCompile(`(?i)^\W*(?:yes|yep|yeah|yup|sure|sure thing|ok|okay|ack|acknowledged|noted|right|of course|no problem|np|no worries|my bad|sorry|oops|will do|resolved|got it|understood|i see|fair enough|fair point|indeed|exactly|same here|ditto|likewise|cool|super|sweet|sounds good|makes sense|\+1)\s*(?:[,.!:;)—–-]|$)`)
	// plusOne is the shortest agreement.
	plusOne = pattern.MustCompile(`^\W*\+1\b`)
)

// opening matches one of a section's alternatives at the start of a sentence,
// behind at most six words that carry no meaning of their own.
func opening(section string) *pattern.Pattern {
	return pattern.MustCompile(`(?i)^\W*(?:(?:@[\w-]+|this|that|that's|it|it's|its|these|those|is|are|was|were|really|very|so|such|what|quite|a|an|i|we|oh|ah|wow|ha|haha|hey|hi|hello|all|overall|generally|just|think|also|and|much|many|lots|of|do|am|i'm|ok|okay|yes|yeah|no|otherwise)\W+){0,6}(?:` + alternatives(section) + `)(?:[^\w]|$)`)
}

// defect is what no approval names: something wrong, or something to be done.
var defect = anyOf("defect")

// praiseCJK has no word boundaries.
var praiseCJK = pattern.MustCompile(`谢谢|感谢|多谢|不错|很好|好的|没问题|赞|已修复|已修改|已解决|ありがとう|いいですね|了解|問題ない|감사합니다|좋아요|좋습니다|수고`)

// report matches a sentence that only reports what its writer did, most often
// in answer to another remark.
var report = pattern.MustCompile(`(?i)^\W*(?:@[\w-]+\W+)?(?:(?:ok|okay|yes|yep|sure|right|(?:good|nice|great) (?:catch|point|call)|thanks|thank you|confirmed(?: [a-z]+)?|just|both|all|and|now)[,.! —–-]+)*(?:` +
	`(?:fixed|addressed|done|resolved|applied|implemented|reverted|pushed|updated|corrected|documented)(?:\W*$|[\s:,.-]+(?:it|in|with|by|via|as|this|that|it|now|here|below|above|everywhere|accordingly|the |and |—|–|-))` +
	`|(?:added|removed|renamed|changed|moved|switched|replaced|narrowed|rewrote|reworked|refactored|simplified|extracted)\b[^.!?]*\b(?:in (?:commit )?[0-9a-f]{7,40}|in (?:the )?(?:latest|last|next|new) (?:commit|push)|as (?:you )?(?:suggested|requested|asked|discussed|proposed)|per (?:your|the|review)|accordingly)` +
	`|(?:i(?:'ve| have)|we(?:'ve| have)|i(?:'ll| will)) (?:just |now |already |also )?(?:fix|address|do|resolv|appl|implement|revert|push|updat|correct|add|remov|renam|chang|mov|switch|replac|narrow|rewritt|rewrit|rework|refactor|simplif|extract|mad|make|tak|look|merg)\w*` +
	`|i (?:had to|ended up|went with|went ahead|decided to|chose to|kept|left|added|removed|renamed|moved|changed|disabled|switched|refactored|updated|fixed)\b` +
	`|(?:switched (?:from|to|over)|narrowed|reworked|rewrote|(?:just|also) (?:extracted|added|removed|renamed|moved|changed|simplified|replaced|refactored))\b` +
	`|(?:will (?:fix|do|address|update|change|look into|take a look))\b` +
	`)`)

// turn matches what turns praise into a remark: a contrast, a wish, a demand.
var turn = anyOf("turn")

// style holds what a comment can say about layout, spelling and wording. White
// space, blank lines and formatting are also what programs work on, so they
// count only beside a word that makes them the reviewer's business.
var style = anyOf("style")

// consequence holds what is never style: something happens, or does not.
var consequence = anyOf("consequence")

// reportedIn matches a report that names its commit: nothing after it is a
// remark of its own, however it sounds.
var reportedIn = pattern.MustCompile("(?i)\\b(?:fixed|addressed|resolved|done|documented|implemented|corrected|applied|updated|reverted)\\b[^.!?\n]{0,60}\\b(?:in|by|with) (?:commit )?(?:[0-9a-f]{7,40}\\b|`code`|(?:the |my )?(?:latest|last|next) (?:commit|push))")

// complaint keeps a remark that opens like a report from being one.
var complaint = anyOf("complaint")

// nit marks a remark as small by its writer's own word.
var nit = pattern.MustCompile(`(?i)^\W*(?:(?:very |super[- ]?|tiny |small |minor |ultra[- ]?|micro[- ]?|mega[- ]?)*(?:nit|nits|nitpick|nitpicks|nitpicking|nit-pick|minor|style|cosmetic|typo|polish|quibble|trivial|bikeshed)\b)`)

// naming holds what a remark about a name says.
var naming = anyOf("naming")

// restructures holds what makes a remark with a name in it more than a remark
// about a name.
var restructures = anyOf("restructures")

// reasons are how a reason is given.
var reasons = anyOf("reasons")

// asking holds the polite forms of a mere question, taken out before a
// question is searched for a proposal.
var asking = pattern.MustCompile(`(?i)\b(?:can|could|would|will) (?:you|we|someone|anyone|anybody|u) (?:please |pls |maybe |also |briefly )*(?:explain|clarify|elaborate|tell|share|describe|comment on|help me|remind|enlighten|walk me|say|give (?:me |us )?(?:some |more )?(?:context|details|background))\b|\b(?:just )?(?:out of curiosity|curious|wondering|for my (?:own )?(?:understanding|education|curiosity))\b|\bmay i (?:ask|know)\b|\bif you don't mind\b`)

// clarifying holds more such forms, and doubt a concern in the form of a question;
// see Clarifications.
var (
	clarifying = pattern.MustCompile(`(?i)\b(?:can|could|would|will) (?:you|we|someone|anyone|anybody) (?:please |pls )*(?:(?:double|cross)[- ])?(?:check|confirm)\b|\bwhat alternatives? (?:do|did|would|could) (?:we|you) have\b`)
	doubt      = anyOf("doubt")
	// writeDown is a question that wants its answer in the code's own documentation.
	writeDown = pattern.MustCompile(`(?i)\b(?:explain|clarify|elaborate|describe|comment|document|say|mention|note|state)\b[^.?!]{0,60}\b(?:in|into|to|as) (?:the |a |an |this |its |your )?(?:code |class |function |method |module |inline )?(?:doc ?strings?|docs|documentation|comments?|readme|javadocs?|jsdoc|changelog|release notes)\b`)
)

// proposal and concern are what makes a question more than one.
var (
	proposal = anyOf("proposal")
	concern  = anyOf("concern")
)

// neutral sentences greet or call somebody.
var neutral = regexp.MustCompile(`(?i)^\W*(?:hi|hey|hello|dear|cc|ping|fyi|/cc|edit|ps|p\.s)?\W*(?:@[\w-]+\W*)*$`)

// identifier matches code in prose without backticks: camelCase,
// snake_case, calls, dotted names, file names, paths, flags, variables,
// operators, versions.
var identifier = regexp.MustCompile(`\b[a-z]+[a-z0-9]*[A-Z]\w*|\b[A-Z][a-z0-9]+[A-Z]\w*|\w+_\w+|\b\w+\(\w*\)|\b[A-Za-z]\w+\.[A-Za-z]\w+\b|\b\w[\w-]*\.(?:py|js|jsx|ts|tsx|go|java|md|rst|json|ya?ml|toml|xml|html|css|sh|txt|cfg|ini|sql|proto|c|h|cc|cpp|rs|rb|kt)\b|(?:^|\s)\.{0,2}/?(?:[\w.-]+/){2,}[\w.-]*|(?:^|\s)--?[a-z][\w-]+|\$\{?\w+|[=!<>]=|=>|->|&&|\|\||::|\bv?\d+\.\d+(?:\.\d+)*\b`)
