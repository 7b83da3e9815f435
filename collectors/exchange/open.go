package exchange

import (
	"errors"
	"net/url"
	"strings"
)

// Open opens a folder, or a bucket by the address s3://BUCKET[/PREFIX].
func Open(address string, o S3Options) (Exchange, error) {
	rest, ok := strings.CutPrefix(address, "s3://")
	if !ok {
		return folder{address}, nil
	}
	u, err := url.Parse("s3://" + rest)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		// it may hold a secret
		return nil, errors.New("this is not the address of a bucket: write s3://BUCKET or s3://BUCKET/PREFIX")
	}
	return newBucket(u.Host, strings.Trim(u.Path, "/"), o)
}
