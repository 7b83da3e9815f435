package injection

import (
	"errors"
	"fmt"
	"slices"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/syntax"
)

// Fault is the proven effect of a slip.
type Fault = model.BugFault

// Rule is how a fault was proven.
type Rule string

// The rules.
const (
	RuleUnbound     Rule = "R0" // the name is bound nowhere in the file
	RuleScopes      Rule = "R1" // no binding is visible where the name is used
	RuleIndentation Rule = "indentation"
	RuleImports     Rule = "imports"  // the module lacks the name
	RuleBehavior    Rule = "behavior" // a call of the function differs from the original
)

// Refusal says why a mutation is not a proven fault.
type Refusal struct {
	Code   string // stable: one of the Refused constants, or a reason for doubt
	Detail string
}

// Error is the code with the detail.
func (r *Refusal) Error() string { return r.Code + ": " + r.Detail }

// The codes of refusals; the reasons to doubt a use are the others (context.go).
const (
	RefusedSource      = "source_not_clean"   // the original has a fault, or no tree
	RefusedUnsupported = "unsupported_scope"  // names may be bound unseen
	RefusedBound       = "bound_elsewhere"    // the name is found after all
	RefusedNoError     = "no_error"           // the indentation is still legal: another meaning, or none
	RefusedOtherError  = "other_error"        // something else breaks first or besides
	RefusedModule      = "module_not_closed"  // the module may have the name
	RefusedNotRun      = "not_run"            // nothing is known of what it does
	RefusedShape       = "edit_not_supported" // the mutation is not one that the rule knows
)

