package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// S3Options configure the access to a bucket; the fields are those of the usual environment variables.
type S3Options struct {
	Endpoint     string // AWS_ENDPOINT_URL; "" for Amazon's
	Region       string // AWS_REGION
	AccessKey    string // AWS_ACCESS_KEY_ID; "" for the machine's own role
	SecretKey    string // AWS_SECRET_ACCESS_KEY
	SessionToken string // AWS_SESSION_TOKEN
}

// amazon is the default endpoint.
const amazon = "https://s3.amazonaws.com"

// bucket is an exchange in an S3 bucket, below a prefix.
type bucket struct {
	client       *minio.Client
	name, prefix string
}

func newBucket(name, prefix string, o S3Options) (Exchange, error) {
	if prefix != "" {
		if err := checkName(prefix); err != nil {
			return nil, err
		}
	}
	endpoint := o.Endpoint
	if endpoint == "" {
		endpoint = amazon
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || u.User != nil || (u.Scheme != "https" && u.Scheme != "http") {
		return nil, errors.New("the S3 endpoint is not the address of a server")
	}
	keys := credentials.NewIAM("")
	if o.AccessKey != "" {
		keys = credentials.NewStaticV4(o.AccessKey, o.SecretKey, o.SessionToken)
	}
	client, err := minio.New(u.Host, &minio.Options{Creds: keys, Secure: u.Scheme == "https", Region: o.Region})
	if err != nil {
		return nil, fmt.Errorf("open the bucket %s: %w", name, err)
	}
	return &bucket{client: client, name: name, prefix: prefix}, nil
}

func (b *bucket) key(name string) string { return path.Join(b.prefix, name) }

// Create spools the object to learn its size, and puts it in one request that requires the key to be free.
func (b *bucket) Create(ctx context.Context, name string, content io.Reader) (created bool, err error) {
	if err := checkName(name); err != nil {
		return false, err
	}
	spool, err := os.CreateTemp("", "prforge-put-*")
	if err != nil {
		return false, fmt.Errorf("write %s: %w", name, err)
	}
	defer os.Remove(spool.Name())
	defer spool.Close()
	size, err := io.Copy(spool, reader{ctx, content})
	if err == nil {
		_, err = spool.Seek(0, io.SeekStart)
	}
	if err != nil {
		return false, fmt.Errorf("write %s: %w", name, err)
	}
	o := minio.PutObjectOptions{DisableMultipart: true, ContentType: "application/octet-stream"}
	o.SetMatchETagExcept("*")
	_, err = b.client.PutObject(ctx, b.name, b.key(name), spool, size, o)
	if minio.ToErrorResponse(err).StatusCode == http.StatusPreconditionFailed {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("write %s: %w", name, err)
	}
	return true, nil
}

func (b *bucket) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	object, err := b.client.GetObject(ctx, b.name, b.key(name), minio.GetObjectOptions{})
	if err == nil {
		_, err = object.Stat() // GetObject asks nothing yet
	}
	if minio.ToErrorResponse(err).StatusCode == http.StatusNotFound {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return object, nil
}

func (b *bucket) List(ctx context.Context, prefix string) ([]Object, error) {
	var out []Object
	start := b.prefix
	if start != "" {
		start += "/"
	}
	for o := range b.client.ListObjects(ctx, b.name, minio.ListObjectsOptions{Prefix: start + prefix, Recursive: true}) {
		if o.Err != nil {
			return nil, fmt.Errorf("list the bucket %s: %w", b.name, o.Err)
		}
		out = append(out, Object{strings.TrimPrefix(o.Key, start), o.Size})
	}
	slices.SortFunc(out, func(a, b Object) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}
