package takedown

import (
	"regexp"
	"slices"
	"strings"
)

// secret is the shape of one kind of credential.
type secret struct {
	kind   string
	prefix string // every match contains it: looked for first, because it is fast
	shape  *regexp.Regexp
}

// secrets are the shapes that their issuers document as fixed. Shapes without a
// mark of their own (hexadecimal strings, passwords) are left out: they would
// report every hash in a diff.
var secrets = []secret{
	{"github-token", "gh", regexp.MustCompile(`\bgh[pousr]_[A-Za-z0-9]{36,255}\b`)},
	{"github-fine-grained-token", "github_pat_", regexp.MustCompile(`\bgithub_pat_[A-Za-z0-9_]{60,255}\b`)},
	{"gitlab-token", "glpat-", regexp.MustCompile(`\bglpat-[A-Za-z0-9_-]{20,}`)},
	{"aws-access-key", "A", regexp.MustCompile(`\b(?:AKIA|ASIA)[A-Z2-7]{16}\b`)},
	{"google-api-key", "AIza", regexp.MustCompile(`\bAIza[A-Za-z0-9_-]{35}`)},
	{"slack-token", "xox", regexp.MustCompile(`\bxox[abprs]-[0-9A-Za-z-]{20,}`)},
	{"stripe-key", "k_live_", regexp.MustCompile(`\b[rs]k_live_[0-9A-Za-z]{20,}`)},
	{"npm-token", "npm_", regexp.MustCompile(`\bnpm_[A-Za-z0-9]{36}\b`)},
	{"pypi-token", "pypi-AgEI", regexp.MustCompile(`\bpypi-AgEI[A-Za-z0-9_-]{50,}`)},
	{"hugging-face-token", "hf_", regexp.MustCompile(`\bhf_[A-Za-z]{34}\b`)},
	{"openai-key", "sk-", regexp.MustCompile(`\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{20,}T3BlbkFJ[A-Za-z0-9_-]{20,}`)},
	{"anthropic-key", "sk-ant-", regexp.MustCompile(`\bsk-ant-[a-z0-9]+-[A-Za-z0-9_-]{80,}`)},
	{"private-key", "PRIVATE KEY-----", regexp.MustCompile(`-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----(?:\\r|\\n|[\s+-])*[A-Za-z0-9+/=]{40,}`)},
	{"json-web-token", "eyJ", regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}`)},
}

// Secrets names the kinds of credentials that a text seems to hold, each once
// and sorted. It never returns the credential itself.
func Secrets(text string) []string {
	var kinds []string
	for _, s := range secrets {
		if strings.Contains(text, s.prefix) && s.shape.MatchString(text) {
			kinds = append(kinds, s.kind)
		}
	}
	slices.Sort(kinds)
	return kinds
}
