package demo

import (
	"embed"
	"fmt"
	"io/fs"

	"github.com/prforge/prforge/internal/fakegithub"
)

//go:embed all:world
var world embed.FS

// World is the GitHub of the review sample: seven small repositories in five
// languages with their pull requests, for a fake GitHub to play.
func World() (*fakegithub.World, error) {
	sub, err := fs.Sub(world, "world")
	if err != nil {
		return nil, fmt.Errorf("the built-in world: %w", err)
	}
	return fakegithub.ParseWorld(sub)
}

// Config is the prforge.yaml of the review sample.
func Config() []byte {
	data, err := world.ReadFile("world/prforge.yaml")
	if err != nil {
		panic(err) // embedded at build time: it cannot be missing
	}
	return data
}