func refuse(code, format string, args ...any) error {
	return &Refusal{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// Clean says why a source has no position for a fault: it has one already. The
// error is a *Refusal.
func (s *Source) Clean() error {
	if e := checkIndentation(s.lines()); e != nil {
		return refuse(RefusedSource, "%s on line %d", e.class, e.line)
	}
	n := s.names()
	if n.unsupported != "" {
		return nil // names prove nothing here, neither way
	}
	for _, u := range slices.Concat(n.undefined, n.early) {
		return refuse(RefusedSource, "%s on line %d is not bound", u.name, u.node.Lines().Start)
	}
	return nil
}

// Proof is a fault with the rule that proves it.
type Proof struct {
	Fault  Fault
	Rule   Rule
	Faulty []byte
	Module *Module // of E5: what was looked up; else nil
	// Behavior is the call that shows a fault of logic; nil for others.
	Behavior *model.Behavior
}

// Prove proves what a mutation of the source does. Only imports need modules. An error is a *Refusal, or ErrEdit for
// edits that do not fit.
func (s *Source) Prove(m Mutation, modules Modules) (*Proof, error) {
	faulty, err := Apply(s.Source(), m.Edits)
	if err != nil {
		return nil, err
	}
	kind, ok := KindOf(m.Kind)
	if !ok {
		return nil, refuse(RefusedShape, "no kind %q", m.Kind)
	}
	var p *Proof
	switch kind.Family {
	case Indentation:
		p, err = s.proveIndentation(m)
	case Import:
		p, err = s.proveImport(m, faulty, modules)
	case Logic:
		p, err = s.proveLogic(m, faulty)
	default:
		p, err = s.proveName(m, faulty)
	}
	if err != nil {
		return nil, err
	}
	p.Faulty = faulty
	return p, nil
}

// proveIndentation: the edit changes the white space before one logical line,
// and CPython's procedure then fails.
func (s *Source) proveIndentation(m Mutation) (*Proof, error) {
	lines := s.lines()
	i := slices.IndexFunc(lines,
		func(l line) bool { return len(m.Edits) == 1 && l.start-len(l.indent) == m.Edits[0].Offset })
	if i < 0 || lines[i].joined() || m.Edits[0].Old != lines[i].indent {
		return nil, refuse(RefusedShape, "not the indentation of one logical line")
	}
	e := checkIndentation(reindented(lines, i, m.Edits[0].New))
	if e == nil {
		return nil, refuse(RefusedNoError, "line %d is legal at its new indentation", lines[i].first)
	}
	first := i > 0 && lines[i-1].opens
	if e.line != lines[i].first && !first {
		return nil, refuse(RefusedOtherError, "line %d joins another block before line %d is wrong", lines[i].first, e.line)
	}
	return &Proof{Rule: RuleIndentation, Fault: Fault{
		CauseLine: lines[i].first, EffectLines: []int{e.line}, ReportLine: e.line, Error: e.class,
	}}, nil
}

// proveName: after the edit exactly one name is used where no binding reaches,
// or before it can be bound, and at least once so that it certainly raises.
func (s *Source) proveName(m Mutation, faulty []byte) (*Proof, error) {
	if what := s.names().unsupported; what != "" {
		return nil, refuse(RefusedUnsupported, "%s", what)
	}
	after, err := Read(faulty)
	if err != nil {
		return nil, refuse(RefusedOtherError, "%s", errors.Unwrap(err))
	}
	n := after.names()
	if name := n.brokenNonlocal(); name != "" {
		return nil, refuse(RefusedOtherError, "%s is declared nonlocal", name)
	}
	wrong, other, class := n.undefined, n.early, "NameError"
	if m.Kind == usedBeforeBound.Kind {
		wrong, other, class = n.early, n.undefined, "UnboundLocalError"
	}
	if len(wrong) == 0 {
		return nil, refuse(RefusedBound, "every name is still found")
	}
	name := wrong[0].node.Text() // a private name of a class is another at run time
	if n.unsupported != "" || len(other) > 0 || slices.ContainsFunc(wrong, func(u use) bool { return u.name != name }) {
		return nil, refuse(RefusedOtherError, "more than the name %s is wrong", name)
	}
	f := Fault{Name: name, Intended: m.Intended, CauseLine: min(m.Edits[0].Line, after.lineAt(len(faulty))), Error: class}
	why := ""
	for _, u := range wrong {
		line := u.node.Lines().Start
		if why = doubt(u.node); why == "" && f.ReportLine == 0 {
			f.ReportLine = line
		}
		for _, l := range []int{after.firstLine(line), line} { // a statement is read from its first line
			if !slices.Contains(f.EffectLines, l) {
				f.EffectLines = append(f.EffectLines, l)
			}
		}
	}
	if f.ReportLine == 0 {
		return nil, refuse(why, "%s on line %d need not raise", name, wrong[len(wrong)-1].node.Lines().Start)
	}
	rule := RuleScopes
	if class == "NameError" && !n.boundAnywhere(name) {
		rule = RuleUnbound
	}
	return &Proof{Rule: rule, Fault: f}, nil
}

// proveImport: the import certainly runs, its module is closed and lacks the
// name, and the file is without fault otherwise.
func (s *Source) proveImport(m Mutation, faulty []byte, modules Modules) (*Proof, error) {
	after, err := Read(faulty)
	if err != nil {
		return nil, refuse(RefusedOtherError, "%s", errors.Unwrap(err))
	}
	if n := after.names(); n.unsupported != "" || len(n.undefined)+len(n.early) > 0 {
		return nil, refuse(RefusedOtherError, "more than the import is wrong")
	}
	if len(m.Edits) != 1 {
		return nil, refuse(RefusedShape, "not one edit")
	}
	e := m.Edits[0]
	statement, certain := importAt(after, e.Offset)
	taken := importedNames(statement)
	if !certain || len(taken) != 1 || statement.Child("module_name").Text() != e.New {
		return nil, refuse(RefusedShape, "not the module of one name that is imported at the top of the file")
	}
	name := plainName(taken[0]).Text()
	if modules == nil {
		return nil, refuse(RefusedModule, "nothing is known of the repository's modules")
	}
	module := modules(dotted(statement))
	switch {
	case module == nil:
		return nil, refuse(RefusedModule, "%s is not a module of the repository", e.New)
	case module.Open != "":
		return nil, refuse(RefusedModule, "%s: %s", module.Path, module.Open)
	case module.Names[name]:
		return nil, refuse(RefusedBound, "%s has %s", module.Path, name)
	}
	return &Proof{Rule: RuleImports, Module: module, Fault: Fault{
		Name: name, Intended: e.Old, CauseLine: e.Line, EffectLines: []int{e.Line}, ReportLine: e.Line, Error: "ImportError",
	}}, nil
}

// importAt is the from-import at the offset of the module's name, and whether it
// certainly runs when the file is imported. The zero node if there is none.
func importAt(s *Source, offset int) (statement syntax.Node, certain bool) {
	for _, statement := range s.Root().NamedChildren() {
		if statement.Is("import_from_statement") && statement.From() <= offset && offset < statement.To() {
			return statement, unreached(statement) == ""
		}
	}
	return syntax.Node{}, false
}

// proveLogic: the edited file has no other fault, and a call of the function does
// something else than in the original.
func (s *Source) proveLogic(m Mutation, faulty []byte) (*Proof, error) {
	after, err := Read(faulty)
	if err != nil {
		return nil, refuse(RefusedOtherError, "it does not parse")
	}
	if s.names().unsupported != "" {
		return nil, refuse(RefusedUnsupported, "%s", s.names().unsupported)
	}
	if err := after.Clean(); err != nil {
		return nil, refuse(RefusedOtherError, "%s", err)
	}
	if s.behaviors == nil {
		return nil, refuse(RefusedNotRun, "no function of the file was called")
	}
	b := s.behaviors(m)
	switch {
	case b == nil:
		return nil, refuse(RefusedNotRun, "its function was not called")
	case b.Code != "":
		return nil, refuse(b.Code, "no call tells it from the original")
	}
	line := min(m.Edits[0].Line, after.lineAt(len(faulty)))
	f := Fault{Intended: m.Intended, CauseLine: line, ReportLine: line, EffectLines: []int{}}
	for _, e := range m.Edits {
		for _, l := range []int{after.firstLine(e.Line), e.Line} {
			if l <= after.lineAt(len(faulty)) && !slices.Contains(f.EffectLines, l) {
				f.EffectLines = append(f.EffectLines, l)
			}
		}
	}
	if m.Kind == wrongVariable.Kind {
		f.Name = m.Edits[0].New
	}
	return &Proof{Rule: RuleBehavior, Fault: f, Behavior: b}, nil
}
