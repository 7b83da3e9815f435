package debugging

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/prforge/prforge/internal/verdict"
)

// ByModel is the operator's name of a change that a model made.
const ByModel = "model"

// ModelSystem is the instruction of the second injector.
const ModelSystem = `You make one subtle mistake in a Python script, of the kind that a programmer makes and that raises an exception when the script runs, better later than at once. You change one statement and nothing else. You add no comment and no name that hints at a mistake. You keep the number of lines.

Answer with one JSON object and nothing else: {"replacement": "the statement's new text"}`

// ModelTargets draws the statements that a model is asked to change: simple
// ones that ran, at most n.
func ModelTargets(s *Script, ran func(Span) bool, seed, n int) []int {
	var candidates []Candidate
	for i, st := range s.Statements {
		if st.Compound || st.Shared || !ran(st.Span) || st.Node.Is("import_statement", "import_from_statement",
			"future_import_statement", "pass_statement") || st.Node.ChildOf("string").Exists() {
			continue
		}
		candidates = append(candidates, Candidate{Operator: ByModel, Statement: i})
	}
	shuffle(candidates, seed, s.Source())
	var out []int
	for _, c := range candidates[:min(n, len(candidates))] {
		out = append(out, c.Statement)
	}
	return out
}

// ModelPrompt asks for a change of one statement.
func (s *Script) ModelPrompt(statement int) string {
	st := s.Statements[statement]
	return fmt.Sprintf("The script, with its lines numbered:\n\n%s\nChange the statement on line %d to %d, which is:\n\n%s\n", number(string(s.Source())), st.Span.First, st.Span.Last, st.Node.Text())
}

// ReadModel makes a candidate of a model's answer. What it changes is for Check
// to judge; here only its form is.
func (s *Script) ReadModel(statement int, answer string) (Candidate, verdict.Verdict) {
	st := s.Statements[statement]
	start, end := strings.Index(answer, "{"), strings.LastIndex(answer, "}")
	var reply struct {
		Replacement *string `json:"replacement"`
	}
	if start < 0 || end < start || json.Unmarshal([]byte(answer[start:end+1]), &reply) != nil || reply.Replacement == nil {
		return Candidate{}, verdict.Reject(verdict.MutantUnparsed, "The model's answer is no JSON object with a replacement.")
	}
	text := strings.TrimRight(*reply.Replacement, " \t\n")
	text = strings.TrimLeft(text, " \t\n")
	if !strings.Contains(st.Node.Text(), "\n") && strings.Contains(text, "\n") {
		return Candidate{}, verdict.Reject(verdict.MutantMoreThanOne, "The model's answer has more lines than the statement.")
	}
	edits := s.replace(st.Node, text)
	if edits == nil {
		return Candidate{}, verdict.Reject(verdict.MutantChangesNothing, "The model's answer is the statement itself.")
	}
	return Candidate{Operator: ByModel, Statement: statement, Edits: edits}, verdict.Pass()
}

// OnImport reports whether a candidate changes what is imported.
func (s *Script) OnImport(c Candidate) bool {
	n := s.Statements[c.Statement].Node
	return n.Is("import_statement", "import_from_statement", "future_import_statement")
}
