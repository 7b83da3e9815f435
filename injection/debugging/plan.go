package debugging

import (
	"slices"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// Operators are all operators in the order in which they are tried.
func Operators() []Operator {
	return []Operator{
		wrongVariable, staleVariable, lostAssignment, wrongColumn, columnDropped, axis, shape, slice, stepOrder, stepDropped,
		trainTest, fitPart, unpack, returned, offByOne, wrongNumber, dtype, readOption, valuesDropped, conversionDropped,
		inplaceNone, callDropped, swappedArguments, keywordDropped, confusedCall, condition,
		columnName, keywordName, functionName, nameDefined, importAlias, importDropped,
	}
}

// PlanOptions bound how many changes of one script are tried.
type PlanOptions struct {
	Seed        int `yaml:"seed"`
	PerScript   int `yaml:"per_script" check:"1.."`   // changes of one script
	PerOperator int `yaml:"per_operator" check:"1.."` // changes of one script by one operator
}

// DefaultPlan is about two changes by every operator that finds something.
func DefaultPlan() PlanOptions { return PlanOptions{Seed: 1, PerScript: 24, PerOperator: 3} }

// Plan is what was drawn from everything that the operators found.
type Plan struct {
	Drawn []Candidate
	// Left are the others, in the order of the operators, with why.
	Left []Undrawn
}

// Undrawn is a candidate that is not tried.
type Undrawn struct {
	Candidate
	Verdict verdict.Verdict
}

// Draw finds the candidates of all operators and draws in turns: each operator
// gives one, then each another. Which is a matter of the seed and the script,
// and of nothing else.
func Draw(s *Script, baseline *model.ScriptRun, operators []Operator, o PlanOptions) Plan {
	var p Plan
	ran := Ran(baseline)
	queues := make([][]Candidate, len(operators))
	for i, op := range operators {
		for _, c := range op.Find(s) {
			if ran(s.Statements[c.Statement].Span) {
				queues[i] = append(queues[i], c)
			} else {
				p.Left = append(p.Left,
					Undrawn{c, verdict.Reject(verdict.MutantNotExecuted, "The script's own run never reaches the statement.")})
			}
		}
		shuffle(queues[i], o.Seed, s.Source())
	}
	for turn := 0; turn < o.PerOperator; turn++ {
		for i := range queues {
			if len(queues[i]) > 0 && len(p.Drawn) < o.PerScript {
				p.Drawn = append(p.Drawn, queues[i][0])
				queues[i] = queues[i][1:]
			}
		}
	}
	for _, q := range queues {
		for _, c := range q {
			p.Left = append(p.Left, Undrawn{c, verdict.Reject(verdict.OverQuota, "Enough changes of the script are drawn.")})
		}
	}
	return p
}

// Ran gives a test of whether a statement ran.
func Ran(run *model.ScriptRun) func(Span) bool {
	lines := map[int]bool{}
	for _, e := range run.Statements {
		for line := e.First; line <= e.Last; line++ {
			lines[line] = true
		}
	}
	return func(s Span) bool {
		for line := s.First; line <= s.Last; line++ {
			if lines[line] {
				return true
			}
		}
		return false
	}
}

// shuffle orders candidates by the hash of the seed, the script and themselves.
func shuffle(all []Candidate, seed int, source []byte) {
	slices.SortStableFunc(all, func(a, b Candidate) int {
		x, y := rank(seed, string(source), a.Key()), rank(seed, string(source), b.Key())
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
}
