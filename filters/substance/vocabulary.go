package substance

import (
	_ "embed" // vocabularyText
	"regexp"
	"strings"

	"github.com/prforge/prforge/internal/pattern"
)

// vocabularyText holds the words by pattern: one alternative per line, in sections with the names of the patterns.
//
//go:embed data/vocabulary.txt
var vocabularyText string

// alternatives reads a section of vocabulary.txt as RE2; "*" at the end of an alternative matches the rest of a word.
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

// behavior holds the words for parts and behavior of software: one of them is a reference to code or behaviour (spec
// section 4, "substance keyword").
var behavior = anyOf("behavior")

// The words of sentences that approve, thank, agree or acknowledge, in the languages seen on GitHub. Most of them
// also have a plain meaning ("the right index", "super is called", "the promise is resolved"), so their position
// matters.
var (
	// thanks opens a sentence that is praise whatever its subject.
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

// opening matches one of a section's alternatives at the start of a sentence, after at most six words without meaning
// of their own.
func opening(section string) *pattern.Pattern {
	return pattern.MustCompile(`(?i)^\W*(?:(?:@[\w-]+|this|that|that's|it|it's|its|these|those|is|are|was|were|really|very|so|such|what|quite|a|an|i|we|oh|ah|wow|ha|haha|hey|hi|hello|all|overall|generally|just|think|also|and|much|many|lots|of|do|am|i'm|ok|okay|yes|yeah|no|otherwise)\W+){0,6}(?:` + alternatives(section) + `)(?:[^\w]|$)`)
}

// defect matches what an approval never names: something wrong, or something to do.
var defect = anyOf("defect")

// praiseCJK has no word boundaries.
var praiseCJK = pattern.MustCompile(`谢谢|感谢|多谢|不错|很好|好的|没问题|赞|已修复|已修改|已解决|ありがとう|いいですね|了解|問題ない|감사합니다|좋아요|좋습니다|수고`)

// report matches a sentence that only reports what its writer did, mostly in reply to another remark.
var report = pattern.MustCompile(`(?i)^\W*(?:@[\w-]+\W+)?(?:(?:ok|okay|yes|yep|sure|right|(?:good|nice|great) (?:catch|point|call)|thanks|thank you|confirmed(?: [a-z]+)?|just|both|all|and|now)[,.! —–-]+)*(?:` +
	`(?:fixed|addressed|done|resolved|applied|implemented|reverted|pushed|updated|corrected|documented)(?:\W*$|[\s:,.-]+(?:it|in|with|by|via|as|this|that|it|now|here|below|above|everywhere|accordingly|the |and |—|–|-))` +
	`|(?:added|removed|renamed|changed|moved|switched|replaced|narrowed|rewrote|reworked|refactored|simplified|extracted)\b[^.!?]*\b(?:in (?:commit )?[0-9a-f]{7,40}|in (?:the )?(?:latest|last|next|new) (?:commit|push)|as (?:you )?(?:suggested|requested|asked|discussed|proposed)|per (?:your|the|review)|accordingly)` +
	`|(?:i(?:'ve| have)|we(?:'ve| have)|i(?:'ll| will)) (?:just |now |already |also )?(?:fix|address|do|resolv|appl|implement|revert|push|updat|correct|add|remov|renam|chang|mov|switch|replac|narrow|rewritt|rewrit|rework|refactor|simplif|extract|mad|make|tak|look|merg)\w*` +
	`|i (?:had to|ended up|went with|went ahead|decided to|chose to|kept|left|added|removed|renamed|moved|changed|disabled|switched|refactored|updated|fixed)\b` +
	`|(?:switched (?:from|to|over)|narrowed|reworked|rewrote|(?:just|also) (?:extracted|added|removed|renamed|moved|changed|simplified|replaced|refactored))\b` +
	`|(?:will (?:fix|do|address|update|change|look into|take a look))\b` +
	`)`)

// turn matches words that turn praise into a remark: a contrast, a wish, a demand.
var turn = anyOf("turn")

// style holds words about layout, spelling and wording. Programs also process white space, blank lines and
// formatting, so these count only beside a word that makes them a review topic.
var style = anyOf("style")

// consequence holds words that are never style: something happens, or does not.
var consequence = anyOf("consequence")

// reportedIn matches a report that names its commit: nothing after it is a separate remark.
var reportedIn = pattern.MustCompile("(?i)\\b(?:fixed|addressed|resolved|done|documented|implemented|corrected|applied|updated|reverted)\\b[^.!?\n]{0,60}\\b(?:in|by|with) (?:commit )?(?:[0-9a-f]{7,40}\\b|`code`|(?:the |my )?(?:latest|last|next) (?:commit|push))")

// complaint matches a remark that begins like a report but is not one.
var complaint = anyOf("complaint")

// nit matches a writer's own word for a small remark.
var nit = pattern.MustCompile(`(?i)^\W*(?:(?:very |super[- ]?|tiny |small |minor |ultra[- ]?|micro[- ]?|mega[- ]?)*(?:nit|nits|nitpick|nitpicks|nitpicking|nit-pick|minor|style|cosmetic|typo|polish|quibble|trivial|bikeshed)\b)`)

// naming holds the words of a remark about a name.
var naming = anyOf("naming")

// restructures holds words that make a remark with a name more than a remark about a name.
var restructures = anyOf("restructures")

// reasons holds words that introduce a reason.
var reasons = anyOf("reasons")

// asking holds the polite forms of a plain question. They are removed before the search for a proposal.
var asking = pattern.MustCompile(`(?i)\b(?:can|could|would|will) (?:you|we|someone|anyone|anybody|u) (?:please |pls |maybe |also |briefly )*(?:explain|clarify|elaborate|tell|share|describe|comment on|help me|remind|enlighten|walk me|say|give (?:me |us )?(?:some |more )?(?:context|details|background))\b|\b(?:just )?(?:out of curiosity|curious|wondering|for my (?:own )?(?:understanding|education|curiosity))\b|\bmay i (?:ask|know)\b|\bif you don't mind\b`)

// clarifying holds more such forms; doubt holds concerns in the form of a question; see Clarifications.
var (
	clarifying = pattern.MustCompile(`(?i)\b(?:can|could|would|will) (?:you|we|someone|anyone|anybody) (?:please |pls )*(?:(?:double|cross)[- ])?(?:check|confirm)\b|\bwhat alternatives? (?:do|did|would|could) (?:we|you) have\b`)
	doubt      = anyOf("doubt")
	// writeDown matches a question that asks for documentation in the code.
	writeDown = pattern.MustCompile(`(?i)\b(?:explain|clarify|elaborate|describe|comment|document|say|mention|note|state)\b[^.?!]{0,60}\b(?:in|into|to|as) (?:the |a |an |this |its |your )?(?:code |class |function |method |module |inline )?(?:doc ?strings?|docs|documentation|comments?|readme|javadocs?|jsdoc|changelog|release notes)\b`)
)

// proposal and concern match what makes a question more than one.
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
