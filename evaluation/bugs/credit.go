package bugs

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// near is how far a named line may be from an accepted one. Lines are numbered, so a wider tolerance would only add
// chance.
const near = 1

// The credit of a finding, in quarters.
const (
	quarters = 4

	creditAll   = 4 // everything right
	creditName  = 3 // the name and the kind, no line
	creditPart  = 2 // the line and the kind; or the line and the remedy
	creditTrace = 1 // the position under another kind; or the kind alone

	foundFrom = creditPart // a question counts as found
)

// credit is the credit of a finding in quarters, 0 to 4. Controls have nothing to find.
func (k Key) credit(f Finding) int {
	if k.Fault == nil || !samePath(k.Path, f.Path) {
		return 0
	}
	line := k.atFault(f.Line)
	switch k.Family {
	case Indentation:
		return k.creditIndentation(f, line)
	case Logic:
		return k.creditLogic(f, line)
	}
	name := f.Name != "" && f.Name == k.Fault.Name
	kind := f.Kind == k.Family || k.Family == Import && f.Kind == Undeclared
	switch {
	case name && line && kind:
		return creditAll
	case name && kind:
		return creditName
	case line && (kind || k.names(f, k.Fault.Intended)):
		return creditPart
	case name && line:
		return creditTrace
	}
	return 0
}

// creditIndentation gives little credit without a line: "does not parse" fits every such file.
func (k Key) creditIndentation(f Finding, line bool) int {
	switch {
	case f.Kind == Indentation && line:
		return creditAll
	case f.Kind == Indentation, failsAtImport.MatchString(f.Why), line && syntaxError.MatchString(f.Error+" "+f.Why):
		return creditTrace
	}
	return 0
}

// creditLogic requires the line: only the line identifies the fault.
func (k Key) creditLogic(f Finding, line bool) int {
	switch {
	case line && f.Kind == Logic:
		return creditAll
	case line && (f.Kind == other || k.names(f, k.Fault.Intended)):
		return creditPart
	case line:
		return creditTrace
	}
	return 0
}

var (
	failsAtImport = regexp.MustCompile(`(?i)\b(?:all|every|each) tests? (?:fail|error)s?[^.]*\bimport|\bmodule (?:can ?not|can't) be imported\b`)
	syntaxError   = regexp.MustCompile(`(?i)\bsyntax ?error\b`)
)

// atFault reports whether a line is near an accepted one: the edited line, the one that CPython reports, those that
// use the name.
func (k Key) atFault(line int) bool {
	return closeTo(line, k.Fault.CauseLine) || closeTo(line, k.Fault.ReportLine) ||
		slices.ContainsFunc(k.Fault.EffectLines, func(l int) bool { return closeTo(line, l) })
}

func closeTo(line, accepted int) bool {
	return line > 0 && accepted > 0 && line-accepted <= near && accepted-line <= near
}

// names reports whether a finding names a name, in its field or in its reason.
func (k Key) names(f Finding, name string) bool {
	if name == "" {
		return false
	}
	return f.Name == name || regexp.MustCompile(`(?:^|[^\w.])`+regexp.QuoteMeta(name)+`(?:$|\W)`).MatchString(f.Why)
}

// samePath accepts a missing path, and one that ends in the other.
func samePath(want, got string) bool {
	if got == "" || want == "" {
		return true
	}
	want, got = path.Clean("/"+want), path.Clean("/"+got)
	return want == got || strings.HasSuffix(want, got) || strings.HasSuffix(got, want)
}

// FailureType says why a question was not found.
type FailureType string

// The failure types. A found question has none.
const (
	Silent      FailureType = "silent"
	WrongPlace  FailureType = "wrong_place" // the right kind, elsewhere
	WrongKind   FailureType = "wrong_kind"  // the right position, something else
	SymptomOnly FailureType = "symptom_only"
	Intended    FailureType = "intended_exception" // lists what the code raises on purpose
	Elsewhere   FailureType = "elsewhere"          // other things in other places
	Unreadable  FailureType = "unreadable"
	Refused     FailureType = "refused"
	CutOff      FailureType = "cut_off"
)

// failureTypes lists them in the order of tables.
var failureTypes = []FailureType{Silent, WrongPlace, WrongKind, SymptomOnly, Intended, Elsewhere, Unreadable, Refused,
	CutOff}

// Result is the score of an answer to a question.
type Result struct {
	Key    Key    `json:"-"`
	Answer Answer `json:"answer"`
	// Quarters is the best credit of the findings, 0 to 4; 0 for a control.
	Quarters int         `json:"quarters"`
	Failure  FailureType `json:"failure,omitempty"`
	// FalseAlarms are findings of a provable kind that match nothing; ProvenFalse are those proven wrong; Others are
	// findings of kind other, which cannot be checked.
	FalseAlarms int `json:"false_alarms"`
	ProvenFalse int `json:"proven_false"`
	Others      int `json:"others"`

	undecidable bool // in the configuration that was asked
}

// strict reports whether a finding names everything of the fault; found reports at least half credit.
func (r Result) strict() bool { return r.Quarters == creditAll }

// found reports whether the answer is worth at least a half.
func (r Result) found() bool { return r.Quarters >= foundFrom }

// Score scores an answer by rule.
func (k Key) Score(a Answer) Result {
	r := Result{Key: k, Answer: a}
	for _, f := range a.Findings {
		credit := k.credit(f)
		r.Quarters = max(r.Quarters, credit)
		switch {
		case credit > 0:
		case f.Kind == other:
			r.Others++
		default:
			r.FalseAlarms++
			if k.provenFalse(f) {
				r.ProvenFalse++
			}
		}
	}
	if !r.found() && k.Fault != nil {
		r.Failure = k.failure(a)
	}
	return r
}

// provenFalse reports whether a claim is provably wrong: an indentation error in a file that parses, an undeclared
// name that the file binds.
func (k Key) provenFalse(f Finding) bool {
	switch f.Kind {
	case Indentation:
		return k.Family != Indentation
	case Undeclared:
		return (k.Fault == nil || f.Name != k.Fault.Name) && slices.Contains(k.Bound, f.Name)
	}
	return false
}

// failure says why nothing was found, by the nearest finding.
func (k Key) failure(a Answer) FailureType {
	switch a.Code {
	case "":
	case codeRefused:
		return Refused
	case codeCutOff:
		return CutOff
	default:
		return Unreadable
	}
	if len(a.Findings) == 0 {
		return Silent
	}
	has := func(what func(Finding) bool) bool { return slices.ContainsFunc(a.Findings, what) }
	raises := k.raises()
	switch {
	case has(func(f Finding) bool { return closeTo(f.Line, k.Fault.CauseLine) || closeTo(f.Line, k.Fault.ReportLine) }):
		return WrongKind
	case has(func(f Finding) bool { return k.atFault(f.Line) }):
		return SymptomOnly
	case has(func(f Finding) bool { return f.Kind == k.Family }):
		return WrongPlace
	case has(func(f Finding) bool { return f.Kind == other && raises[f.Line] }):
		return Intended
	}
	return Elsewhere
}

var raise = regexp.MustCompile(`^\s*raise\b`)

// raises are the lines of the source that raise something on purpose.
func (k Key) raises() map[int]bool {
	out := map[int]bool{}
	n := 0
	for line := range strings.Lines(k.Source) {
		n++
		if raise.MatchString(line) {
			out[n] = true
		}
	}
	return out
}
