package debugging

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/goccy/go-yaml"

	"github.com/prforge/prforge/artifacts/debugging"
	"github.com/prforge/prforge/collectors/python"
	"github.com/prforge/prforge/evaluation/cheats"
	scripts "github.com/prforge/prforge/injection/debugging"
	"github.com/prforge/prforge/internal/digest"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
)

// Config is the configuration of the benchmark (spec section 15).
type Config struct {
	Version int            `yaml:"version"`
	Dataset config.Dataset `yaml:"dataset"`
	Scripts []ScriptSource `yaml:"scripts"`
	// SPDX identifiers of those that are taken; empty takes any
	Licenses []string            `yaml:"licenses,omitempty"`
	MaxLines int                 `yaml:"max_lines" check:"1.."`     // of a script
	MaxData  int                 `yaml:"max_data_mb" check:"1..64"` // of a file beside a script
	Python   PythonRuntime       `yaml:"python"`
	Seeds    []int               `yaml:"accept_seeds"` // hash and random seeds of the accepting runs
	Plan     scripts.PlanOptions `yaml:"plan"`
	Quotas   scripts.Quotas      `yaml:"quotas"`
	Compose  ScriptCompose       `yaml:"compose"`
	Prompts  ScriptPrompts       `yaml:"prompts"`
	// Ceilings are the most that reviewers which read no meaning may get of the
	// causes; those that compare samples of one script, of the split with one of each.
	Ceilings cheats.Ceilings `yaml:"ceilings"`
	Injector *ScriptInjector `yaml:"injector,omitempty"` // a model that injects too; nil for none
	Takedown *ScriptTakedown `yaml:"takedown,omitempty"` // nil for nothing

	// File is the path the configuration was read from; relative folders in it
	// are taken from Dir.
	File string `yaml:"-"`
	Dir  string `yaml:"-"`
}

// ScriptSource is where scripts are found: a folder; a repository at a commit,
// read through git, where Folder is empty; or, with PullRequests, the merged pull
// requests of the repositories that a prforge.yaml names.
type ScriptSource struct {
	Folder       string `yaml:"folder,omitempty"`
	PullRequests string `yaml:"pull_requests,omitempty"` // path of a prforge.yaml
	Repository   string `yaml:"repository,omitempty"`    // OWNER/NAME; of a folder, where it is of one
	Commit       string `yaml:"commit,omitempty"`
	// Paths are patterns of the files that are looked at: "*" is anything but a
	// slash, "**" anything. Empty looks at all.
	Paths []string `yaml:"paths,omitempty"`
	// License is an SPDX identifier. Where it is empty, it is read from the
	// repository's license file; a folder without one gives no sample.
	License  string `yaml:"license"`
	PRNumber int    `yaml:"pull_request,omitempty"` // that a folder is of
}

func (s ScriptSource) check() (key, message string) {
	switch {
	case s.Folder != "" && s.PullRequests != "":
		return "pull_requests", "goes without a folder"
	case s.PullRequests != "" && (s.Repository != "" || s.Commit != ""):
		return "pull_requests", "names repositories and commits by itself"
	case s.Folder != "" || s.PullRequests != "":
		return "", ""
	case s.Repository == "":
		return "folder", "is missing, and so are repository and pull_requests"
	case !fullCommit.MatchString(s.Commit):
		return "commit", "must be the 40 digits of a commit, where scripts are read through git"
	}
	if _, err := model.ParseRepoRef(s.Repository); err != nil {
		return "repository", err.Error()
	}
	return "", ""
}

var fullCommit = regexp.MustCompile(`^[0-9a-f]{40}$`)

// ScriptTakedown names what must not appear in a dataset of scripts, raw records
// included. SHA256 and Tombstones replace the lists in the configuration of a
// dataset.
type ScriptTakedown struct {
	// OWNER/NAME:PATH, or PATH where it is of no repository
	Scripts      []config.TakedownEntry `yaml:"scripts,omitempty" json:"scripts"`
	PullRequests []config.TakedownEntry `yaml:"pull_requests,omitempty" json:"pull_requests"`
	Repositories []config.TakedownEntry `yaml:"repositories,omitempty" json:"repositories"`
	SHA256       string                 `yaml:"sha256,omitempty" json:"-"`
	Tombstones   []model.Tombstone      `yaml:"tombstones,omitempty" json:"-"`
}

// frozen is the list as a dataset shows it: its digest, and that something was
// taken out, never what.
func (t *ScriptTakedown) frozen(tombstones []model.Tombstone) (*ScriptTakedown, error) {
	if t == nil || len(t.Scripts)+len(t.PullRequests)+len(t.Repositories) == 0 {
		return t, nil
	}
	list, err := json.Marshal(t)
	if err != nil {
		return nil, fmt.Errorf("digest of the takedown list: %w", err)
	}
	return &ScriptTakedown{SHA256: digest.Bytes(list), Tombstones: tombstones}, nil
}

// PythonRuntime is the interpreter and its limits. Which interpreter it is shows
// in the records, not here.
type PythonRuntime struct {
	Interpreter string   `yaml:"interpreter"`
	Paths       []string `yaml:"paths,omitempty"` // folders that it needs beside /usr and its own
	Libraries   []string `yaml:"libraries"`       // whose versions are recorded
	CPUSeconds  int      `yaml:"cpu_seconds" check:"1.."`
	WallSeconds int      `yaml:"wall_seconds" check:"1.."`
	MemoryMB    int      `yaml:"memory_mb" check:"64.."`
	FileMB      int      `yaml:"file_mb" check:"1.."`
	ScratchMB   int      `yaml:"scratch_mb" check:"1.."`
	OutputMB    int      `yaml:"output_mb" check:"1.."`
	Processes   int      `yaml:"processes" check:"1.."`
	OpenFiles   int      `yaml:"open_files" check:"16.."`
}

