package review

import (
	"github.com/prforge/prforge/stages/run/runtest"
	"os"
	"testing"
)

var world = runtest.NewWorld(Build)

func TestMain(m *testing.M) { os.Exit(world.Main(m)) }
