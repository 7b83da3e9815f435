package snapshot

import (
	"context"
	"io"
)

// Source provides the objects for a file: a git repository, or another file. Ids are 40 hexadecimal digits.
type Source interface {
	// Need fetches missing objects of a kind if possible, and returns the size in bytes of each that is available.
	Need(ctx context.Context, kind string, ids []string) (map[string]int64, error)
	// Objects passes local objects to a function, in the given order. The function may read at most size bytes of
	// body, or fewer.
	Objects(ctx context.Context, ids []string, each func(id, kind string, size int64, body io.Reader) error) error
}
