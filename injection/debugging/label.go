package debugging

import (
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// Signature is what makes two crashes the same.
type Signature struct {
	Type    string `json:"type"`
	Message string `json:"message"`
	Effect  Span   `json:"effect"`
}

// Label is what is known of one fault.
type Label struct {
	Cause Span
	// Effect is the statement of the deepest traceback frame inside the script,
	// Function the function around it ("<module>" for none), and Depth its
	// number of script frames; Outer is the first line of the outermost.
	Effect   Span
	Function string
	Depth    int
	Outer    int
	Type     string // the exception's, without its module
	Module   string
	Message  string
	Library  string // the package that the effect called into, "python" where it is none
	// HopLines is 0 where cause and effect are one statement, else how many lines
	// lie between; HopExecuted is how many other statements ran after the cause
	// last ran.
	HopLines    int
	HopExecuted int
	Equivalent  []Span
}

// signature is the label's.
func (l *Label) signature() Signature { return Signature{l.Type, l.Message, l.Effect} }

// Hop says how far the effect of a fault is from its cause.
type Hop int

// The hops, nearest first.
const (
	SameStatement Hop = iota // the effect is the cause
	NextStatement            // another statement, and none ran between
	ManyHops                 // others ran between
)

// Hop says how far the effect is, by the statements that ran.
func (l *Label) Hop() Hop { return HopOf(l.HopLines, l.HopExecuted) }

// HopOf is the hop of an error with so many lines, and so many statements run,
// between cause and effect.
func HopOf(lines, executed int) Hop {
	switch {
	case lines == 0:
		return SameStatement
	case executed == 0:
		return NextStatement
	}
	return ManyHops
}

// String is the hop's name in reports.
func (h Hop) String() string {
	return [...]string{"same statement", "next statement", "multi-hop"}[h]
}

// SignatureOf is a crash's signature; false for a run that did not crash inside
// the script.
func SignatureOf(run *model.ScriptRun) (Signature, bool) {
	if run == nil || run.Status != model.RunRaised || run.Exception.Deepest() == nil {
		return Signature{}, false
	}
	f := run.Exception.Deepest()
	return Signature{run.Exception.Type, run.Exception.Message, Span{f.First, f.Last}}, true
}

// Outcome says what a change did, compared with the script's own run.
func Outcome(baseline, run *model.ScriptRun) verdict.Verdict {
	status := verdict.Evidence{What: "status", Found: string(run.Status)}
	switch run.Status {
	case model.RunRaised:
		return verdict.Pass()
	case model.RunTimeout:
		return verdict.Reject(verdict.MutantTimesOut, "The changed script takes too long.", status)
	case model.RunUnparsed:
		return verdict.Reject(verdict.MutantUnparsed, "The interpreter does not compile the changed script.", status)
	case model.RunOK, model.RunExit:
		same := run.Status == baseline.Status && run.Exit == baseline.Exit && run.Output == baseline.Output &&
			slices.Equal(run.Figures, baseline.Figures) && sameFiles(run.Made, baseline.Made)
		if same {
			return verdict.Reject(verdict.MutantChangesNothing, "The changed script prints, draws and writes the same.")
		}
		return verdict.Reject(verdict.MutantSilent, "The changed script does something else, but raises nothing.")
	}
	return verdict.Reject(verdict.MutantKilled, "The changed script was ended.", status)
}

// Accept says whether runs of the changed script, each with another seed and
// each from the start, agree with each other and with the run that found it.
func Accept(found *model.ScriptRun, agrees bool, run *model.ScriptRun) verdict.Verdict {
	if want, ok := SignatureOf(found); ok && agrees {
		if got, _ := SignatureOf(run); got == want {
			return verdict.Pass()
		}
	}
	return verdict.Reject(verdict.MutantNondeterministic,
		"Runs of the changed script differ in exception, message or effect.")
}

// Repeats says of each label of one script whether an earlier one has the same
// signature.
func Repeats(labels []Label) []verdict.Verdict {
	seen := map[Signature]bool{}
	out := make([]verdict.Verdict, len(labels))
	for i, l := range labels {
		out[i] = verdict.Pass()
		if seen[l.signature()] {
			out[i] = verdict.Reject(verdict.DuplicateSignature,
				"Another change of the script raises the same exception at the same statement.")
		}
		seen[l.signature()] = true
	}
	return out
}

func sameFiles(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if b[k] != v {
			return false
		}
	}
	return true
}

