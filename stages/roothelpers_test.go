package stages

import (
	"os"
	"testing"

	"github.com/prforge/prforge/stages/review"
	"github.com/prforge/prforge/stages/run/runtest"
)

var world = runtest.NewWorld(review.Build)

func TestMain(m *testing.M) { os.Exit(world.Main(m)) }
