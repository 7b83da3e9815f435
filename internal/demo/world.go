package demo

import (
	"embed"
	"fmt"
	"io/fs"

	"github.com/prforge/prforge/internal/fakegithub"
)

//go:embed all:world all:later
var world embed.FS

// World is the GitHub of the review sample: seven small repositories in five
// languages with their pull requests, for a fake GitHub to play.
func World() (*fakegithub.World, error) { return parse("world") }

// Later is World some weeks on: with the pull requests that repair what others
// broke.
func Later() (*fakegithub.World, error) { return parse("world", "later") }

func parse(folders ...string) (*fakegithub.World, error) {
	var layers []fs.FS
	for _, name := range folders {
		sub, err := fs.Sub(world, name)
		if err != nil {
			return nil, fmt.Errorf("the built-in world: %w", err)
		}
		layers = append(layers, sub)
	}
	return fakegithub.ParseWorld(layers...)
}

// Config is the prforge.yaml of the review sample.
func Config() []byte {
	data, err := world.ReadFile("world/prforge.yaml")
	if err != nil {
		panic(err) // embedded at build time: it cannot be missing
	}
	return data
}
