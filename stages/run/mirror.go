package run

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
	"github.com/prforge/prforge/scoring/fixes"
)

// Mirror opens a repository's full clone, OWNER/NAME.git or OWNER/NAME below a folder; nil, without an error, if
// there is none.
func (s *Session) Mirror(ctx context.Context, mirrors string, ref model.RepoRef) (*gitsource.Mirror, error) {
	options := gitsource.DefaultOptions()
	options.Log = s.Log
	m, err := gitsource.FindMirror(ctx, mirrors, ref, options)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return m, err
}

// LaterHistory is the query for the commits of a mirror, in [since, until), that reveal escaped defects.
func LaterHistory(since, until time.Time, o fixes.Options) gitsource.HistoryQuery {
	return gitsource.HistoryQuery{
		Since: since, Until: until,
		Want:   func(c gitsource.Commit) ([]string, bool) { return fixes.Wanted(c.Subject, c.Body) },
		Change: func(d *unidiff.Diff) model.FixChange { return fixes.Change(d, o) },
	}
}
