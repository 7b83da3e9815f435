package fakegithub

import (
	"embed"
	"fmt"
	"io/fs"
)

//go:embed all:worlds
var worlds embed.FS

// DemoWorld is the built-in sample behind "prforge demo": seven small
// repositories in five languages with their pull requests.
func DemoWorld() (*World, error) {
	sub, err := fs.Sub(worlds, "worlds/demo")
	if err != nil {
		return nil, fmt.Errorf("the built-in world: %w", err)
	}
	return ParseWorld(sub)
}

// DemoConfig is the prforge.yaml that goes with DemoWorld.
func DemoConfig() []byte {
	data, err := worlds.ReadFile("worlds/demo/prforge.yaml")
	if err != nil {
		panic(err) // embedded at build time: it cannot be missing
	}
	return data
}
