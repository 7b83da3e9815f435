package scoring

import (
	"regexp"
	"slices"
	"strings"
)

// The types of pull requests (spec section 7).
const (
	TypeSecurity    = "security"
	TypeBugFix      = "bug_fix"
	TypePerformance = "performance"
	TypeRefactor    = "refactor"
	TypeFeature     = "feature"
)

// PRType says what a pull request is for and what says so. Asked in order:
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
	if scope == TypeSecurity {
		return TypeSecurity, "prefix " + prefix + "(" + scope + ")"
	}
	if t := prefixTypes[prefix]; t != "" {
		return t, "prefix " + prefix
	}
	if t, label := labelType(labels); t != "" {
		return t, "label " + label
	}
	if upkeepPrefixes[prefix] {
		if w := securityWords.FindString(rest); w != "" {
			return TypeSecurity, "title word " + strings.ToLower(w)
		}
		return TypeRefactor, "prefix " + prefix
	}
	if t, word := wordType(rest); t != "" {
		return t, "title word " + word
	}
	return TypeFeature, "default"
}

// BugFix reports whether title or labels mark a bug fix (spec section 6), and
// what does. A prefix that names another type or upkeep ("docs: fix links"), and
// a title about wording ("Fix typos"), keep the title's words from counting, not
// the labels.
func BugFix(title string, labels []string) (fix bool, from string) {
	prefix, _, rest := splitPrefix(title)
	if prefixTypes[prefix] == TypeBugFix {
		return true, "prefix " + prefix
	}
	for _, l := range labels {
		if typeOfLabel(l) == TypeBugFix {
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
		if titleTypes[w] == TypeBugFix {
			return true, "title word " + w
		}
	}
	return false, ""
}

// wordings are what a title that fixes no bug fixes: "Fix typos in the guide".
var wordings = []string{"typo", "typos", "spelling", "grammar", "wording", "lint", "linting", "linter", "formatting", "whitespace", "indentation", "docstring", "docstrings", "changelog", "readme"}

// mendsWords reports whether a title is about text, not behaviour.
func mendsWords(title []string) bool {
	return slices.ContainsFunc(title, func(w string) bool { return slices.Contains(wordings, w) })
}

// prefixTypes are the prefixes of conventional commits and of the scientific
// Python projects, in lower case.
var prefixTypes = map[string]string{
	"fix": TypeBugFix, "bugfix": TypeBugFix, "hotfix": TypeBugFix, "bug": TypeBugFix, "fixes": TypeBugFix, "fixed": TypeBugFix, "bug fix": TypeBugFix,
	"feat": TypeFeature, "feature": TypeFeature, "enh": TypeFeature, "enhancement": TypeFeature, "new": TypeFeature,
	"perf": TypePerformance, "performance": TypePerformance,
	"refactor": TypeRefactor, "refac": TypeRefactor, "refactoring": TypeRefactor, "ref": TypeRefactor, "cleanup": TypeRefactor, "cln": TypeRefactor,
	"security": TypeSecurity, "sec": TypeSecurity,
}

// upkeepPrefixes name work that users do not see; they decide before the words of
// the title.
var upkeepPrefixes = map[string]bool{
	"chore": true, "ci": true, "build": true, "style": true, "test": true, "tests": true, "tst": true, "docs": true, "doc": true,
	"maint": true, "mnt": true, "deps": true, "dep": true, "typing": true, "types": true, "lint": true, "release": true, "revert": true,
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
var typeOrder = []string{TypeSecurity, TypeBugFix, TypePerformance, TypeRefactor, TypeFeature}

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
	"security": TypeSecurity, "vulnerability": TypeSecurity, "cve": TypeSecurity,
	"bug": TypeBugFix, "bugs": TypeBugFix, "bugfix": TypeBugFix, "bugfixes": TypeBugFix, "regression": TypeBugFix, "defect": TypeBugFix, "hotfix": TypeBugFix, "fix": TypeBugFix, "crash": TypeBugFix,
	"performance": TypePerformance, "perf": TypePerformance, "optimization": TypePerformance, "optimisation": TypePerformance, "speed": TypePerformance,
	"refactor": TypeRefactor, "refactoring": TypeRefactor, "cleanup": TypeRefactor, "debt": TypeRefactor,
	"feature": TypeFeature, "features": TypeFeature, "enhancement": TypeFeature, "enhancements": TypeFeature, "improvement": TypeFeature, "feat": TypeFeature,
}

// notLabels are words that turn a label into something else: "not a bug",
// "needs security review", "merge after bug 12".
var notLabels = []string{"not", "no", "non", "needs", "need", "without", "review", "triage", "after", "wontfix", "freeze", "bash", "bounty"}

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
	"fix": TypeBugFix, "fixes": TypeBugFix, "fixed": TypeBugFix, "fixing": TypeBugFix, "fixup": TypeBugFix, "bug": TypeBugFix, "bugs": TypeBugFix, "bugfix": TypeBugFix, "hotfix": TypeBugFix,
	"regression": TypeBugFix, "regressions": TypeBugFix, "crash": TypeBugFix, "crashes": TypeBugFix, "crashing": TypeBugFix, "deadlock": TypeBugFix, "deadlocks": TypeBugFix,
	"perf": TypePerformance, "performance": TypePerformance, "optimize": TypePerformance, "optimise": TypePerformance, "optimizes": TypePerformance, "optimized": TypePerformance,
	"optimization": TypePerformance, "optimizations": TypePerformance, "speedup": TypePerformance, "speed": TypePerformance, "faster": TypePerformance, "slow": TypePerformance,
	"refactor": TypeRefactor, "refactors": TypeRefactor, "refactored": TypeRefactor, "refactoring": TypeRefactor, "cleanup": TypeRefactor, "clean": TypeRefactor, "simplify": TypeRefactor,
	"simplifies": TypeRefactor, "rename": TypeRefactor, "renames": TypeRefactor, "restructure": TypeRefactor, "reorganize": TypeRefactor, "reorganise": TypeRefactor, "rework": TypeRefactor,
	"deduplicate": TypeRefactor, "modernize": TypeRefactor, "tidy": TypeRefactor, "move": TypeRefactor, "extract": TypeRefactor,
	"add": TypeFeature, "adds": TypeFeature, "added": TypeFeature, "adding": TypeFeature, "support": TypeFeature, "supports": TypeFeature, "implement": TypeFeature, "implements": TypeFeature,
	"implemented": TypeFeature, "introduce": TypeFeature, "introduces": TypeFeature, "allow": TypeFeature, "allows": TypeFeature, "enable": TypeFeature, "feature": TypeFeature, "feat": TypeFeature, "new": TypeFeature,
}

