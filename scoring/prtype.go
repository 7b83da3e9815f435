package scoring

import (
	"regexp"
	"slices"
	"strings"
)

// The types of pull requests (spec section 7).
const (
	typeSecurity    = "security"
	typeBugFix      = "bug_fix"
	typePerformance = "performance"
	typeRefactor    = "refactor"
	typeFeature     = "feature"
)

// PRType returns the purpose of a pull request and its evidence, in this order:
//
//  1. the conventional-commit prefix of the title ("fix(core)!:", "[Perf]",
//     "BUG:"); a scope "security" makes it security;
//  2. the labels, each taken whole or word by word, in the order of
//     security, bug_fix, performance, refactor, feature;
//  3. a prefix that names upkeep ("chore:", "ci:", "docs:"): a refactoring, which
//     brings the users nothing new, whatever the words behind it;
//  4. the title's words: a security word anywhere, a phrase ("avoid a race",
//     "reduce allocations", "use x instead of y"), else the leftmost word that
//     names a type.
//
// Otherwise it is a feature; from is then "default".
func PRType(title string, labels []string) (prType, from string) {
	prefix, scope, rest := splitPrefix(title)
	if scope == typeSecurity {
		return typeSecurity, "prefix " + prefix + "(" + scope + ")"
	}
	if t := prefixTypes[prefix]; t != "" {
		return t, "prefix " + prefix
	}
	if t, label := labelType(labels); t != "" {
		return t, "label " + label
	}
	if upkeepPrefixes[prefix] {
		if w := securityWords.FindString(rest); w != "" {
			return typeSecurity, "title word " + strings.ToLower(w)
		}
		return typeRefactor, "prefix " + prefix
	}
	if t, word := wordType(rest); t != "" {
		return t, "title word " + word
	}
	return typeFeature, "default"
}

// BugFix reports whether title or labels mark a bug fix (spec section 6), and
// what does. A prefix that names another type or upkeep ("docs: fix links"), and
// a title about wording ("Fix typos"), keep the title's words from counting, not
// the labels.
func BugFix(title string, labels []string) (fix bool, from string) {
	prefix, _, rest := splitPrefix(title)
	if prefixTypes[prefix] == typeBugFix {
		return true, "prefix " + prefix
	}
	for _, l := range labels {
		if typeOfLabel(l) == typeBugFix {
			return true, "label " + l
		}
	}
	if prefixTypes[prefix] != "" || upkeepPrefixes[prefix] {
		return false, ""
	}
	found := words(rest)
	if mendsWords(found) {
		return false, ""
	}
	for _, w := range found {
		if titleTypes[w] == typeBugFix {
			return true, "title word " + w
		}
	}
	return false, ""
}

// wordings are what a title that fixes no bug fixes: "Fix typos in the guide".
var wordings = []string{"typo", "typos", "spelling", "grammar", "wording", "lint", "linting", "linter", "formatting",
	"whitespace", "indentation", "docstring", "docstrings", "changelog", "readme"}

// mendsWords reports whether a title is about text, not behaviour.
func mendsWords(title []string) bool {
	return slices.ContainsFunc(title, func(w string) bool { return slices.Contains(wordings, w) })
}

// prefixTypes are the prefixes of conventional commits and of the scientific
// Python projects, in lower case.
var prefixTypes = map[string]string{
	"fix": typeBugFix, "bugfix": typeBugFix, "hotfix": typeBugFix, "bug": typeBugFix, "fixes": typeBugFix,
	"fixed": typeBugFix, "bug fix": typeBugFix,
	"feat": typeFeature, "feature": typeFeature, "enh": typeFeature, "enhancement": typeFeature, "new": typeFeature,
	"perf": typePerformance, "performance": typePerformance,
	"refactor": typeRefactor, "refac": typeRefactor, "refactoring": typeRefactor, "ref": typeRefactor,
	"cleanup": typeRefactor, "cln": typeRefactor,
	"security": typeSecurity, "sec": typeSecurity,
}

// upkeepPrefixes name work that users do not see; they decide before the words of
// the title.
var upkeepPrefixes = map[string]bool{
	"chore": true, "ci": true, "build": true, "style": true, "test": true, "tests": true, "tst": true, "docs": true,
	"doc":   true,
	"maint": true, "mnt": true, "deps": true, "dep": true, "typing": true, "types": true, "lint": true, "release": true,
	"revert": true,
}

