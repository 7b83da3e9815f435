// Package show has the texts that commands print: funnels, summaries, and what is safe on a terminal.
package show

import (
	"fmt"
	"io"
	"strings"

	"github.com/prforge/prforge/internal/text"
)

// Clip shortens a text for one line of a terminal.
func Clip(s string, n int) string { return text.Clip(strings.Join(strings.Fields(s), " "), n) }

// Terminal writes text for people. Only line feeds and tabs pass; other control characters, which strangers may have
// written, appear as \uXXXX. A Write must not end inside a character.
type Terminal struct{ W io.Writer }

// Write implements io.Writer.
func (t Terminal) Write(p []byte) (int, error) {
	lines := strings.Split(string(p), "\n")
	for i, line := range lines {
		lines[i] = text.Printable(line)
	}
	if _, err := io.WriteString(t.W, strings.Join(lines, "\n")); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Plural is a number with its unit in the singular: "1 request", "2 repositories".
func Plural[N ~int | ~int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// ShellQuote makes one word of a text for a POSIX shell.
func ShellQuote(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@%=") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
