package takedown

import (
	"regexp"
	"slices"
	"strings"
)

// secret is the shape of one kind of credential.
type secret struct {
	kind     string
	prefixes []string // every match starts with one: a fast first search
	shape    *regexp.Regexp
}

// secrets are the shapes that their issuers document as fixed. Shapes without a fixed mark (hexadecimal strings,
// passwords) are not among them: they would match every hash in a diff.
var secrets = []secret{
	{"github-token", []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"},
		regexp.MustCompile(`\bgh[pousr]_[A-Za-z0-9]{36,255}\b`)},
	{"github-fine-grained-token", []string{"github_pat_"}, regexp.MustCompile(`\bgithub_pat_[A-Za-z0-9_]{60,255}\b`)},
	{"gitlab-token", []string{"glpat-"}, regexp.MustCompile(`\bglpat-[A-Za-z0-9_-]{20,}`)},
	{"aws-access-key", []string{"AKIA", "ASIA"}, regexp.MustCompile(`\b(?:AKIA|ASIA)[A-Z2-7]{16}\b`)},
	{"google-api-key", []string{"AIza"}, regexp.MustCompile(`\bAIza[A-Za-z0-9_-]{35}`)},
	{"slack-token", []string{"xox"}, regexp.MustCompile(`\bxox[abprs]-[0-9A-Za-z-]{20,}`)},
	{"stripe-key", []string{"sk_live_", "rk_live_"}, regexp.MustCompile(`\b[rs]k_live_[0-9A-Za-z]{20,}`)},
	{"npm-token", []string{"npm_"}, regexp.MustCompile(`\bnpm_[A-Za-z0-9]{36}\b`)},
	{"pypi-token", []string{"pypi-AgEI"}, regexp.MustCompile(`\bpypi-AgEI[A-Za-z0-9_-]{50,}`)},
	{"hugging-face-token", []string{"hf_"}, regexp.MustCompile(`\bhf_[A-Za-z]{34}\b`)},
	{"openai-key", []string{"sk-"},
		regexp.MustCompile(`\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{20,}T3BlbkFJ[A-Za-z0-9_-]{20,}`)},
	{"anthropic-key", []string{"sk-ant-"}, regexp.MustCompile(`\bsk-ant-[a-z0-9]+-[A-Za-z0-9_-]{80,}`)},
	{"private-key", []string{"-----BEGIN "},
		regexp.MustCompile(`-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----(?:\\r|\\n|[\s+-])*[A-Za-z0-9+/=]{40,}`)},
	{"json-web-token", []string{"eyJ"},
		regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}`)},
}

// longest is the maximum length in bytes at which a credential is still found.
const longest = 2048

// Secrets names the kinds of credentials that a text seems to hold, each once
// and sorted. It never returns the credential itself. Time is linear in the
// text, whatever it holds.
func Secrets(text string) []string {
	var kinds []string
	for _, s := range secrets {
		if s.in(text) {
			kinds = append(kinds, s.kind)
		}
	}
	slices.Sort(kinds)
	return kinds
}

// in reports whether a text holds such a credential. It matches the shape against the two lengths after a prefix, and
// the byte before it, which shows whether a word starts there. This covers everything that starts in the first
// length.
func (s secret) in(text string) bool {
	for _, prefix := range s.prefixes {
		for at := 0; at < len(text); at += longest {
			i := strings.Index(text[at:], prefix)
			if i < 0 {
				break
			}
			at += i
			if s.shape.MatchString(text[max(0, at-1):min(len(text), at+2*longest)]) {
				return true
			}
		}
	}
	return false
}
