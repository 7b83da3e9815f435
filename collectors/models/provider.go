package models

import (
	"fmt"

	"github.com/prforge/prforge/internal/reviewer"
)

// Spoken is a provider of models behind endpoints. speak returns the protocol of a call, or rejects what the vendor
// does not support.
func Spoken(name string, speak func(reviewer.Call) (Protocol, error)) Provider {
	return Provider{
		Name: name, Asks: true, Priced: true,
		Check: func(m reviewer.Model) error {
			if err := m.Call.Check(); err != nil {
				return err
			}
			protocol, err := speak(m.Call)
			if err != nil {
				return err
			}
			return checkBatch(protocol, m.Call)
		},
		Connect: func(m reviewer.Model, env Environment) (Source, error) {
			protocol, err := speak(m.Call)
			if err != nil {
				return nil, err
			}
			s := &Endpoint{Protocol: protocol, Call: m.Call, Env: env}
			if env.Offline {
				return s, nil
			}
			server, ok := env.Servers[m.Endpoint]
			if !ok {
				return nil, fmt.Errorf("the configuration has no endpoint %q", m.Endpoint)
			}
			s.Server = server
			return s, nil
		},
	}
}