var (
	colonPrefix   = regexp.MustCompile(`^\s*(?:[^\sA-Za-z0-9\[(]+\s+)?([A-Za-z]+(?i: fix)?)\s*(?:\(([^()]{0,60})\))?\s*!?\s*:\s*(.*)$`)
	bracketPrefix = regexp.MustCompile(`^\s*[\[(]([A-Za-z]+(?i: fix)?)(?:[:/] ?([^\[\]()]{0,60}))?[\])]\s*:?\s*(.*)$`)
)

// splitPrefix takes a title apart: "fix(core)!: x" is ("fix", "core", "x"). A
// prefix that is not known is left in the title, as in "net/http: x".
func splitPrefix(title string) (prefix, scope, rest string) {
	title = strings.ReplaceAll(title, "\n", " ")
	for _, pattern := range []*regexp.Regexp{colonPrefix, bracketPrefix} {
		m := pattern.FindStringSubmatch(title)
		if m == nil {
			continue
		}
		if p := strings.ToLower(m[1]); prefixTypes[p] != "" || upkeepPrefixes[p] {
			return p, strings.ToLower(strings.TrimSpace(m[2])), m[3]
		}
	}
	return "", "", title
}

// typeOrder is the order in which labels decide.
var typeOrder = []string{typeSecurity, typeBugFix, typePerformance, typeRefactor, typeFeature}

func labelType(labels []string) (prType, label string) {
	sorted := slices.Sorted(slices.Values(labels))
	for _, t := range typeOrder {
		for _, l := range sorted {
			if typeOfLabel(l) == t {
				return t, l
			}
		}
	}
	return "", ""
}

// labelWords are words of labels, such as "kind/bug" or "type: enhancement".
var labelWords = map[string]string{
	"security": typeSecurity, "vulnerability": typeSecurity, "cve": typeSecurity,
	"bug": typeBugFix, "bugs": typeBugFix, "bugfix": typeBugFix, "bugfixes": typeBugFix, "regression": typeBugFix,
	"defect": typeBugFix, "hotfix": typeBugFix, "fix": typeBugFix, "crash": typeBugFix,
	"performance": typePerformance, "perf": typePerformance, "optimization": typePerformance,
	"optimisation": typePerformance, "speed": typePerformance,
	"refactor": typeRefactor, "refactoring": typeRefactor, "cleanup": typeRefactor, "debt": typeRefactor,
	"feature": typeFeature, "features": typeFeature, "enhancement": typeFeature, "enhancements": typeFeature,
	"improvement": typeFeature, "feat": typeFeature,
}

// notLabels are words that turn a label into something else: "not a bug",
// "needs security review", "merge after bug 12".
var notLabels = []string{"not", "no", "non", "needs", "need", "without", "review", "triage", "after", "wontfix",
	"freeze", "bash", "bounty"}

// typeOfLabel is the type that a label names, "" if none or several.
func typeOfLabel(label string) string {
	found := ""
	for _, w := range words(label) {
		if slices.Contains(notLabels, w) {
			return ""
		}
		if t := labelWords[w]; t != "" {
			if found != "" && found != t {
				return ""
			}
			found = t
		}
	}
	return found
}

// titleTypes are title words that name a type.
var titleTypes = map[string]string{
	"fix": typeBugFix, "fixes": typeBugFix, "fixed": typeBugFix, "fixing": typeBugFix, "fixup": typeBugFix,
	"bug": typeBugFix, "bugs": typeBugFix, "bugfix": typeBugFix, "hotfix": typeBugFix,
	"regression": typeBugFix, "regressions": typeBugFix, "crash": typeBugFix, "crashes": typeBugFix,
	"crashing": typeBugFix, "deadlock": typeBugFix, "deadlocks": typeBugFix,
	"perf": typePerformance, "performance": typePerformance, "optimize": typePerformance, "optimise": typePerformance,
	"optimizes": typePerformance, "optimized": typePerformance,
	"optimization": typePerformance, "optimizations": typePerformance, "speedup": typePerformance,
	"speed": typePerformance, "faster": typePerformance, "slow": typePerformance,
	"refactor": typeRefactor, "refactors": typeRefactor, "refactored": typeRefactor, "refactoring": typeRefactor,
	"cleanup": typeRefactor, "clean": typeRefactor, "simplify": typeRefactor,
	"simplifies": typeRefactor, "rename": typeRefactor, "renames": typeRefactor, "restructure": typeRefactor,
	"reorganize": typeRefactor, "reorganise": typeRefactor, "rework": typeRefactor,
	"deduplicate": typeRefactor, "modernize": typeRefactor, "tidy": typeRefactor, "move": typeRefactor,
	"extract": typeRefactor,
	"add":     typeFeature, "adds": typeFeature, "added": typeFeature, "adding": typeFeature, "support": typeFeature,
	"supports": typeFeature, "implement": typeFeature, "implements": typeFeature,
	"implemented": typeFeature, "introduce": typeFeature, "introduces": typeFeature, "allow": typeFeature,
	"allows": typeFeature, "enable": typeFeature, "feature": typeFeature, "feat": typeFeature, "new": typeFeature,
}

