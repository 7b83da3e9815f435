package bugs

import (
	"context"
	"os"
	"testing"

	"github.com/prforge/prforge/stages/run"
	"github.com/prforge/prforge/stages/run/runtest"
)

var world = runtest.NewWorld(func(ctx context.Context, s *run.Session) (*run.Report, error) { return Build(ctx, s, nil) })

func TestMain(m *testing.M) { os.Exit(world.Main(m)) }
