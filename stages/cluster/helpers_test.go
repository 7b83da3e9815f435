package cluster

import (
	"github.com/prforge/prforge/stages/review"
	"github.com/prforge/prforge/stages/run/runtest"
	"os"
	"testing"
)

var world = runtest.NewWorld(review.Build)

func TestMain(m *testing.M) { os.Exit(world.Main(m)) }
