package run

import (
	"context"
	"errors"
	"io/fs"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/model"
)

// Mirror opens a repository's full clone, OWNER/NAME.git or OWNER/NAME of a
// folder; nil, without an error, where there is none.
func (s *Session) Mirror(ctx context.Context, mirrors string, ref model.RepoRef) (*gitsource.Mirror, error) {
	options := gitsource.DefaultOptions()
	options.Log = s.Log
	m, err := gitsource.FindMirror(ctx, mirrors, ref, options)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return m, err
}