// Describe labels a crash whose cause is known. files are the paths that the
// script has or makes: an error about any other is the machine's.
func Describe(cause Span, run *model.ScriptRun, files func(string) bool) (Label, verdict.Verdict) {
	e := run.Exception
	f := e.Deepest()
	if f == nil {
		return Label{}, verdict.Reject(verdict.EffectOutsideScript, "No frame of the traceback is inside the script.")
	}
	if e.Environment && (e.Filename == "" || !files(e.Filename)) {
		return Label{},
			verdict.Reject(verdict.EffectOfEnvironment, "The exception is about the machine and not about the code.",
				verdict.Evidence{What: "exception", Found: e.Type})
	}
	l := Label{
		Cause: cause, Effect: Span{f.First, f.Last}, Function: f.Function, Depth: len(e.Frames), Outer: e.Frames[0].First,
		Type: e.Type, Module: e.Module, Message: e.Message, Library: library(e),
	}
	if !Ran(run)(cause) {
		return Label{}, verdict.Reject(verdict.EffectBeforeCause, "The changed statement did not run before the exception.")
	}
	if l.Effect != cause && !l.Effect.overlaps(cause) {
		l.HopLines = max(l.Effect.First-cause.First, cause.First-l.Effect.First)
		l.HopExecuted = between(run, cause, l.Effect)
	}
	return l, verdict.Pass()
}

// library is where the exception comes from.
func library(e *model.ScriptException) string {
	if e.Library != "" {
		return e.Library
	}
	top, _, _ := strings.Cut(e.Module, ".")
	if top == "builtins" || top == "__main__" || top == "" {
		return "python"
	}
	return top
}

// between counts the statements, other than cause and effect, that ran after
// the cause last ran.
func between(run *model.ScriptRun, cause, effect Span) int {
	last := 0
	for _, e := range run.Statements {
		if cause.overlaps(Span{e.First, e.Last}) {
			last = max(last, e.End)
		}
	}
	n := 0
	for _, e := range run.Statements {
		span := Span{e.First, e.Last}
		if e.End > last && !span.overlaps(cause) && !span.overlaps(effect) {
			n++
		}
	}
	return n
}

var (
	addresses = regexp.MustCompile(`0x[0-9a-fA-F]+`)
	paths     = regexp.MustCompile(`(?:/[\w.+-]+)+/`)
	spaces    = regexp.MustCompile(`\s+`)
)

// maxNormalized is how many characters a normalized message keeps.
const maxNormalized = 2000

// NormalizeMessage makes messages comparable: addresses and the folders of paths
// are replaced, white space is one space, and the length is bounded.
func NormalizeMessage(message string) string {
	message = addresses.ReplaceAllString(message, "0x")
	message = paths.ReplaceAllString(message, "/")
	message = strings.TrimSpace(spaces.ReplaceAllString(message, " "))
	if letters := []rune(message); len(letters) > maxNormalized {
		message = string(letters[:maxNormalized])
	}
	return message
}

// Answerable says whether a model can name the lines of a label by their text:
// where line numbers are not shown, each must occur once.
func Answerable(code []byte, l Label, numbered bool) verdict.Verdict {
	if numbered {
		return verdict.Pass()
	}
	for _, line := range []int{l.Cause.First, l.Effect.First} {
		text, n := Line(code, line), 0
		for other := range strings.SplitSeq(string(code), "\n") {
			if strings.TrimSpace(other) == text {
				n++
			}
		}
		if n != 1 {
			return verdict.Reject(verdict.LineNotUnique, "The text of a line occurs more than once.",
				verdict.Evidence{What: "line", Found: text})
		}
	}
	return verdict.Pass()
}
