package github

import (
	"context"
	"errors"
	"strings"

	"github.com/prforge/prforge/internal/ghapi"
)

// charged asks for the cost of a query, which is free. The transport reads it.
type charged struct {
	Cost int
}

// pageInfo is where a page ends.
type pageInfo struct {
	HasNextPage bool
	EndCursor   *string
}

// page is a page of any connection. A null node is one that GitHub could not
// produce, not one that does not exist.
type page[T any] struct {
	TotalCount int
	PageInfo   pageInfo
	Nodes      []*T
}

// actor is whoever did something, of any type; null means a deleted
// account. Every fragment receives the same databaseId, which is why the type is
// taken from __typename.
type actor struct {
	Typename     string `graphql:"__typename"`
	Login        string
	User         accountID `graphql:"... on User"`
	Bot          accountID `graphql:"... on Bot"`
	Mannequin    accountID `graphql:"... on Mannequin"`
	Organization accountID `graphql:"... on Organization"`
}

// userRef is an account that the schema requires to be a user.
type userRef struct {
	Login      string
	DatabaseID *int64 `graphql:"databaseId"`
}

type accountID struct {
	DatabaseID *int64 `graphql:"databaseId"`
}

// oid is the commit that something refers to; null where it is gone.
type oid struct {
	Oid string
}

// reference is another node by its id.
type reference struct {
	ID string
}

// bigInt is GitHub's BigInt, which JSON carries as a string.
type bigInt int64

// UnmarshalJSON reads a number in quotes or without; null is 0.
func (b *bigInt) UnmarshalJSON(text []byte) error {
	var n int64
	for _, c := range strings.Trim(string(text), `"`) {
		if c < '0' || c > '9' {
			if string(text) == "null" {
				return nil
			}
			return errors.New("not a BigInt: " + string(text))
		}
		if n > (1<<63-1-9)/10 {
			return errors.New("BigInt out of range: " + string(text))
		}
		n = 10*n + int64(c-'0')
	}
	*b = bigInt(n)
	return nil
}

// tooMuch reports whether an error is one that asking for less may fix.
func tooMuch(err error) bool {
	if _, ok := errors.AsType[*ghapi.PartialError](err); ok {
		return errors.Is(err, ghapi.ErrResourceLimits)
	}
	return errors.Is(err, ghapi.ErrTimeout) || errors.Is(err, ghapi.ErrResourceLimits) ||
		errors.Is(err, ghapi.ErrBadBody) || errors.Is(err, ghapi.ErrTooLarge)
}

// ofItem reports whether an error concerns the requested item and not the run: other items may still succeed.
func ofItem(err error) bool {
	var partial *ghapi.PartialError
	return errors.As(err, &partial) || tooMuch(err)
}

// isAnswer reports whether an error is GitHub's final answer about a part of a request: it does not exist, or we may
// not see it. After any other error a retry may succeed.
func isAnswer(err error) bool {
	return errors.Is(err, ghapi.ErrNotFound) || errors.Is(err, ghapi.ErrForbidden) || errors.Is(err, ghapi.ErrBlocked)
}

// shrinking calls f with n, then halves n down to 1 while that may help. The transport itself retries a page of 1.
func shrinking(ctx context.Context, n int, f func(ctx context.Context, n int) error) error {
	for {
		call := ctx
		if n > 1 {
			call = ghapi.Shrinkable(ctx)
		}
		err := f(call, n)
		if err == nil || n == 1 || !tooMuch(err) {
			return err
		}
		n /= 2
	}
}

// text is a nullable string's value.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
