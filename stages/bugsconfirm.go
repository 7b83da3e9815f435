package stages

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/prforge/prforge/collectors/python"
	"github.com/prforge/prforge/injection"
	"github.com/prforge/prforge/injection/bugs"
)

// Confirm compiles a source with a CPython, without running it. The error is one
// of the interpreter.
type Confirm func(ctx context.Context, path string, code []byte) (*python.Checked, error)

// Confirmed says what a CPython made of one question.
type Confirmed string

// What a CPython can make of a question.
const (
	ConfirmedYes  Confirmed = "confirmed"
	ConfirmedNo   Confirmed = "denied"
	ConfirmedOpen Confirmed = "undetermined" // the interpreter does not know the syntax, or ended
)

// confirmAll asks about every question. Python only confirms: rules decide, so
// a denial is an internal error. nil asks nobody.
func confirmAll(ctx context.Context, drawn []bugs.Draft, confirm Confirm) error {
	if confirm == nil {
		return nil
	}
	for _, d := range drawn {
		if got, why := confirmOne(ctx, d, confirm); got == ConfirmedNo {
			return fmt.Errorf("internal error: CPython denies question %s of %s: %s", d.Question.QuestionID, d.Pull, why)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// confirmOne compiles what a question shows and compares it with its key.
func confirmOne(ctx context.Context, d bugs.Draft, confirm Confirm) (Confirmed, string) {
	checked, err := confirm(ctx, d.Question.Path, bugs.Shown(d.Question.View))
	if err != nil {
		return ConfirmedOpen, err.Error()
	}
	fault := d.Answer.Fault
	if d.Answer.Family == string(injection.Indentation) {
		if checked.Error == nil || checked.Error.Type != fault.Error || checked.Error.Line != fault.ReportLine {
			return ConfirmedNo, fmt.Sprintf("compiling gives %+v", checked.Error)
		}
		return ConfirmedYes, ""
	}
	if checked.Error != nil {
		if checked.Error.Type == "IndentationError" || checked.Error.Type == "TabError" {
			return ConfirmedNo, checked.Error.Message
		}
		return ConfirmedOpen, checked.Error.Message
	}
	var want []string
	if fault != nil && fault.Error == "NameError" {
		want = []string{fault.Name}
	}
	if got := slices.Sorted(maps.Keys(checked.Undeclared(injection.Builtins()))); !slices.Equal(got, want) {
		return ConfirmedNo, fmt.Sprintf("undeclared by symtable: %v", got)
	}
	return ConfirmedYes, ""
}
