package run

import (
	"context"

	"github.com/prforge/prforge/artifacts/takedown"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/contextbuilder"
	"github.com/prforge/prforge/filters"
	"github.com/prforge/prforge/filters/authorship"
	"github.com/prforge/prforge/filters/substance"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/licenses"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/scoring"
	"github.com/prforge/prforge/scoring/contamination"
	"github.com/prforge/prforge/stages/config"
)

// Env says how a build works: its input, its output, its parallelism. It never changes a byte of a dataset.
type Env struct {
	pipeline.Host

	State string // folder of the raw store; the run continues from what it holds
	Out   string // folder of the dataset
	// From is a frozen dataset whose raw records are read into the state first, to rebuild it without GitHub. "" for
	// none.
	From         string
	Contexts     string // a frozen dataset whose contexts are taken as they are, not built again; "" for none
	Mirrors      string // folder of full clones that later history is read from; "" for what the state knows of it
	Offline      bool   // use no network: what is not in the state is an error
	Refresh      bool   // ask GitHub again for what may have changed
	AllowPartial bool   // freeze although something failed
	Shards       int    // repositories at once

	Connect  func(context.Context) (*ghapi.Client, error) // signs in to GitHub, when first needed
	CloneURL func(model.RepoRef) string
	Tune     func(*collectors.Options) // changes how the run collects; nil changes nothing
}

// Session holds the open state of a run, and the configuration as options of the domain packages. It is safe for
// concurrent use.
type Session struct {
	Env
	Config    *config.Config
	Collector *collectors.Collector

	Registry      *authorship.Registry
	Substance     substance.Options
	Filters       filters.Options
	Window        scoring.WindowOptions
	RVS           scoring.RVSOptions
	RQS           scoring.RepositoryScoreOptions
	instances     *contamination.Instances
	contamination contamination.Options
	Selection     scoring.SelectionOptions
	Split         scoring.SplitOptions

	encoder contamination.Encoder
	Summary contextbuilder.Summarizer // nil where rules write layer 1
	Graphs  *imports.Cache
	// Builder builds the configured contexts. It is made when first needed.
	Builder func() (*contextbuilder.Builder, error)

	Licenses *licenses.Reader

	Takedowns  *takedown.List
	Pseudonyms *takedown.Pseudonyms // nil where names stay
}

// Repositories are the configured ones that are not taken down.
func (s *Session) Repositories() []model.RepoRef {
	var out []model.RepoRef
	for _, ref := range s.Config.Refs() {
		if !s.Takedowns.Repository(ref) {
			out = append(out, ref)
		}
	}
	return out
}
