package review

import (
	"os"
	"testing"

	"github.com/prforge/prforge/stages/run/runtest"
)

var world = runtest.NewWorld(Build)

func TestMain(m *testing.M) { os.Exit(world.Main(m)) }
