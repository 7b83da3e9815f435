package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/prforge/prforge/internal/demo"
)

// docs/cluster.md: a share that is killed runs again, and a share that runs twice
// does no harm. Here by the commands, killed with SIGKILL.
func TestKilledSharesGiveTheSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program a dozen times")
	}
	m := &moments{}
	address, dir := counted(t, m), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "prforge.yaml"), demo.Config(), 0o644); err != nil {
		t.Fatal(err)
	}
	whole, err := made["build"]()
	if err != nil {
		t.Fatal(err)
	}
	run := func(limit int64, command string, args ...string) bool {
		cmd := exec.CommandContext(t.Context(), "prforge", append([]string{command, "-c", "prforge.yaml"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), environment(address)...)
		_, done := runProcess(t, m, cmd, limit)
		return done
	}
	run(0, "collect", "--to", "exchange", "--allow-partial")
	share := func(limit int64, index int) bool {
		return run(limit, "shard", "--at", "exchange", "--index", fmt.Sprintf("%d/3", index))
	}
	for _, index := range []int{2, 0, 1} {
		if share(3, index) {
			t.Errorf("share %d was not killed", index)
		}
		share(0, index)
		share(0, index)
	}
	run(0, "merge", "--at", "exchange", "-o", "merged", "--allow-partial")
	if manifestIn(t, dir, "merged") != manifestIn(t, whole, "data") {
		t.Error("the shares made another dataset")
	}
}