// securityWords make a title one of security wherever they stand.
var securityWords = regexp.MustCompile(`(?i)\b(?:cve-\d{4}-\d+|ghsa-[0-9a-z-]+|security|vulnerabilit(?:y|ies)|vulnerable|xss|csrf|ssrf|redos|path traversal|(?:sql|command|code|header) injection)\b`)

// titlePhrases are asked before single words: what a title avoids or replaces
// says more than the verb it begins with.
var titlePhrases = []struct {
	prType  string
	pattern *regexp.Regexp
}{
	{TypeBugFix, regexp.MustCompile(`(?i)\b(?:avoid(?:s|ing)?|prevent(?:s|ing)?|do(?:es)? not|don't|doesn't|no longer|stops?|detect(?:s|ing)?)\b.{0,60}?\b(?:races?|race conditions?|leak(?:s|ing|ed)?|crash(?:es|ing|ed)?|recursion|deadlock(?:s|ed)?|oom|out of memory|overflow(?:s|ed)?|conflicts?|errors?|exceptions?|panics?|hang(?:s|ing)?|corrupt(?:s|ion|ed)?|npe|segfaults?|infinite loops?)\b`)},
	{TypePerformance, regexp.MustCompile(`(?i)\breduc(?:e|es|ing)\b.{0,40}?\b(?:overhead|allocations?|garbage|cop(?:y|ies|ying)|contention|latency|memory)\b`)},
	{TypeRefactor, regexp.MustCompile(`(?i)\buse\b.{1,60}?\binstead of\b|\bmake (?:a |the )?.{0,40}?\bshared\b|^\W*(?:extract|split|move)s?\b`)},
}

func wordType(title string) (prType, word string) {
	if w := securityWords.FindString(title); w != "" {
		return TypeSecurity, strings.ToLower(w)
	}
	for _, p := range titlePhrases {
		if m := p.pattern.FindString(title); m != "" {
			return p.prType, strings.ToLower(m)
		}
	}
	found := words(title)
	for _, w := range found {
		if t := titleTypes[w]; t != "" && !(t == TypeBugFix && mendsWords(found)) {
			return t, w
		}
	}
	return "", ""
}

var wordPattern = regexp.MustCompile(`[\p{L}\p{N}]+`)

// words are the words of a text in lower case.
func words(s string) []string { return wordPattern.FindAllString(strings.ToLower(s), -1) }
