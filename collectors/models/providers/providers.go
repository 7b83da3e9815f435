// Package providers lists the sources of answers.
package providers

import (
	"fmt"
	"strings"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/collectors/models/agent"
	"github.com/prforge/prforge/collectors/models/anthropic"
	"github.com/prforge/prforge/collectors/models/imported"
	"github.com/prforge/prforge/collectors/models/openai"
	"github.com/prforge/prforge/collectors/models/program"
	"github.com/prforge/prforge/collectors/models/reference"
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
