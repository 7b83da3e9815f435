// Package exchange shares results between the machines of a cluster: through a common folder or an S3 bucket. An
// object appears whole or not at all, and is never changed.
package exchange

import (
	"context"
	"fmt"
	"io"
	"regexp"
)

// Exchange stores objects by name: plain names, separated by slashes. It is safe for concurrent use, also by several
// machines.
type Exchange interface {
	// Create writes an object, which must not be empty. If the name exists it writes nothing, and created is false:
	// the first object stays.
	Create(ctx context.Context, name string, content io.Reader) (created bool, err error)
	// Open reads an object. The error is fs.ErrNotExist where there is none.
	Open(ctx context.Context, name string) (io.ReadCloser, error)
	// List names the objects that begin with a prefix, by name.
	List(ctx context.Context, prefix string) ([]Object, error)
}

// Object is one listed object.
type Object struct {
	Name string
	Size int64 // in bytes
}

var namePattern = regexp.MustCompile(`^[A-Za-z0-9_+-][A-Za-z0-9._+@-]*(/[A-Za-z0-9_+-][A-Za-z0-9._+@-]*)*$`)

// checkName rejects names that could leave the exchange or look like a temporary file.
func checkName(name string) error {
	if !namePattern.MatchString(name) {
		return fmt.Errorf("%q is not the name of an object", name)
	}
	return nil
}
