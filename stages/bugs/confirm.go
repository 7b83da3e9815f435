package bugs

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/prforge/prforge/collectors/python"
	"github.com/prforge/prforge/injection"
	"github.com/prforge/prforge/injection/bugs"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/stages/run"
)

// Confirm compiles a source with a CPython, without running it. The error is one
// of the interpreter.
type Confirm func(ctx context.Context, path string, code []byte) (*python.Checked, error)

// confirmed is CPython's result for one question.
type confirmed string

// The possible results of CPython for a question.
const (
	confirmedYes  confirmed = "confirmed"
	confirmedNo   confirmed = "denied"
	confirmedOpen confirmed = "undetermined" // the interpreter does not know the syntax, or ended
)

// Confirmations are CPython's results for a dataset's questions.
type Confirmations struct {
	Confirmed    int      `json:"confirmed"`
	Undetermined []string `json:"undetermined"` // question ids, each with the reason
	Denied       []string `json:"denied"`
}

// confirmAll asks about every question.
func confirmAll(ctx context.Context, drawn []bugs.Draft, confirm Confirm) (*Confirmations, error) {
	out := &Confirmations{Undetermined: []string{}, Denied: []string{}}
	for _, d := range drawn {
		got, why := confirmOne(ctx, d, confirm)
		switch why = fmt.Sprintf("%s of %s: %s", d.Question.QuestionID, d.Pull, why); got {
		case confirmedYes:
			out.Confirmed++
		case confirmedOpen:
			out.Undetermined = append(out.Undetermined, why)
		case confirmedNo:
			out.Denied = append(out.Denied, why)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// mustConfirm confirms every question of a build with Python; nil skips it. Rules decide, so a denial is an internal
// error.
func mustConfirm(ctx context.Context, s *run.Session, drawn []bugs.Draft, confirm Confirm) error {
	if confirm == nil {
		return nil
	}
	c, err := confirmAll(ctx, drawn, confirm)
	if err != nil {
		return err
	}
	s.Log.Info("asked CPython", "confirmed", c.Confirmed, "undetermined", c.Undetermined)
	if len(c.Denied) > 0 {
		return fmt.Errorf("internal error: CPython denies question %s", c.Denied[0])
	}
	return nil
}

// confirmOne compiles what a question shows and compares it with its key.
func confirmOne(ctx context.Context, d bugs.Draft, confirm Confirm) (confirmed, string) {
	checked, err := confirm(ctx, d.Question.Path, bugs.Shown(d.Question.View))
	if err != nil {
		return confirmedOpen, err.Error()
	}
	fault := d.Answer.Fault
	wrong := d.Answer.Family == string(injection.Indentation)
	switch e := checked.Error; {
	case wrong && e != nil && e.Type == fault.Error && e.Line == fault.ReportLine:
		return confirmedYes, ""
	case wrong || e != nil:
		return denied(ctx, d, e, confirm)
	}
	class := ""
	if fault != nil {
		class = fault.Error
	}
	if err := forgive(ctx, d, checked, confirm); err != nil {
		return confirmedOpen, err.Error()
	}
	if got, why := confirmNames(checked, fault, class); got != confirmedYes {
		return got, why
	}
	if class == "ImportError" {
		return confirmImport(ctx, d, confirm)
	}
	return confirmedYes, ""
}

// denied is what an error of compiling means that the key does not have, or one
// that is missing: a denial, unless the interpreter does not compile the original
// either, because its syntax is newer or it is too much for it.
func denied(ctx context.Context, d bugs.Draft, e *python.CompileError, confirm Confirm) (confirmed, string) {
	if _, original, ok := bugs.Original(d); ok && e != nil {
		before, err := confirm(ctx, d.Question.Path, original)
		switch {
		case err != nil:
			return confirmedOpen, err.Error()
		case before.Error != nil:
			return confirmedOpen, "the original does not compile: " + before.Error.Message
		}
	}
	return confirmedNo, fmt.Sprintf("compiling gives %+v", e)
}

// forgive leaves out what pyflakes misses in the original as well: names of
// annotations that are strings, for one, which are never evaluated.
func forgive(ctx context.Context, d bugs.Draft, checked *python.Checked, confirm Confirm) error {
	_, original, ok := bugs.Original(d)
	if len(checked.Pyflakes) == 0 || !ok {
		return nil
	}
	before, err := confirm(ctx, d.Question.Path, original)
	if err != nil {
		return err
	}
	for name := range before.Pyflakes {
		delete(checked.Pyflakes, name)
	}
	return nil
}

// confirmNames compares the names that symtable, bytecode and pyflakes miss with
// the fault of a file that compiles.
func confirmNames(checked *python.Checked, fault *model.BugFault, class string) (confirmed, string) {
	var undeclared, missed []string
	switch class {
	case "NameError":
		undeclared, missed = []string{fault.Name}, []string{fault.Name}
	case "UnboundLocalError":
		missed = []string{fault.Name}
		if checked.Early == nil {
			return confirmedOpen, "the bytecode of this interpreter is not known"
		}
		if !slices.Contains(checked.Early[fault.Name], fault.ReportLine) {
			return confirmedNo, fmt.Sprintf("read too early by bytecode: %v", checked.Early)
		}
	}
	if got := slices.Sorted(maps.Keys(checked.Undeclared(injection.Builtins()))); !slices.Equal(got, undeclared) {
		return confirmedNo, fmt.Sprintf("undeclared by symtable: %v", got)
	}
	if got := slices.Sorted(maps.Keys(checked.Pyflakes)); checked.Pyflakes != nil && !slices.Equal(got, missed) {
		return confirmedNo, fmt.Sprintf("missed by pyflakes: %v", got)
	}
	return confirmedYes, ""
}

// confirmImport compiles the module that lacks a name and looks for it among the
// names that its scopes bind there.
func confirmImport(ctx context.Context, d bugs.Draft, confirm Confirm) (confirmed, string) {
	if d.Module == nil {
		return confirmedOpen, "the raw records do not have its module"
	}
	checked, err := confirm(ctx, d.Module.Path, d.Module.Source)
	switch {
	case err != nil:
		return confirmedOpen, err.Error()
	case checked.Error != nil:
		return confirmedOpen, checked.Error.Message
	}
	for i, s := range checked.Scopes {
		if slices.Contains(s.Bound, d.Answer.Fault.Name) && (i == 0 || slices.Contains(s.Globals, d.Answer.Fault.Name)) {
			return confirmedNo, fmt.Sprintf("%s binds %s", d.Module.Path, d.Answer.Fault.Name)
		}
	}
	return confirmedYes, ""
}