// ScriptCompose says how many samples with several errors a script gives.
type ScriptCompose struct {
	Two   int `yaml:"two" check:"0.."`
	Three int `yaml:"three" check:"0.."`
	Four  int `yaml:"four" check:"0.."`
	More  int `yaml:"more" check:"0.."`  // with five to eight errors
	Tries int `yaml:"tries" check:"1.."` // compositions tried for each
}

// ScriptPrompts says what a model's prompt contains.
type ScriptPrompts struct {
	LineNumbers bool `yaml:"line_numbers"` // asked for: else each line's text must be unique
	ErrorCount  bool `yaml:"error_count"`  // how many errors there are
}

// ScriptInjector is a model that changes statements.
type ScriptInjector struct {
	Endpoint  string `yaml:"endpoint"`
	Model     string `yaml:"model"`
	APIKeyEnv string `yaml:"api_key_env"`
	PerScript int    `yaml:"per_script"`
}

// DefaultConfig returns the defaults of the configuration, each from the package that
// uses it.
func DefaultConfig() Config {
	c, l := scripts.DefaultCompose(), python.DefaultLimits()
	o := python.DefaultOptions()
	return Config{
		Version: 1, Dataset: config.Dataset{Name: "prforge-debugging", PipelineVersion: "v1.0.0"}, MaxLines: 400, MaxData: 8,
		Python: PythonRuntime{
			Interpreter: o.Interpreter, Libraries: o.Libraries, CPUSeconds: l.CPU, WallSeconds: l.Wall,
			MemoryMB: int(l.Memory >> 20),
			FileMB:   int(l.FileSize >> 20), ScratchMB: int(l.Scratch >> 20), OutputMB: int(l.Output >> 20),
			Processes: l.Processes, OpenFiles: l.OpenFiles,
		},
		Seeds:  []int{1, 2, 3},
		Plan:   scripts.DefaultPlan(),
		Quotas: scripts.DefaultQuotas(),
		Compose: ScriptCompose{Two: c.Sizes[2], Three: c.Sizes[3], Four: c.Sizes[4], More: c.Sizes[scripts.MaxFaults],
			Tries: c.Tries},
		Prompts:  ScriptPrompts{LineNumbers: true},
		Ceilings: cheats.Ceilings{All: 0.35, MinItems: 20},
	}
}

// Configuration returns the configuration that a dataset of scripts was built
// by.
func Configuration(dir string) (*Config, error) {
	c, err := LoadConfig(filepath.Join(dir, debugging.FileConfig), DefaultConfig())
	return c, run.Damaged(dir, err)
}

// LoadConfig reads and checks a configuration file over its defaults. Faults
// are *config.Error.
func LoadConfig(path string, defaults Config) (*Config, error) {
	c := defaults
	c.File, c.Dir = path, filepath.Dir(path)
	if err := config.LoadChecked(path, "prforge init --debugging", &c, c.check); err != nil {
		return nil, err
	}
	return &c, nil
}

// MaxInput is how many bytes a file beside a script may have.
func (c *Config) MaxInput() int64 { return int64(c.MaxData) << 20 }

// Path is where a path of the configuration leads: a relative one is taken from
// the configuration's folder.
func (c *Config) Path(p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(c.Dir, p)
}

// check finds the first impossible value: its key, and what is wrong with it.
func (c *Config) check() (key, message string) {
	switch {
	case c.Version != 1:
		return "version", fmt.Sprintf("is %d; this prforge reads version 1", c.Version)
	case c.Dataset.FreezeDate.IsZero():
		return "dataset.freeze_date", "is missing: the day that counts as now, YYYY-MM-DD"
	case c.Dataset.Name == "" || c.Dataset.PipelineVersion == "":
		return "dataset", "needs a name and a pipeline_version"
	case len(c.Scripts) == 0:
		return "scripts", "is missing: list at least one folder or repository"
	case len(c.Seeds) == 0:
		return "accept_seeds", "is empty: three runs are usual"
	case c.Injector != nil && (c.Injector.Endpoint == "" || c.Injector.Model == ""):
		return "injector", "needs an endpoint and a model"
	}
	for i, s := range c.Scripts {
		if key, message := s.check(); key != "" {
			return fmt.Sprintf("scripts[%d].%s", i, key), message
		}
	}
	for _, s := range c.Seeds {
		if s < 0 || s > 1<<31 {
			return "accept_seeds", "a seed is from 0 to 2147483648"
		}
	}
	return "", ""
}

// Frozen is the configuration in a dataset's form, and its SHA-256 as hex: canonical YAML without this machine's
// paths, and with tombstones instead of the takedown list.
func (c *Config) Frozen(tombstones []model.Tombstone) (text []byte, sum string, err error) {
	frozen := *c
	frozen.Python.Interpreter, frozen.Python.Paths = "", nil
	frozen.Scripts = slices.Clone(c.Scripts)
	for i := range frozen.Scripts {
		s := &frozen.Scripts[i]
		s.Folder, s.PullRequests = base(s.Folder), base(s.PullRequests)
	}
	if frozen.Takedown, err = c.Takedown.frozen(tombstones); err != nil {
		return nil, "", err
	}
	text, err = yaml.Marshal(frozen)
	if err != nil {
		return nil, "", fmt.Errorf("write the configuration: %w", err)
	}
	return text, digest.Bytes(text), nil
}

// base is the last part of a path; "" stays "".
func base(path string) string {
	if path == "" {
		return ""
	}
	return filepath.Base(path)
}
