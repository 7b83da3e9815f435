// Package pattern matches regular expressions that seldom match: before it runs
// one it looks for the words that any match must hold.
package pattern

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// Pattern is a regular expression with what it takes to match it. Methods that
// are not its own are the expression's.
type Pattern struct {
	*regexp.Regexp
	needs []string // folded; every match holds one of them. Nil where none are known
}

// Compile parses an RE2 expression.
func Compile(expr string) (*Pattern, error) {
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, err
	}
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, err
	}
	return &Pattern{re, needs(parsed)}, nil
}

// MustCompile is Compile for expressions of the program itself.
func MustCompile(expr string) *Pattern {
	p, err := Compile(expr)
	if err != nil {
		panic(err)
	}
	return p
}

// MatchString reports whether the text holds a match.
func (p *Pattern) MatchString(s string) bool { return p.May(Fold(s)) && p.Regexp.MatchString(s) }

// May reports whether a text could hold a match, from the text folded: false is
// certain, true is not.
func (p *Pattern) May(folded string) bool {
	return p.needs == nil || slices.ContainsFunc(p.needs, func(word string) bool { return strings.Contains(folded, word) })
}

// Fold gives letters that expressions without regard to case take for each other
// the same form.
func Fold(s string) string { return strings.Map(fold, s) }

// fold is the least of the letters that differ in case alone; of ASCII letters
// the small one.
func fold(r rune) rune {
	if r >= unicode.MaxASCII {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		r = least
	}
	if 'A' <= r && r <= 'Z' {
		r += 'a' - 'A'
	}
	return r
}

// shortest is the length in bytes below which a word says too little.
const shortest = 2

// needs are folded texts: every match of the expression contains one; nil if none are known.
func needs(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if word := Fold(string(re.Rune)); len(word) >= shortest {
			return []string{word}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return needs(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needs(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if words := needs(sub); words != nil && (best == nil || rarer(words, best)) {
				best = words
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			words := needs(sub)
			if words == nil {
				return nil
			}
			all = append(all, words...)
		}
		return all
	}
	return nil
}

// rarer estimates whether the first words occur less often than the others, by their lengths and number.
func rarer(a, b []string) bool {
	length := func(words []string) int {
		least := len(words[0])
		for _, w := range words {
			least = min(least, len(w))
		}
		return least
	}
	if la, lb := length(a), length(b); la != lb {
		return la > lb
	}
	return len(a) < len(b)
}
