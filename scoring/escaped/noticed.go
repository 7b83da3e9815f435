package escaped

import (
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/model"
)

// Noticed is the address of the first comment of the time, not the author's, whose
// hunk ends at most three lines after a faulty line and that has at least three of the
// statement's longer words; "" where there is none.
func Noticed(p *model.PullRequest, lines []model.FaultLine, statement string) string {
	of := longWords(statement)
	for _, t := range p.Threads {
		for _, c := range t.Comments {
			if c.Author.Login == p.Author.Login || p.MergedAt == nil || c.CreatedAt.After(*p.MergedAt) ||
				!endsAt(c.DiffHunk, t.Path, lines) {
				continue
			}
			common := 0
			for w := range longWords(c.Body) {
				if of[w] {
					common++
				}
			}
			if common >= 3 {
				return c.URL
			}
		}
	}
	return ""
}

// endsAt reports whether one of a hunk's last four lines is a faulty one of the file.
func endsAt(hunk, path string, lines []model.FaultLine) bool {
	shown := strings.Split(strings.TrimRight(hunk, "\n"), "\n")
	for _, text := range shown[max(0, len(shown)-4):] {
		if len(text) > 1 && slices.ContainsFunc(lines, func(l model.FaultLine) bool {
			return l.Path == path && strings.TrimSpace(l.Text) == strings.TrimSpace(text[1:])
		}) {
			return true
		}
	}
	return false
}

var longWord = regexp.MustCompile(`\p{L}{5,}`)

func longWords(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range longWord.FindAllString(strings.ToLower(s), -1) {
		out[w] = true
	}
	return out
}
