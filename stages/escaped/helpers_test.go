package escaped

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/demo"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
	"github.com/prforge/prforge/stages/run/runtest"
)

// mirrors has full clones of the built-in world some weeks on.
var mirrors string

// world is the built-in world some weeks on, when fixes have revealed defects.
var world = runtest.NewWorld(func(ctx context.Context, s *run.Session) (*run.Report, error) {
	s.Config.Escaped.Until = config.Date{Time: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)}
	if s.From == "" { // else the raw records have it
		s.Mirrors = mirrors
	}
	return build(ctx, s)
})

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	var err error
	if mirrors, err = os.MkdirTemp("", "stages-escaped-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(mirrors)
	world.Repositories, world.Serve.Dir = demo.Later, mirrors
	return world.Main(m)
}

// answersOf are the answers of a dataset, by question.
func answersOf(t *testing.T, dir string) map[string]*model.EscapedAnswer {
	t.Helper()
	out := map[string]*model.EscapedAnswer{}
	for a, err := range load.ReadLines[model.EscapedAnswer](dir, "escaped/answers.jsonl") {
		if err != nil {
			t.Fatal(err)
		}
		out[a.QuestionID] = a
	}
	return out
}
