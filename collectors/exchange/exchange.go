// Package exchange shares results between the machines of a cluster: through a common folder or an S3 bucket. An
// object appears whole or not at all, and is never changed.
package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strings"
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

// S3Options configure the access to a bucket; the fields are those of the usual environment variables.
type S3Options struct {
	Endpoint     string // AWS_ENDPOINT_URL; "" for Amazon's
	Region       string // AWS_REGION
	AccessKey    string // AWS_ACCESS_KEY_ID; "" for the machine's own role
	SecretKey    string // AWS_SECRET_ACCESS_KEY
	SessionToken string // AWS_SESSION_TOKEN
}

// Open opens a folder, or a bucket by the address s3://BUCKET[/PREFIX].
func Open(address string, o S3Options) (Exchange, error) {
	rest, ok := strings.CutPrefix(address, "s3://")
	if !ok {
		return folder{address}, nil
	}
	u, err := url.Parse("s3://" + rest)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("this is not the address of a bucket: write s3://BUCKET or s3://BUCKET/PREFIX") // it may hold a secret
	}
	return newBucket(u.Host, strings.Trim(u.Path, "/"), o)
}

var namePattern = regexp.MustCompile(`^[A-Za-z0-9_+-][A-Za-z0-9._+@-]*(/[A-Za-z0-9_+-][A-Za-z0-9._+@-]*)*$`)

// checkName rejects names that could leave the exchange or look like a temporary file.
func checkName(name string) error {
	if !namePattern.MatchString(name) {
		return fmt.Errorf("%q is not the name of an object", name)
	}
	return nil
}
