package snapshot

import (
	"context"
	"io"
)

// Source has the objects that a file is made of: a git repository, or another
// file. Ids are 40 hexadecimal digits.
type Source interface {
	// Need makes sure that objects of a kind are here, fetching those that are not
	// where that is possible, and gives the size in bytes of each that is available
	// as that.
	Need(ctx context.Context, kind string, ids []string) (map[string]int64, error)
	// Objects gives each of some objects that are here to a function, in the order
	// asked for. Of body no more than size bytes may be read, and need not be all.
	Objects(ctx context.Context, ids []string, each func(id, kind string, size int64, body io.Reader) error) error
}
