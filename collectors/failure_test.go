package collectors

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/verdict"
)

func TestFailuresHaveTheirReason(t *testing.T) {
	for _, tc := range []struct {
		err       error
		code      verdict.Code
		permanent bool
		ends      bool
	}{
		{&ghapi.Error{Kind: ghapi.ErrNotFound}, verdict.NotFound, true, false},
		{&ghapi.Error{Kind: ghapi.ErrBlocked, Reason: "dmca"}, verdict.Blocked, true, false},
		{&ghapi.Error{Kind: ghapi.ErrForbidden, Reason: "saml"}, verdict.Forbidden, true, false},
		{&ghapi.Error{Kind: ghapi.ErrEmpty}, verdict.EmptyRepository, true, false},
		{&ghapi.Error{Kind: ghapi.ErrTimeout}, verdict.NotAnswered, false, false},
		{&ghapi.Error{Kind: ghapi.ErrResourceLimits}, verdict.NotAnswered, false, false},
		{errors.New("something else"), verdict.CollectionFailed, false, false},
		{&Failure{Code: verdict.Blocked, Detail: "as recorded"}, verdict.Blocked, true, false},
		{&ghapi.Error{Kind: ghapi.ErrAuth}, verdict.CollectionFailed, false, true},
		{&ghapi.Error{Kind: ghapi.ErrBudget}, verdict.CollectionFailed, false, true},
		{&ghapi.Error{Kind: ghapi.ErrNetwork}, verdict.CollectionFailed, false, true},
		{gitsource.ErrDisk, verdict.CollectionFailed, false, true},
		{gitsource.ErrNoGit, verdict.CollectionFailed, false, true},
		{gitsource.ErrNetwork, verdict.CollectionFailed, false, false},
		{stateError(errors.New("disk full")), verdict.CollectionFailed, false, true},
		{context.Canceled, verdict.CollectionFailed, false, true},
		{ErrNoToken, verdict.CollectionFailed, false, true},
	} {
		wrapped := fmt.Errorf("while at it: %w", tc.err)
		f, permanent := failureOf(wrapped)
		if f.Code != tc.code || permanent != tc.permanent || f.Detail == "" {
			t.Errorf("%v: %q, permanent %t; want %q, %t", tc.err, f.Code, permanent, tc.code, tc.permanent)
		}
		if IsFatal(wrapped) != tc.ends {
			t.Errorf("%v: ends the run: %t, want %t", tc.err, !tc.ends, tc.ends)
		}
	}
}
