package review

import (
	"context"

	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/stages/run"
	"github.com/prforge/prforge/stages/snapshots"
)

// snapshots makes the snapshots of the released pull requests, if the configuration asks for them.
func (r *Merged) snapshots(ctx context.Context, s *run.Session, tasks TaskSeq) (*freeze.Snapshots, error) {
	if !s.Config.Snapshots {
		return nil, nil
	}
	var wanted snapshots.List
	for t, err := range tasks {
		if err == nil {
			err = wanted.Add(&t.Record, &t.Evidence)
		}
		if err != nil {
			return nil, err
		}
	}
	return snapshots.Build(ctx, s, wanted, r.Shards)
}
