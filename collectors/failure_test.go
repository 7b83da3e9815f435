package collectors

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/collectors/models/endpoint"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/internal/verdict"
)

func TestErrorsHaveTheirConsequence(t *testing.T) {
	for _, tc := range []struct {
		err     error
		follows consequence
		code    verdict.Code
		detail  string
	}{
		{&ghapi.Error{Kind: ghapi.ErrNotFound}, isFact, verdict.NotFound, "does not have it"},
		{&ghapi.Error{Kind: ghapi.ErrBlocked, Reason: "dmca"}, isFact, verdict.Blocked, "(dmca)"},
		{&ghapi.Error{Kind: ghapi.ErrEmpty}, isFact, verdict.EmptyRepository, "no commits"},
		{ghapi.GraphQLError{Type: "NOT_FOUND"}, isFact, verdict.NotFound, "does not have it"},
		{&Failure{Code: verdict.Blocked, Detail: "as recorded"}, isFact, verdict.Blocked, "as recorded"},
		{&ghapi.Error{Kind: ghapi.ErrForbidden, Reason: "saml"}, failsItem, verdict.Forbidden, "may not read it"},
		{&ghapi.Error{Kind: ghapi.ErrTimeout}, failsItem, verdict.NotAnswered, "never answered"},
		{&ghapi.Error{Kind: ghapi.ErrBadBody}, failsItem, verdict.CollectionFailed, notCollected},
		{ErrNotCollected, failsItem, verdict.NotCollected, notKept},
		{errors.New("something else"), failsItem, verdict.CollectionFailed, notCollected},
		{store.ErrTooLarge, failsItem, verdict.CollectionFailed, notCollected},
		{&gitsource.Error{Kind: gitsource.ErrNetwork, Err: errors.New("exit 128")}, failsRepository, verdict.CollectionFailed, notCollected},
		{&ghapi.Error{Kind: ghapi.ErrLimited}, endsRun, verdict.CollectionFailed, notCollected},
		{&endpoint.Error{Status: 401}, endsRun, verdict.CollectionFailed, notCollected},
		{fmt.Errorf("%w: disk full", store.ErrState), endsRun, verdict.CollectionFailed, notCollected},
		{context.Canceled, endsRun, verdict.CollectionFailed, notCollected},

		// What is about more decides, and what is something else as well is no fact.
		{&ghapi.Error{Kind: ghapi.ErrBudget, Err: ghapi.ErrTimeout}, endsRun, verdict.CollectionFailed, notCollected},
		{errors.Join(gitsource.ErrAbsent, gitsource.ErrNetwork), failsRepository, verdict.CollectionFailed, notCollected},
		{errors.Join(ghapi.ErrNotFound, ghapi.ErrTimeout), failsItem, verdict.NotAnswered, "never answered"},
	} {
		wrapped := fmt.Errorf("while at it: %w", tc.err)
		follows, f := consequenceOf(wrapped)
		if follows != tc.follows || f.Code != tc.code || !strings.Contains(f.Detail, tc.detail) {
			t.Errorf("%v: %d, %+v; want %d, %q, %q", tc.err, follows, f, tc.follows, tc.code, tc.detail)
		}
		if code, _ := Reason(wrapped); code != tc.code || IsFatal(wrapped) != (tc.follows == endsRun) {
			t.Errorf("%v: Reason %q, fatal %t", tc.err, code, IsFatal(wrapped))
		}
	}
	if IsFatal(nil) {
		t.Error("no error ends the run")
	}
}

// elsewhere are the errors that no collection decides on, each with its reason.
var elsewhere = map[string]string{
	"ErrHidden":              "what is on the takedown list is no failure",
	"ghapi.ErrTooLarge":      "git makes the diff; of anything else it fails the item",
	"ghapi.ErrMismatch":      "git makes the diff",
	"ghapi.ErrRefused":       "fails the item, as an error of no kind does",
	"ghapi.ErrBadBody":       "fails the item, as an error of no kind does",
	"gitsource.ErrAbsent":    "a problem that the base or the candidate names",
	"gitsource.ErrTooLarge":  "a problem that the base or the candidate names",
	"gitsource.ErrUnrelated": "a problem that the snapshot names",
	"store.ErrLocked":        "is ErrState",
	"store.ErrNewer":         "is ErrState",
	"store.ErrDamaged":       "is ErrState",
	"store.ErrReplaced":      "is ErrState",
	"store.ErrTooLarge":      "one record: fails the item",
	"store.ErrNotText":       "one record: fails the item",
	"store.ErrWrongBytes":    "one blob: fails the item",
	"store.ErrLeftOut":       "of an export",
	"models.ErrLimit":        "of an evaluation",
	"models.ErrGathered":     "of an evaluation",
}

// TestEveryErrorIsDecidedOn compares the errors that the packages declare with the
// table, both ways.
func TestEveryErrorIsDecidedOn(t *testing.T) {
	declared := map[string]bool{}
	for dir, pkg := range map[string]string{".": "", "../internal/ghapi": "ghapi.", "gitsource": "gitsource.", "../internal/store": "store.", "models": "models.", "models/endpoint": "endpoint.", "python": "python."} {
		for name := range declaredErrors(t, dir) {
			declared[pkg+name] = true
		}
	}
	listed := tableKinds(t)
	if len(listed) != len(consequences) {
		t.Fatalf("%d names for %d rows: %v", len(listed), len(consequences), listed)
	}
	for i, name := range listed {
		if !declared[name] && !strings.HasPrefix(name, "context.") && name != "syscall.ENOSPC" {
			t.Errorf("%s is in the table, and no package declares it", name)
		}
		if slices.Index(listed, name) != i || elsewhere[name] != "" {
			t.Errorf("%s is listed twice", name)
		}
		if follows, _ := consequenceOf(fmt.Errorf("while at it: %w", consequences[i].kind)); follows != consequences[i].follows {
			t.Errorf("%s: a row before it decides", name)
		}
	}
	for name := range declared {
		if elsewhere[name] == "" && !slices.Contains(listed, name) {
			t.Errorf("nothing says what follows from %s", name)
		}
	}
	for name := range elsewhere {
		if !declared[name] {
			t.Errorf("%s is no error any more", name)
		}
	}
}

// declaredErrors are the names of a package's exported errors.
func declaredErrors(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, file := range files {
		inspect(t, file, func(n ast.Node) {
			spec, ok := n.(*ast.ValueSpec)
			if ok && len(spec.Names) == 1 && spec.Names[0].IsExported() && strings.HasPrefix(spec.Names[0].Name, "Err") && !strings.HasSuffix(file, "_test.go") {
				names[spec.Names[0].Name] = true
			}
		})
	}
	return names
}

// tableKinds are the names of the table's errors, in its order.
func tableKinds(t *testing.T) (names []string) {
	t.Helper()
	inspect(t, "failure.go", func(n ast.Node) {
		if field, ok := n.(*ast.KeyValueExpr); ok && types.ExprString(field.Key) == "kind" {
			names = append(names, types.ExprString(field.Value))
		}
	})
	return names
}

func inspect(t *testing.T, file string, visit func(ast.Node)) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		visit(n)
		return true
	})
}
