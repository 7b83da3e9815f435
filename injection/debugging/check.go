package debugging

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/injection"
	"github.com/prforge/prforge/internal/syntax"
	"github.com/prforge/prforge/internal/verdict"
)

// telling are words that give a change away; facts.md section 3 defect 1 counts
// such comments in a third of the published injected samples.
var telling = regexp.MustCompile(`(?i)error|wrong|bug|fault|inject|incorrect|mistake|broken|invalid|fixme|todo|typo|mutat`)

// Check makes a candidate's change and holds it to what every sample promises:
// it parses, one statement differs, the number of lines is the same, and
// nothing new gives it away. code is nil unless the verdict passes.
func (s *Script) Check(c Candidate) (code []byte, v verdict.Verdict) {
	code, err := s.Apply(c)
	if err != nil || len(c.Edits) == 0 {
		return nil, verdict.Reject(verdict.MutantChangesNothing, "There is no change to make.")
	}
	after, err := Parse(code)
	if err != nil {
		return nil, verdict.Reject(verdict.MutantUnparsed, "The changed script does not parse.")
	}
	if !s.oneStatement(after, c.Statement) || bytes.Count(code, []byte("\n")) != bytes.Count(s.Source(), []byte("\n")) {
		return nil, verdict.Reject(verdict.MutantMoreThanOne, "More than one statement differs, or the number of lines does.")
	}
	if !sameComments(s, after) {
		return nil, verdict.Reject(verdict.MutantLeaks, "A comment differs.")
	}
	if word := telltale(c.Edits); word != "" {
		return nil, verdict.Reject(verdict.MutantLeaks, "The new text has a word that gives it away.",
			verdict.Evidence{What: "word", Found: word})
	}
	return code, verdict.Pass()
}

// telltale is a word of a new text that gives it away, "" for none. Words that
// the old text has too tell nothing.
func telltale(edits []injection.Edit) string {
	for _, e := range edits {
		for _, word := range telling.FindAllString(e.New, -1) {
			if !strings.Contains(strings.ToLower(e.Old), strings.ToLower(word)) {
				return word
			}
		}
	}
	return ""
}

func sameComments(a, b *Script) bool { return slices.Equal(comments(a.Tree), comments(b.Tree)) }

// oneStatement reports whether two scripts have the same statements on the same
// lines, with the same text in all lines but those of one.
func (s *Script) oneStatement(after *Script, changed int) bool {
	if len(s.Statements) != len(after.Statements) {
		return false
	}
	for i := range s.Statements {
		if s.Statements[i].Span != after.Statements[i].Span || s.Statements[i].Compound != after.Statements[i].Compound {
			return false
		}
	}
	span := s.Statements[changed].Span
	a, b := bytes.Split(s.Source(), []byte("\n")), bytes.Split(after.Source(), []byte("\n"))
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if (i+1 < span.First || i+1 > span.Last) && !bytes.Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

func comments(t *syntax.Tree) []string {
	var out []string
	t.Root().Walk(func(n syntax.Node) bool {
		if n.Is("comment") {
			out = append(out, n.Text())
		}
		return true
	})
	return out
}
