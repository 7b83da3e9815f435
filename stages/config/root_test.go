package config_test

import (
	"testing"

	"github.com/prforge/prforge/stages/config"
)

// A contributor's first command, 'prforge repo add OWNER/NAME', reads the
// repository's own prforge.yaml.
func TestOwnConfiguration(t *testing.T) {
	c, err := config.Load("../../prforge.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Repositories) == 0 {
		t.Error("it lists no repositories")
	}
}
