// Package providers lists the sources of answers.
package providers

import (
	"fmt"
	"log/slog"
	"strings"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/collectors/models/agent"
	"github.com/prforge/prforge/collectors/models/anthropic"
	"github.com/prforge/prforge/collectors/models/endpoint"
	"github.com/prforge/prforge/collectors/models/imported"
	"github.com/prforge/prforge/collectors/models/openai"
	"github.com/prforge/prforge/collectors/models/program"
	"github.com/prforge/prforge/collectors/models/reference"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/internal/store"
)

// all are the providers by their names in eval.yaml. To add one, add a folder beside this one and a line here.
var all = []models.Provider{
	openai.Provider(),
	anthropic.Provider(),
	program.Provider(),
	agent.Provider(),
	reference.Provider(),
	imported.Provider(),
}

// Named returns a provider by its name. The error lists all names.
func Named(name string) (models.Provider, error) {
	var names []string
	for _, p := range all {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return models.Provider{}, fmt.Errorf("provider is %q, want %s", name, strings.Join(names, ", "))
}

// The limits of a build, which asks as many questions at once as it has workers.
const (
	buildInFlight = 256
	buildTimeout  = 120 // seconds
)

// ForBuild makes a client of a provider's model for a build, at temperature 0. The raw store holds its answers, so that
// a rebuild asks no model. keyEnv names the variable that holds the key.
func ForBuild(name, address, model, keyEnv string, answers *store.Shard, getenv func(string) string,
	log *slog.Logger) (models.Client, error) {
	p, err := Named(name)
	if err != nil {
		return nil, err
	}
	c := endpoint.Config{URL: address, KeyEnv: keyEnv, InFlight: buildInFlight, TimeoutSeconds: buildTimeout}
	server, err := endpoint.NewServer(model, c, endpoint.Host{Getenv: getenv, Log: log})
	if err != nil {
		return nil, err
	}
	zero := 0.0
	return p.Client(server, reviewer.Call{Model: model, Temperature: &zero},
		models.Environment{Answers: answers, Bill: &models.Bill{}}), nil
}
