package run

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/stages/config"
)

// Configuration is the configuration that a dataset was built by. The error says if the dataset has none, like those
// from before config.yaml.
func Configuration(dir string) (*config.Config, error) {
	data, err := load.ReadBytes(dir, artifacts.FileConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no %s: name the configuration it was built by with -c", dir, artifacts.FileConfig)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	c, err := config.ParseFrozen(filepath.Join(dir, artifacts.FileConfig), data)
	return c, Damaged(dir, err)
}

// Damaged is an error in a dataset's own configuration. It is not wrong usage, as a *config.Error would be.
func Damaged(dir string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the configuration of %s is damaged: %v", dir, err) //nolint:errorlint // see above
}