// securityWords make a title one of security wherever they occur.
var securityWords = regexp.MustCompile(`(?i)\b(?:cve-\d{4}-\d+|ghsa-[0-9a-z-]+|security|vulnerabilit(?:y|ies)|vulnerable|xss|csrf|ssrf|redos|path traversal|(?:sql|command|code|header) injection)\b`)

// titlePhrases come before single words: what a title avoids or replaces says more than its first verb.
var titlePhrases = []struct {
	prType  string
	pattern *regexp.Regexp
}{
	{typeBugFix,
		regexp.MustCompile(`(?i)\b(?:avoid(?:s|ing)?|prevent(?:s|ing)?|do(?:es)? not|don't|doesn't|no longer|stops?|detect(?:s|ing)?)\b.{0,60}?\b(?:races?|race conditions?|leak(?:s|ing|ed)?|crash(?:es|ing|ed)?|recursion|deadlock(?:s|ed)?|oom|out of memory|overflow(?:s|ed)?|conflicts?|errors?|exceptions?|panics?|hang(?:s|ing)?|corrupt(?:s|ion|ed)?|npe|segfaults?|infinite loops?)\b`)},
	{typePerformance,
		regexp.MustCompile(`(?i)\breduc(?:e|es|ing)\b.{0,40}?\b(?:overhead|allocations?|garbage|cop(?:y|ies|ying)|contention|latency|memory)\b`)},
	{typeRefactor,
		regexp.MustCompile(`(?i)\buse\b.{1,60}?\binstead of\b|\bmake (?:a |the )?.{0,40}?\bshared\b|^\W*(?:extract|split|move)s?\b`)},
	// The conventional prefixes "release:" and "test:" in words.
	{typeRefactor,
		regexp.MustCompile(`(?i)^\W*(?:(?:(?:prepar|releas|bump|cut|tag)(?:e|es|ed|ing)?|preparation|update|set|new)\b(?: (?:for|to|the|a|an|version|next|release|of)\b)*\W*(?:release\b|v?\d+\.\d+)|v?\d+\.\d+(?:\.\d+)*(?:[-.]?(?:a|b|rc|alpha|beta|dev|final|m)[-.]?\d*)?(?: release)?\W*$|[\w.-]+ v?\d+\.\d+(?:\.\d+)*(?:rc\d+)? release\b)`)},
	{typeRefactor,
		regexp.MustCompile(`(?i)^\W*(?:(?:add|writ|improv|extend|increas|expand|updat|enabl)(?:e|s|es|ed|ing)?|more|new|missing|better) (?:(?:some|more|missing|new|unit|integration|smoke|regression|e2e|end-to-end|basic|additional|a|an|the|failing|extra|further|functional|fuzz|property|better|few) )*(?:tests?(?: cases?| coverage)?|test-?cases?|coverage)(?:$| (?:for|to|of|in|that|on|around|about|where|when|with)\b)`)},
}

func wordType(title string) (prType, word string) {
	if w := securityWords.FindString(title); w != "" {
		return typeSecurity, strings.ToLower(w)
	}
	for _, p := range titlePhrases {
		if m := p.pattern.FindString(title); m != "" {
			return p.prType, strings.ToLower(m)
		}
	}
	found := words(title)
	for _, w := range found {
		if t := titleTypes[w]; t != "" && !(t == typeBugFix && mendsWords(found)) {
			return t, w
		}
	}
	return "", ""
}

var wordPattern = regexp.MustCompile(`[\p{L}\p{N}]+`)

// words are the words of a text in lower case.
func words(s string) []string { return wordPattern.FindAllString(strings.ToLower(s), -1) }
